"""What is wrong with a response at first sight, each a class of its own and no score."""

import json
import re
from typing import Literal, NamedTuple

from synth.errors import BadResponse
from synth.pictures.walk import steps_of
from synth.quality.words import Words
from synth.runs.trace import Trace
from synth.text.reference import is_reference

Kind = Literal["unfinished", "empty", "abstained", "cut off", "broken form", "answer lost"]

_WORDS: dict[Kind, str] = {
    "abstained": "says that it can't answer",
    "cut off": "answer cut off",
}
_PARTS = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_ABSTAINS = re.compile(
    r"\b(?:(?:do|does|did)(?:n['’]t| not) (?:know|mention|say|state|specify|contain|include|provide"
    r"|give|answer)|(?:can|could)(?:not|n['’]t| not) (?:answer|be (?:answered|determined|found)"
    r"|determine|find|tell)|(?:un|not )able to (?:answer|determine|find|tell)"
    r"|(?:is|are|was|were)(?:n['’]t| not) (?:mentioned|stated|specified|given|provided|said"
    r"|known|clear from|in the (?:context|text|document))"
    r"|(?:no|not enough|insufficient) (?:information|context|mention|details?|evidence)"
    r"|i have no (?:idea|answer))\b"
    r"|(?:不知道|无法(?:回答|确定|得知|判断)|没有(?:提到|提及|说明|相关|足够)|未(?:提到|提及|说明)"
    r"|不(?:能|足以)(?:回答|确定|判断)|分からない|わかりません|記載(?:が|は)?(?:ない|ありません))",
    re.IGNORECASE,
)


class Flag(NamedTuple):
    """What is wrong, and how it shows, as a sentence."""

    kind: Kind
    reason: str

    @property
    def words(self) -> str:
        """Name the kind in a few words that stand alone."""
        return _WORDS.get(self.kind, self.kind)


def flags(trace: Trace) -> tuple[Flag, ...]:
    """Flag what is wrong with the response; nothing for most."""
    if trace.response is None:
        kind: Kind = "broken form" if trace.error_kind == BadResponse.__name__ else "unfinished"
        return (Flag(kind, trace.error or "The run was stopped before its end."),)
    used = any(call.satisfied and (call.answer or "").strip() for call in trace.calls)
    if not trace.response.strip() or (trace.calls and not used):
        return (Flag("empty", "No call gave a text that was used."),)
    found = [_find_lost(trace), _find_cut_off(trace, trace.response), _find_broken(trace.response)]
    if not is_reference(trace.response):
        found.insert(0, _find_abstained(trace.response))
    return tuple(flag for flag in found if flag is not None)


def _find_lost(trace: Trace) -> Flag | None:
    """Find a call that was to refine an answer and gave a sentence about it instead."""
    if not any(is_reference(call.answer or "") for call in trace.calls):
        return None
    for step in steps_of(trace):
        if step.lost == "refers":
            reason = f"Call {step.number:,} only says that the answer before it stands."
            return Flag("answer lost", reason)
    return None


def _find_abstained(response: str) -> Flag | None:
    parts = [part for part in _PARTS.split(response) if part.strip()]
    sizes = [len(Words(part).words) for part in parts]
    saying = [bool(_ABSTAINS.search(part)) for part in parts]
    said = sum(size for size, says in zip(sizes, saying, strict=True) if says)
    if not saying[0] or 2 * said < sum(sizes):
        return None
    return Flag("abstained", f"It says that it can't answer: {parts[0].strip()!r}.")


def _find_cut_off(trace: Trace, response: str) -> Flag | None:
    answers = {call.number: (call.answer or "").strip() for call in trace.calls}
    shown = {number for number, answer in answers.items() if answer and answer in response}
    last = max((call.number for call in trace.calls), default=0)
    for call in trace.calls:
        if call.is_cut and call.number in (shown or {last}):
            return Flag("cut off", f"The answer of call {call.number} reached its limit.")
    return None


def _find_broken(response: str) -> Flag | None:
    if response.count("```") % 2:
        return Flag("broken form", "It opens a code block and does not close it.")
    text = response.strip()
    if re.match(r"\{\s*[\"}]|\[\s*[\[{\"]", text):
        try:
            json.loads(text)
        except (ValueError, RecursionError) as problem:
            return Flag("broken form", f"It begins as JSON and can't be read: {problem}.")
    return None
