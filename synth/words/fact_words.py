"""The path of a fact in words."""

from collections.abc import Iterable

from synth.quality import FactPath
from synth.runs.trace import Trace
from synth.text.wording import Bold, counted, numbered, short

_LONGEST = 60  # characters of a fact in a sentence


def losing_call(path: FactPath) -> int | None:
    """The number of the call at which a fact was lost; None where no call lost it."""
    return None if path.stage == "answered" else path.call


def unread_words(paths: Iterable[FactPath]) -> str:
    """What the first fact that a server cut off means for the answer; "" if it cut off none."""
    path = next((path for path in paths if path.stage == "not_read"), None)
    if path is None:
        return ""
    where = f"stands in {numbered('chunk', path.chunks)}" if path.chunks else "was cut off"
    return f"{_name(path)} {where}, so this answer could not name it."


def path_sentence(path: FactPath, trace: Trace) -> list[str]:
    """The sentence about the way of a fact through a run, for `sentence_html`."""
    name, sent = _name(path), f"it was in the prompt of {numbered('call', path.sent)}"
    match path.stage:
        case "absent":
            words = [Bold(f"{name} is in no chunk"), ", in none of its wordings"]
        case "not_retrieved":
            chunks = numbered("chunk", sorted({place.number for place in path.evidence}))
            words = [Bold(f"{name} was not retrieved"), f": it stands in {chunks} alone"]
        case "not_sent":
            words = _not_sent(path, trace, name)
        case "not_read":
            kept = "of which the server kept the end alone, so the model never read it"
            words = [Bold(f"The server cut off {name}"), f": {sent}, {kept}"]
        case "not_answered" if path.why == "unfinished":
            words = [Bold(f"{name} is in no answer yet"), f": {sent}, and the run ended early"]
        case "not_answered":
            left_out = Bold(f"Call {path.call} left out {name}")
            words = [left_out, f": {sent}, and is in the answer of none"]
        case "dropped":
            words = _dropped(path, name)
        case "denied":
            words = _denied(path, trace, name)
        case "answered":
            words = _answered(path, trace, name)
    is_left_out = path.stage in ("not_answered", "dropped") and path.why == "left_out"
    if is_left_out and any(call.is_cut and call.number == path.call for call in trace.calls):
        words.append(f"; the answer of call {path.call} was cut off")
    return [*words, "."]


def _name(path: FactPath) -> str:
    return f"“{short(path.fact.text, _LONGEST)}”"


def _not_sent(path: FactPath, trace: Trace, name: str) -> list[str]:
    first, goes_on = path.evidence[0].number, path.evidence[0].goes_on
    place = f"It stands in {numbered('chunk', [first, first + 1][: 1 + goes_on])}"
    if path.why == "unfinished":
        return [Bold(f"{name} was not sent yet"), ": the run ended early. ", place]
    if path.why == "no_chunks" or path.cut is None:
        return [Bold(f"{name} was never sent"), f": {trace.setup.mode} sends no chunk. ", place]
    if path.why == "split" and goes_on:
        return [
            Bold(f"No call had {name} whole"),
            f": it begins at the end of chunk {first} and goes on in chunk {first + 1}, and these"
            " went out in different calls",
        ]
    if path.why == "split":
        return [
            Bold(f"No call had {name} whole"),
            f": the text of call {path.cut.call} ends in the middle of it, in chunk"
            f" {path.cut.chunk}, and the rest went out in another call",
        ]
    return [
        Bold(f"{name} was never sent: the window cut it off"),
        f". {place}, and the text of call {path.cut.call} ends in chunk {path.cut.chunk},"
        f" {counted(path.cut.tokens, 'token')} before the end of the fact",
    ]


def _dropped(path: FactPath, name: str) -> list[str]:
    held = f"the answer of call {path.evidence[0].number} held it"
    if path.why == "unfinished":
        return [Bold(f"{name} is in no final answer"), f": {held}, and the run ended early"]
    if path.why == "unused":
        return [Bold(f"The answer of call {path.call} was not used"), f", though it held {name}"]
    if path.why == "server":
        return [
            Bold(f"The server cut off {name}"),
            f": {held}, and of the prompt of call {path.call} the server kept the end alone",
        ]
    if path.why == "cut":
        return [
            Bold(f"{name} was cut off before call {path.call}"),
            f": {held}, but it was too long for the next prompt",
        ]
    return [Bold(f"Call {path.call} dropped {name}"), f": {held}, and call {path.call} read that"]


def _denied(path: FactPath, trace: Trace, name: str) -> list[str]:
    place = path.evidence[0]
    final = place.kind == "response"
    answers = {call.number: call.answer for call in trace.calls}
    text = trace.response if final else answers[place.number]
    words = short((text or "")[place.start : place.end], _LONGEST)
    who = "The answer" if final else f"The answer of call {place.number}"
    too = ", and so does every chunk that speaks of it" if path.why == "as_sent" else ""
    return [Bold(f"{who} denies {name}"), f": it says “{words}”{too}"]


def _answered(path: FactPath, trace: Trace, name: str) -> list[str]:
    if path.sent:
        sent = f": it was sent in {numbered('call', path.sent)}"
    elif trace.calls:
        sent = ", though no prompt carried it: the model knew it, guessed it or was asked with it"
    else:
        sent = ": the response is made without a call"
    return [Bold(f"{name} is in the answer"), sent]
