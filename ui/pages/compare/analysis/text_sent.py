"""The text of the chunks that runs send, repeat or cut off, compared with one another."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synth.runs.trace import Plan, Trace
from synth.text.wording import Bold, listed, numbered, short
from synth.words.coverage_words import cut_off_tokens, sends_chunks
from synth.words.provenance import matches

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
    return unsent == _unsent(second) and len(unsent) < _visible(first)


def _unsent(run: Plan | Trace) -> tuple[tuple[int, int, int], ...]:
    """The visible text that is not sent: number of the chunk, first and last character."""
    return tuple(
        (chunk.number, *match.span())
        for chunk in run.coverage
        for part in chunk.stretches
        if not part.calls
        for match in _VISIBLE.finditer(chunk.text, part.start, part.end)
    )


def _visible(run: Plan | Trace) -> int:
    """The number of words of all chunks."""
    return sum(len(_VISIBLE.findall(chunk)) for chunk in run.setup.chunks)


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
