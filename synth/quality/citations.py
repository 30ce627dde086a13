"""The citations of a response, such as [2]: whether chunk 2 exists, was sent, and fits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from synth.ranking import words
from synth.trace import Trace

CITATION = re.compile(r"[\[【［](?P<numbers>\d{1,3}(?:\s*[,;，、]\s*\d{1,3})*)[\]】］]")
_SENTENCE_END = re.compile(r"[.!?]\s|[。！？\n]")
_AFTER_A_SENTENCE = " \t\n.!?。！？"


@dataclass(frozen=True)
class Citation:
    """Chunk `number` is cited at characters `start` to `end` of the response.

    `calls` are those that carried text of the chunk. `in_its_call` says whether the call that
    wrote the citation is one of them; None where no call's answer stands in the response.
    `shared` are the telling words that the cited sentence and the chunk have in common.
    """

    number: int
    start: int
    end: int
    exists: bool
    calls: tuple[int, ...]
    in_its_call: bool | None
    shared: tuple[str, ...]

    formula: ClassVar[str] = (
        "[n] names the n-th chunk of the run. That chunk was sent if a call carried characters"
        " of it. The call of a citation is the last one whose whole answer stands in the response"
        " around it. The sentence of a citation is the one that it ends, or begins; shared words"
        " are compared without their endings, and words such as 'the' don't count."
    )

    @property
    def problem(self) -> str | None:
        """What is wrong with the citation; None if nothing is."""
        if not self.exists:
            return f"[{self.number}] names no chunk of this run"
        if not self.calls:
            return f"[{self.number}] names a chunk that no call carried"
        return None


def citations(trace: Trace) -> tuple[Citation, ...]:
    """The citations of the response in order; [1, 3] is two of them."""
    response = trace.response or ""
    answers = list(answers_in(trace, response))
    return tuple(
        _citation(trace, int(number), found, answers)
        for found in CITATION.finditer(response)
        for number in re.findall(r"\d+", found["numbers"])
    )


def answers_in(trace: Trace, response: str) -> Iterator[tuple[int, int, int]]:
    """The calls whose answers stand in the response, the last first, and where."""
    for call in reversed(trace.calls):
        answer = (call.answer or "").strip()
        at = response.find(answer) if answer else -1
        while at >= 0:
            yield call.number, at, at + len(answer)
            at = response.find(answer, at + len(answer))


def _citation(
    trace: Trace, number: int, found: re.Match[str], answers: list[tuple[int, int, int]]
) -> Citation:
    start, end = found.span()
    exists = 1 <= number <= len(trace.setup.chunks)
    calls: tuple[int, ...] = ()
    shared: tuple[str, ...] = ()
    if exists:
        stretches = trace.coverage[number - 1].stretches
        calls = tuple(sorted({call for stretch in stretches for call in stretch.calls}))
        there = set(words(trace.setup.chunks[number - 1]))
        claim = words(CITATION.sub(" ", _sentence(found.string, start, end)))
        shared = tuple(dict.fromkeys(word for word in claim if word in there))
    own = next((call for call, first, last in answers if first <= start and end <= last), None)
    return Citation(
        number, start, end, exists, calls, None if own is None else own in calls, shared
    )


def _sentence(text: str, start: int, end: int) -> str:
    """The sentence that a citation ends; where none stands before it, the one that it begins."""
    before = text[:start].rstrip(_AFTER_A_SENTENCE)
    begin = max((match.end() for match in _SENTENCE_END.finditer(before)), default=0)
    if CITATION.sub("", before[begin:]).strip():
        return before[begin:]
    stop = _SENTENCE_END.search(text, end)
    return text[end : stop.start() if stop else len(text)]
