"""The text of the chunks that runs send, repeat or cut off, compared; what fails for want of it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from synth.quality import Fact, FactPath, Follower
from synth.runs.trace import Plan, Trace
from synth.text.wording import Bold, counted, listed, numbered, short
from synth.words.coverage_words import cut_off_tokens, sends_chunks
from synth.words.provenance import matches
from ui.pages.compare.cells import Cell
from ui.pages.compare.comparison import Comparison

_VISIBLE = re.compile(r"\S+")
_QUOTED = 64  # characters of an answer that a sentence quotes


def repeated_tokens(run: Plan | Trace) -> int:
    """Tokens of the parts of chunks that several calls carry."""
    return sum(chunk.repeated_tokens for chunk in run.coverage)


def send_the_same_text(first: Plan | Trace, second: Plan | Trace) -> bool:
    """Whether both send the same characters of the same chunks, apart from white space."""
    if first.setup.chunks != second.setup.chunks:
        return False
    unsent = _unsent(first)
    words = sum(len(_VISIBLE.findall(chunk)) for chunk in first.setup.chunks)
    return unsent == _unsent(second) and len(unsent) < words


def _unsent(run: Plan | Trace) -> tuple[tuple[int, int, int], ...]:
    """The visible text that is not sent: number of the chunk, first and last character."""
    return tuple(
        (chunk.number, *match.span())
        for chunk in run.coverage
        for part in chunk.stretches
        if not part.calls
        for match in _VISIBLE.finditer(chunk.text, part.start, part.end)
    )


def unread(run: Plan | Trace) -> tuple[int, ...]:
    """The numbers of the chunks that were cut off as a whole."""
    if not sends_chunks(run):
        return ()
    return tuple(
        chunk.number
        for chunk in run.coverage
        if chunk.text.strip() and not any(part.calls for part in chunk.stretches)
    )


@dataclass(frozen=True)
class _Quote:
    """Words of the answer of a column, with the number of the chunk that they stand in."""

    name: str
    chunk: int
    text: str


def missed(traces: Mapping[str, Trace]) -> list[str]:
    """The sentence on the run that cut off most: the chunks that it misses, who quotes them.

    Only whole chunks count that were cut off. A chunk is quoted where words of an answer stand
    in it and in no other chunk.
    """
    cut = {name: trace for name, trace in traces.items() if unread(trace)}
    name = max(cut, key=lambda name: cut_off_tokens(cut[name]), default=None)
    if name is None:
        return []
    chunks, numbers = cut[name].setup.chunks, unread(cut[name])
    others = [
        quote
        for other, trace in traces.items()
        if other != name and trace.setup.chunks == chunks
        for quote in _quotes(other, trace.response or "", chunks, numbers)
    ]
    own = {quote.chunk for quote in _quotes(name, cut[name].response or "", chunks, numbers)}
    return _missed(name, numbers, [quote for quote in others if quote.chunk not in own])


def _missed(name: str, numbers: Sequence[int], quotes: Sequence[_Quote]) -> list[str]:
    """The sentence, on the chunks that most of the other answers quote."""
    readers = {chunk: {q.name for q in quotes if q.chunk == chunk} for chunk in numbers}
    most = max(map(len, readers.values()))
    told = [chunk for chunk, names in readers.items() if len(names) == most]
    were = "it was" if len(told) == 1 else "they were"
    if not most:
        return [Bold(f"{name} never saw {numbered('chunk', told)}"), f": {were} cut off."]
    first = next(quote for quote in quotes if quote.chunk in told)
    names = dict.fromkeys(quote.name for quote in quotes if quote.chunk in told)
    verb = "quotes" if len(names) == 1 else "quote"
    return [
        Bold(f"{name} misses {numbered('chunk', told)}"),
        f", which {listed([*names])} {verb} (“{_shortened(first.text)}”): {were} cut off.",
    ]


def _shortened(quote: str) -> str:
    """The first words of a quote; Chinese has no spaces to end at."""
    cut = short(quote, _QUOTED)
    return cut if cut == quote or " " not in cut else f"{cut.rsplit(' ', 1)[0]} …"


def _quotes(name: str, answer: str, chunks: Sequence[str], numbers: Sequence[int]) -> list[_Quote]:
    """The quotes from the chunks of these numbers, in the order of the answer."""
    texts = [chunks[number - 1] for number in numbers]
    others = [chunk.lower() for number, chunk in enumerate(chunks, 1) if number not in set(numbers)]
    found = []
    for start, end, position in matches(answer, texts):
        words = answer[start:end]
        if position is not None and not any(words.lower() in other for other in others):
            found.append(_Quote(name, numbers[position - 1], words))
    return found


_Paths = list[FactPath]


class CutFailures(NamedTuple):
    """The questions that one column fails and another passes, some for text that was never sent."""

    column: str
    questions: Sequence[int]
    sentence: list[str]


def cut_failures(comparison: Comparison, listed_chunks: Sequence[str]) -> CutFailures | None:
    """The column that fails most questions, which another passes, for text that it cut off."""
    found = []
    for name, questions in comparison.failures().items():
        cells = [cell for at in questions for cell in comparison.row(at) if cell.name == name]
        if any(cell.trace and cut_off_tokens(cell.trace) for cell in cells):
            paths = [_missing_paths(cell, listed_chunks) for cell in cells]
            unsent = [one for one in paths if _never_sent(one)]
            if unsent:
                sentence = _failed(name, paths, unsent)
                found.append((len(unsent), CutFailures(name, questions, sentence)))
    return max(found, key=lambda one: one[0], default=(0, None))[1]


def _missing_paths(cell: Cell, listed_chunks: Sequence[str]) -> _Paths:
    """The paths of the facts that the answer in a cell needs and does not hold."""
    if cell.trace is None or cell.judged is None:
        return []
    follower = Follower(cell.trace, listed_chunks)
    return [
        follower.path(one.expected)
        for one, outcome in cell.judged.results
        if one.needed and outcome.state == "fail" and isinstance(one.expected, Fact)
    ]


def _never_sent(paths: _Paths) -> _Paths:
    return [path for path in paths if path.stage == "not_sent"]


def _failed(name: str, paths: Sequence[_Paths], unsent: Sequence[_Paths]) -> list[str]:
    """How many of the questions ask for unsent text, where it stands, and what of the others."""
    chunks = {
        place.number for one in unsent for path in _never_sent(one) for place in path.evidence
    }
    total = counted(len(paths), "question")
    asks = "asks" if len(unsent) == 1 else "ask"
    failed = f"that {name} fails and another passes {asks} for text that it never"
    head = f"{len(unsent):,} of the {total} {failed}"
    if len(unsent) == len(paths):
        head = f"All {total} {failed}" if len(paths) > 1 else f"The question {failed}"
    rest = [one for one in paths if not _never_sent(one)]
    sent = rest and all(one and all(path.sent for path in one) for one in rest)
    others = "; what the others ask for was sent and left out of the answers" if sent else ""
    return [
        Bold(f"{head} sent."),
        f" It stands in {numbered('chunk', chunks)}, which its window cut off{others}.",
    ]
