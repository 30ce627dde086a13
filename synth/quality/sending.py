"""Which prompts carry a fact, read from the origins of their text: exact, with offsets."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from synth.prompts.kinds import SpanKind
from synth.quality.facts import Fact
from synth.quality.words import Word, Words
from synth.runs.calls import PlacedCall, Setup
from synth.text.spans import Origin, SourceKind

PlaceKind = Literal["listed", "chunk", "answer", "response"]


class TextPlace(NamedTuple):
    """Characters `start` to `end` of a text of this kind.

    "listed" is a chunk of the list that was retrieved from, "chunk" one that the run was given,
    "answer" that of a call, each by its `number` from 1; "response" is the final answer.
    """

    kind: PlaceKind
    number: int
    start: int
    end: int


class CallEnd(NamedTuple):
    """Where the text of a call ends before a fact: at character `at` of `chunk`.

    The last token of the fact is `tokens` further on.
    """

    call: int
    chunk: int
    at: int
    tokens: int


@dataclass(frozen=True)
class Sending:
    """The `places` of a fact in the chunks of a run, and the `calls` that carry one of them whole.

    `read` are those of the calls whose server did not cut it off (synth/runs/counts.py).
    Where no call does, `parts` are the calls that carry some words of the first; `cut` is where the
    text before it ends, None if nothing before it is sent.
    """

    places: tuple[TextPlace, ...]
    calls: tuple[int, ...] = ()
    parts: tuple[int, ...] = ()
    cut: CallEnd | None = None
    read: tuple[int, ...] = ()


class _Carried(NamedTuple):
    """Characters `start` to `end` of a chunk or an answer, in the prompt of a call."""

    call: int
    start: int
    end: int

    def has(self, word: Word) -> bool:
        """Return whether all of a word is among them."""
        return self.start <= word.start and word.end <= self.end


Stretch = tuple[Word, ...]
FactMatch = tuple[int, Stretch]
"""The number of a text, and the words of a fact in it."""
Piece = tuple[object, ...]
"""What a call carries of a chunk: its number, and the first and last character of each part."""


class SentText:
    """The chunk text and the answers in the prompts of a run or a plan.

    A fact counts as sent where one prompt has all words of one of its places, in the order of
    the chunk. If a chunk is cut in the middle of a fact, so that its words go out in two calls,
    the fact is not sent: no model reads it whole. `read` may remember the words of texts; `unread`
    has what the server cut off, by the number of the call.
    """

    def __init__(
        self,
        setup: Setup,
        calls: Iterable[PlacedCall],
        read: Callable[[str], Words] = Words,
        unread: Mapping[int, Iterable[Origin]] | None = None,
    ) -> None:
        self._setup = setup
        self._unread = unread or {}
        self._find = cache(Texts(setup.chunks, read).find)
        carried: dict[tuple[SourceKind, int], list[_Carried]] = defaultdict(list)
        self._rewritten: list[tuple[int, Words]] = []
        for call in calls:
            for kind, number, start, end in call.origins:
                carried[kind, number].append(_Carried(call.number, start, end))
            self._rewritten += [
                (call.number, Words(str(span.text)))
                for span in call.prompt.spans
                if span.kind is SpanKind.CONTEXT and not span.text.placed
            ]
        self._carried = dict(carried)

    @property
    def sends_chunks(self) -> bool:
        """Return whether any prompt has text of a chunk."""
        return bool(self._rewritten) or any(kind == "chunk" for kind, _ in self._carried)

    def sending(self, fact: Fact) -> Sending:
        """Find where the fact stands in the chunks, and which calls carry it."""
        matches = self._find(fact)
        places = tuple(place_of("chunk", *match) for match in matches)
        calls = sorted({call for _, call in self.pieces(fact)})
        if calls or not matches:
            read = (call for call in calls if self._is_read(call, matches))
            return Sending(places, tuple(calls), read=tuple(read))
        number, stretch = matches[0]
        parts = {
            piece.call
            for piece in self._carried.get(("chunk", number), ())
            if any(piece.start < word.end and word.start < piece.end for word in stretch)
        }
        return Sending(places, (), tuple(sorted(parts)), self._cut(places[0]))

    def pieces(self, fact: Fact) -> Iterator[tuple[Piece, int]]:
        """Yield the pieces of text that carry the fact whole, each with its call."""
        for number, stretch in self._find(fact):
            for call, carried in self.carriers("chunk", number, stretch).items():
                yield (number, *((piece.start, piece.end) for piece in carried)), call
        # The text that a function of a template made of the chunks has no origins.
        for call, words in self._rewritten:
            if find_stretches(fact, words):
                yield (words.text,), call

    def carriers(
        self, kind: SourceKind, number: int, stretch: Stretch
    ) -> dict[int, list[_Carried]]:
        """Find the calls whose prompt has all these words of a text, and its parts."""
        by_call: dict[int, list[_Carried]] = defaultdict(list)
        for piece in self._carried.get((kind, number), ()):
            by_call[piece.call].append(piece)
        return {
            call: carried
            for call, carried in by_call.items()
            if all(any(piece.has(word) for piece in carried) for word in stretch)
        }

    def readers(self, answer: int) -> list[int]:
        """List the calls whose prompt has text of the answer of this number."""
        return sorted({piece.call for piece in self._carried.get(("answer", answer), ())})

    def _is_read(self, call: int, matches: list[FactMatch]) -> bool:
        """Whether the server of a call that carries the fact read one of its places whole."""
        return any(
            call in self.carriers("chunk", *match) and not self.is_cut(call, "chunk", *match)
            for match in matches
        ) or any(number == call for number, _ in self._rewritten)

    def is_cut(self, call: int, kind: SourceKind, number: int, stretch: Stretch) -> bool:
        """Return whether a call's server cut off some of these words of a chunk or an answer."""
        return any(
            (origin.kind, origin.number) == (kind, number)
            and origin.start < word.end
            and word.start < origin.end
            for origin in self._unread.get(call, ())
            for word in stretch
        )

    def _cut(self, place: TextPlace) -> CallEnd | None:
        """Find where the last text ends that was sent before a place."""
        before = [
            (number, piece)
            for (kind, number), carried in self._carried.items()
            for piece in carried
            if kind == "chunk" and (number, piece.start) <= (place.number, place.start)
        ]
        if not before:
            return None
        chunk, piece = max(before, key=lambda pair: (pair[0], pair[1].end))
        unsent = [*self._setup.chunks[chunk - 1 : place.number]]
        unsent[-1] = unsent[-1][: place.end]
        unsent[0] = unsent[0][piece.end :]
        return CallEnd(piece.call, chunk, piece.end, self._setup.tokenizer.count("\n".join(unsent)))


def find_stretches(fact: Fact, words: Words) -> list[Stretch]:
    """Find all wordings of a fact in a text, in order; of overlapping ones the longest."""
    places = sorted(
        (place for wording in fact.accepted for place in words.ranges(wording)),
        key=lambda place: (place[0], -place[1]),
    )
    longest: list[tuple[int, int]] = []
    for first, end in places:
        if not longest or first >= longest[-1][1]:
            longest.append((first, end))
    return [words.words[first:end] for first, end in longest]


def place_of(kind: PlaceKind, number: int, stretch: Stretch) -> TextPlace:
    """Make the place of a stretch of words."""
    return TextPlace(kind, number, stretch[0].start, stretch[-1].end)


class Texts:
    """Texts that are numbered from 1, in which facts are found; `read` may remember their words."""

    def __init__(self, texts: Sequence[str], read: Callable[[str], Words] = Words) -> None:
        self._texts = [read(text) for text in texts]

    def find(self, fact: Fact) -> list[FactMatch]:
        """Find a fact; one that begins in one text and ends in the next is in neither."""
        return [
            (number, stretch)
            for number, words in enumerate(self._texts, 1)
            for stretch in find_stretches(fact, words)
        ]

    def places(self, kind: PlaceKind, fact: Fact) -> tuple[TextPlace, ...]:
        """Find a fact, each time as a place."""
        return tuple(place_of(kind, *match) for match in self.find(fact))
