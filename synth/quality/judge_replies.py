"""What a judge said, read from its trace; a reply that can't be read is no verdict."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from synth.quality.support import weighed_words
from synth.quality.words import Words
from synth.runs.calls import CallRecord, PlacedCall, PlannedCall, prompt_hash
from synth.runs.trace import Plan, Trace
from synth.text.sequences import LEAST
from synth.text.spans import Origin

ClaimVerdict = Literal["supported", "unsupported", "no verdict"]
Grade = Literal["correct", "partly", "incorrect", "no verdict"]
Better = Literal["one", "other", "tie", "no verdict"]
_THOUGHT = "</think>"  # how reasoning models end what they write before the answer


class _Said(NamedTuple):
    """What one call said of a claim, and where the quote stands that it gave."""

    verdict: ClaimVerdict
    reason: str
    evidence: tuple[Origin, ...] = ()


@dataclass(frozen=True)
class JudgedClaim:
    """A sentence of a response, the verdict on it, and why.

    `calls` are the numbers of the calls that were asked about it. `evidence` are the characters
    of chunks that the judge quoted.
    """

    claim: str
    verdict: ClaimVerdict
    reason: str
    calls: tuple[int, ...]
    evidence: tuple[Origin, ...]


def answered_part(plan: Plan, answered: Mapping[str, CallRecord]) -> Trace:
    """The trace of one judging that was asked together with others.

    `answered` are the calls that have an answer, by the hash of their prompts. A claim that was not
    asked about to the end is left out: the text that supports it may be in a call that is missing.
    """
    groups: dict[str, list[PlannedCall]] = {}
    for call in plan.calls:
        groups.setdefault(claim_of(call), []).append(call)
    calls = [
        replace(answered[prompt_hash(call.prompt)], prompt=call.prompt)
        for group in groups.values()
        if all(prompt_hash(call.prompt) in answered for call in group)
        for call in group
    ]
    return Trace(plan.setup, tuple(calls))


def judged_claims(trace: Trace) -> tuple[JudgedClaim, ...]:
    """The claims of a trace of `judge_support`, in order.

    A claim is supported if one call says so and its quote, of three words or more, stands in
    the text of that call. It is unsupported if every call says so. Otherwise there is no verdict.
    """
    asked: dict[str, list[CallRecord]] = {}
    for call in trace.calls:
        asked.setdefault(claim_of(call), []).append(call)
    return tuple(_judged(claim, calls) for claim, calls in asked.items())


def readable(call: CallRecord) -> bool:
    """Whether a reply has the form that was asked for; a quote in it may still stand nowhere."""
    reply = _reply(call)
    if call.template == "judge_correctness":
        return _is_grade(reply)
    return _is_choice(reply) if call.template == "judge_pair" else _is_support(reply)


def grade(trace: Trace) -> Grade:
    """The grade of a trace of `judge_correctness`."""
    reply = _reply(trace.calls[0]) if trace.calls else {}
    said: Grade = reply["grade"] if _is_grade(reply) else "no verdict"
    return said


def better(trace: Trace) -> Better:
    """The better answer of a trace of `judge_pair`; a tie where the two orders disagree."""
    replies = [_reply(call) for call in trace.calls]
    if len(replies) < 2 or not all(map(_is_choice, replies)):
        return "no verdict"
    said = [reply["better"] for reply in replies]
    if said == [1, 2]:
        return "one"
    return "other" if said == [2, 1] else "tie"


def consensus(verdicts: Sequence[str]) -> str:
    """The verdict that most of the repeats gave; "no verdict" where no other is the most frequent.

    ValueError without any repeat.
    """
    if not verdicts:
        raise ValueError("There is no consensus without a verdict.")
    (verdict, most), *others = Counter(verdicts).most_common()
    return "no verdict" if others and others[0][1] == most else verdict


def agreement(verdicts: Sequence[str]) -> float | None:
    """Of repeated verdicts, the share of the most frequent one; None for fewer than two."""
    if len(verdicts) < 2:
        return None
    [(_, count)] = Counter(verdicts).most_common(1)
    return count / len(verdicts)


def _judged(claim: str, calls: Sequence[CallRecord]) -> JudgedClaim:
    said = [_said(call) for call in calls]
    verdicts: tuple[ClaimVerdict, ...] = ("supported", "no verdict", "unsupported")
    best = next(each for verdict in verdicts for each in said if each.verdict == verdict)
    numbers = tuple(call.number for call in calls)
    return JudgedClaim(claim, best.verdict, best.reason, numbers, best.evidence)


def _said(call: CallRecord) -> _Said:
    reply = _reply(call)
    if not _is_support(reply):
        return _Said("no verdict", f"The reply to call {call.number} can't be read.")
    if not reply["supported"]:
        return _Said("unsupported", f"Call {call.number} found nothing that supports it.")
    quote = reply["quote"]
    if sum(word.weight for word in weighed_words(quote)) < LEAST:
        return _Said("no verdict", f"Call {call.number} quotes less than three words: {quote!r}.")
    context = next(span.text for span in call.prompt.spans if span.name == "context_str")
    places = Words(str(context)).find(quote)
    if not places:
        return _Said("no verdict", f"Call {call.number} quotes what is not in its text: {quote!r}.")
    evidence = context.slice(*places[0]).origins
    return _Said("supported", f"Call {call.number} quotes {quote!r}.", evidence)


def claim_of(call: PlacedCall) -> str:
    """The claim that a call is about; "" for a call about a whole answer."""
    return next((str(span.text) for span in call.prompt.spans if span.name == "claim"), "")


def _reply(call: CallRecord) -> dict[str, Any]:
    """The JSON object of a reply, with or without text around it; empty where there is none."""
    text = (call.answer or "").rpartition(_THOUGHT)[2]
    try:
        found = json.loads(text[text.find("{") : text.rfind("}") + 1])
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_grade(reply: Mapping[str, Any]) -> bool:
    return reply.get("grade") in ("correct", "partly", "incorrect")


def _is_choice(reply: Mapping[str, Any]) -> bool:
    return type(reply.get("better")) is int and 0 <= reply["better"] <= 2


def _is_support(reply: Mapping[str, Any]) -> bool:
    supported = reply.get("supported")
    return supported is False or (supported is True and isinstance(reply.get("quote"), str))
