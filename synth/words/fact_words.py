"""The path of a fact through the calls of a run: in words, what is marked, what would send it."""

from dataclasses import asdict

from synth.modes.registry import MODES, mode_facts
from synth.pictures.placement import Mark
from synth.quality import FactPath
from synth.quality.smallest_change import Change
from synth.runs.trace import Trace
from synth.text.wording import Bold, counted, embolden, numbered, short
from synth.words.plan_words import Headline

FACT_HEADS = {
    "fact": "{name} is {fate}.",
    "loser": "{who} {did} {name}.",
}
"""The forms of the headline of a fact."""

_LONGEST = 60  # characters of a fact in a sentence
_WORDS, _WORDS_OF_ONE = 8, 5  # of a fact in a headline, which has fourteen; of one wording
_QUOTED = 10  # words of a chunk in the line of a headline, which has twenty
_CAUSE = "The cause"  # as the sample calls its fact
_FATES = {
    "unfinished": "in no answer yet",
    "absent": "in no chunk",
    "not_retrieved": "in no chunk that was retrieved",
}
_HELD = "The answer of **call {first}** held it"
_LINES = {
    ("absent", ""): "In none of its wordings.",
    ("not_retrieved", ""): "It stands in **{places}** alone.",
    ("not_sent", "unfinished"): "It stands in **{chunk}** and was not sent yet.",
    ("not_sent", "split"): "**Call {cut_call}** ends within it, in chunk {cut_chunk}.",
    ("not_sent", "cut"): "**{Chunk}** says {quote}. It was cut off before the {calls}.",
    ("not_sent", ""): "It stands in **{chunk}**, and {mode} sends no chunk.",
    ("not_read", ""): "The server cut it off: it read only the end of **{sent}**.",
    ("not_answered", ""): "It was in the prompt of **{sent}**.",
    ("dropped", "unfinished"): _HELD + ".",
    ("dropped", "unused"): _HELD + ", and was not used.",
    ("dropped", "server"): _HELD + "; the server cut it off before call {call}.",
    ("dropped", ""): _HELD + "; it was cut off before call {call}.",
}
"""Where a fact was lost, by the stage that it came to, and why, if that has words of its own."""
_SAID = {
    "mode": "{}",
    "context_window": "window {:,}",
    "num_output": "answer length {:,}",
    "chunk_overlap_ratio": "overlap {:g}",
    "similarity_top_k": "best {:,} chunks",
}
"""The values of a choice as they are said."""


def fact_headline(path: FactPath, trace: Trace, is_cause: bool = False) -> Headline:
    """Say what became of a fact in a run, and below it where; that of the sample is the cause."""
    name = _CAUSE if is_cause else _name(path)
    if path.stage == "answered":
        name = f"Now {_lower(name)}" if is_cause else name
        head = embolden(
            FACT_HEADS["fact"], name=name, fate="there" if is_cause else "in the answer"
        )
        return Headline(head, _say_arrived(path, trace, _name(path) if is_cause else "It"))
    if path.stage in ("not_answered", "dropped") and path.why == "left_out":
        return _say_left_out(path, trace, name)
    fate = _FATES.get(path.stage, "missing" if is_cause else "not in the answer")
    fate = _FATES.get(path.why or "", fate)
    head = embolden(FACT_HEADS["fact"], name=name, fate=fate)
    return Headline(head, _say_lost(path, trace))


def _name(path: FactPath) -> str:
    """The fact as it was typed: where it has wordings, one of them was found, not all."""
    first, *others = path.fact.accepted
    most = _WORDS_OF_ONE if others else _WORDS
    words = first.split()
    beginning = " ".join(words[:most]) + ("…" if len(words) > most else "")
    return f"“{short(beginning, _LONGEST)}”" + (" or another wording" if others else "")


def _lower(name: str) -> str:
    """The name within a sentence."""
    return name[0].lower() + name[1:]


def _say_arrived(path: FactPath, trace: Trace, subject: str) -> list[str]:
    """The way into the answer."""
    if not path.sent:
        known = "No prompt carried it: the model knew it, guessed it or was asked with it."
        return [known if trace.calls else "The response is made without a call."]
    unread = [
        call.number
        for call in trace.calls
        if call.number in path.answers
        and call.number not in path.sent
        and not any(one.kind == "answer" and one.number in path.answers for one in call.origins)
    ]
    if unread and path.chunks:
        return embolden(
            "**{Call}** said it without reading **{chunks}**, where it stands.",
            Call=numbered("call", unread[:1]).capitalize(),
            chunks=numbered("chunk", path.chunks),
        )
    way = sorted({*path.sent, *path.answers})
    return embolden(
        "{subject} came from **{chunks}** through **{calls}** into the answer.",
        subject=subject,
        chunks=numbered("chunk", path.chunks),
        calls=numbered("call", way),
    )


def _say_left_out(path: FactPath, trace: Trace, name: str) -> Headline:
    """A call had it before it, and did not say it."""
    did = "dropped" if path.stage == "dropped" else "left out"
    head = embolden(FACT_HEADS["loser"], who=f"Call {path.call}", did=did, name=_lower(name))
    came = ["It came with ", Bold(numbered("chunk", path.chunks))] if path.chunks else ["It came"]
    held = " and is in no answer"
    if path.answers:
        held = f" and stood in {counted(len(path.answers), 'answer')}"
    if any(call.is_cut and call.number == path.call for call in trace.calls):
        held += f"; the answer of call {path.call} was cut off"
    return Headline(head, [*came, f"{held}."])


def _say_lost(path: FactPath, trace: Trace) -> list[str]:
    """Where it was lost, of a fact that no call left out."""
    places = sorted({place.number for place in path.evidence})
    chunk = numbered("chunk", places[:1])
    form = _LINES.get((path.stage, path.why or ""), _LINES[path.stage, ""])
    return embolden(
        form,
        places=numbered("chunk", places),
        chunk=chunk,
        Chunk=chunk.capitalize(),
        first="".join(map(str, places[:1])),
        sent=numbered("call", path.sent),
        call=f"{path.call}",
        calls="call" if len(trace.calls) == 1 else "calls",
        mode=trace.setup.mode,
        quote=_quote(path, trace) if path.stage == "not_sent" else "",
        cut_call="" if path.cut is None else f"{path.cut.call}",
        cut_chunk="" if path.cut is None else f"{path.cut.chunk}",
    )


def _quote(path: FactPath, trace: Trace) -> str:
    """The last words of a chunk up to the end of the fact."""
    place = path.evidence[0]
    said = " ".join(trace.setup.chunks[place.number - 1][: place.end].split())
    words = " ".join(said.split(" ")[-_QUOTED:])[-2 * _LONGEST :]
    return f"“{words}”" if words == said else f"“…{words}”"


def fact_mark(path: FactPath) -> Mark | None:
    """Find what of the picture is lit for a fact: its way to its end; None without a way."""
    end, sign = _end(path)
    calls = frozenset({*path.sent, *path.answers, *([] if end is None else [end])})
    if not (calls or path.chunks):
        return None
    return Mark(path.fact.text, frozenset(path.chunks), calls, end, sign)


def _end(path: FactPath) -> tuple[int | None, str]:
    """Find the call where the fact was lost, and its sign; a cut is at the answer before."""
    if path.stage == "answered" or path.why == "unfinished":
        return None, ""
    if path.stage == "not_sent":
        return None, "no room left" if path.why == "cut" else "not sent"
    if path.why == "server":
        return path.call, "cut by the server here"
    if path.why == "cut":
        return path.evidence[0].number, "cut off here"
    return path.call, "not used" if path.why == "unused" else "lost here"


def source_words(path: FactPath) -> str:
    """Say what became of a fact of a chunk, to end its row; "" where no call lost it."""
    mark = fact_mark(path)
    if mark is None or mark.end is None:
        return ""
    return f"call {mark.end}: {mark.sign}"


def modes_like(mode: str) -> list[str]:
    """Return the modes that answer in the same form; all, for a mode that gives no answer."""
    form = mode_facts(mode).response_source
    same = [name for name in MODES if mode_facts(name).response_source == form]
    return same if len(same) > 1 else list(MODES)


def change_words(change: Change) -> str:
    """Write what a change changes to, such as "window 1,081"."""
    before, after = asdict(change.before), asdict(change.after)
    parts = [
        form.format(after[field])
        for field, form in _SAID.items()
        if before[field] != after[field] and None not in (before[field], after[field])
    ]
    if (after["similarity_top_k"] is None) != (before["similarity_top_k"] is None):
        every = after["similarity_top_k"] is None
        parts.append("all chunks, in order" if every else "the best chunks first")
    return ", ".join(parts)


def change_cost(change: Change) -> str:
    """Write the calls and prompt tokens after a change."""
    calls = counted(change.calls, "call")
    return f"{calls} with {counted(change.prompt_tokens, 'prompt token')}"
