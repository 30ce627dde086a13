"""The citations of a response, such as [2]: whether chunk 2 exists, was sent, and fits."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from operator import itemgetter
from typing import ClassVar

from synth.runs.trace import Trace
from synth.text.ranking import words

CITATION = re.compile(r"[\[【［](?P<numbers>\d{1,3}(?:\s*[,;，、]\s*\d{1,3})*)[\]】］]")
_SENTENCE_END = re.compile(r"[.!?]\s|[。！？\n]")
_LONGEST = 1_000  # characters of a sentence beside its citation
_MOST = 1_000  # citations of a response
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
        " are compared without their endings, and words such as 'the' don't count. The first"
        f" {_MOST:,} citations are read, each with at most {_LONGEST:,} characters of its sentence."
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
    """The citations of the response in order, at most 1,000; [1, 3] is two of them."""
    response = trace.response or ""
    answers: dict[int, list[tuple[int, int]]] = {}
    for call, *place in answers_in(trace, response):
        answers.setdefault(call, []).append((place[0], place[1]))
    chunk = cache(partial(_chunk, trace))
    every = (
        _citation(found, answers, int(number), *chunk(int(number)))
        for found in CITATION.finditer(response)
        for number in re.findall(r"\d+", found["numbers"])
    )
    return tuple(islice(every, _MOST))


def answers_in(trace: Trace, response: str) -> Iterator[tuple[int, int, int]]:
    """The calls whose answers stand in the response, the last first, and where."""
    for call in reversed(trace.calls):
        answer = (call.answer or "").strip()
        at = response.find(answer) if answer else -1
        while at >= 0:
            yield call.number, at, at + len(answer)
            at = response.find(answer, at + len(answer))


def _chunk(trace: Trace, number: int) -> tuple[tuple[int, ...], frozenset[str] | None]:
    """The calls that carried text of this chunk, and its telling words; None if there is none."""
    if not 1 <= number <= len(trace.setup.chunks):
        return (), None
    stretches = trace.coverage[number - 1].stretches
    calls = tuple(sorted({call for stretch in stretches for call in stretch.calls}))
    return calls, frozenset(words(trace.setup.chunks[number - 1]))


def _citation(
    found: re.Match[str],
    answers: Mapping[int, Sequence[tuple[int, int]]],
    number: int,
    calls: tuple[int, ...],
    there: frozenset[str] | None,
) -> Citation:
    start, end = found.span()
    shared: tuple[str, ...] = ()
    if there is not None:
        claim = words(CITATION.sub(" ", _sentence(found.string, start, end)))
        shared = tuple(dict.fromkeys(word for word in claim if word in there))
    around = (
        call
        for call, places in answers.items()
        if (at := bisect_right(places, start, key=itemgetter(0))) and end <= places[at - 1][1]
    )
    own = next(around, None)
    in_its_call = None if own is None else own in calls
    return Citation(number, start, end, there is not None, calls, in_its_call, shared)


def _sentence(text: str, start: int, end: int) -> str:
    """The sentence that a citation ends; where none stands before it, the one that it begins."""
    before = text[max(0, start - _LONGEST) : start].rstrip(_AFTER_A_SENTENCE)
    begin = max((match.end() for match in _SENTENCE_END.finditer(before)), default=0)
    if CITATION.sub("", before[begin:]).strip():
        return before[begin:]
    after = text[end : end + _LONGEST]
    stop = _SENTENCE_END.search(after)
    return after[: stop.start() if stop else len(after)]
