"""Where a fact was lost on its way from the chunks through the calls into the final answer.

Which prompts carry it is read from the origins of their text: exact, with offsets.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain
from typing import Literal, NamedTuple

from synth.prompts.prompt import SpanKind
from synth.quality.facts import Fact, Word, Words
from synth.runs.calls import PlacedCall, Setup
from synth.runs.trace import Trace
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
    """Where a call's text ends: at character `at` of `chunk`, `tokens` before the end of a fact."""

    call: int
    chunk: int
    at: int
    tokens: int


@dataclass(frozen=True)
class Sending:
    """The `places` of a fact in the chunks of a run, and the `calls` that carry one of them whole.

    `read` are those of the calls whose server did not cut it off (synth/runs/coverage.py).
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
        self._find = cache(partial(find_in, [read(chunk) for chunk in setup.chunks]))
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


def find_in(texts: Sequence[Words], fact: Fact) -> list[FactMatch]:
    """Find a fact in texts; one that begins in one text and ends in the next is in neither."""
    return [
        (number, stretch)
        for number, words in enumerate(texts, 1)
        for stretch in find_stretches(fact, words)
    ]


Stage = Literal[
    "absent",
    "not_retrieved",
    "not_sent",
    "not_read",
    "not_answered",
    "dropped",
    "answered",
]
Why = Literal["cut", "split", "no_chunks", "left_out", "unused", "unfinished", "server"]


@dataclass(frozen=True)
class FactPath:
    """How far a fact came in a run, and where it was lost.

    `stage`: it is in no chunk ("absent"); in none that was retrieved; in no prompt; in none that a
    server read ("not_read"); in the answer of no call; in an answer, but not in the final one
    ("dropped"); in the final answer. What a model says without having read it is "answered" too,
    and `sent` is then empty.

    `why` it was lost: the window cut it off ("cut", also an answer before the next call read
    it); the "server" of the call cut it off, also of an answer (inferred from
    counts); its words went out in different calls ("split"); the mode sends no chunks; the call
    left it out; no call or response used the answer that held it ("unused"); the run ended
    early. `call` is the number of the call where it was lost, or last seen. `evidence` are the
    places of the last text that has it; `cut` is where the text that was sent ends before it.

    `sent` and `answers` are the numbers of the calls that carry it, and whose answers hold it;
    `chunks` those of the chunks that have it. Chunks and prompts are exact. Answers are compared by
    words (synth/quality/facts.py): one that says the fact in other words counts as one that leaves
    it out, and one that denies it in its words as one that holds it.
    """

    fact: Fact
    stage: Stage
    call: int | None = None
    why: Why | None = None
    evidence: tuple[TextPlace, ...] = ()
    sent: tuple[int, ...] = ()
    answers: tuple[int, ...] = ()
    cut: CallEnd | None = None
    chunks: tuple[int, ...] = ()


def follow(fact: Fact, trace: Trace, retrieved_from: Sequence[str] | None = None) -> FactPath:
    """Follow one fact through a run.

    `retrieved_from` are all chunks, where the run was given only those that were retrieved.
    """
    return Follower(trace, retrieved_from).path(fact)


class Follower:
    """Follows any number of facts through one run; `retrieved_from` as in `follow`."""

    def __init__(self, trace: Trace, retrieved_from: Sequence[str] | None = None) -> None:
        self._trace = trace
        read = cache(Words)  # what was retrieved stands in both lists
        self._listed = [read(chunk) for chunk in retrieved_from or ()]
        self._calls = {call.number: call for call in trace.calls}
        self._text = SentText(trace.setup, trace.calls, read, trace.unread)
        self._answers = {call.number: Words(call.answer or "") for call in trace.calls}
        self._response = Words(trace.response or "")

    def path(self, fact: Fact) -> FactPath:
        """Follow this fact."""
        sending = self._text.sending(fact)
        every = ((number, find_stretches(fact, words)) for number, words in self._answers.items())
        holders = {number: stretches for number, stretches in every if stretches}
        chunks = tuple(sorted({place.number for place in sending.places}))
        return replace(self._path(fact, sending, holders), chunks=chunks)

    def _path(self, fact: Fact, sending: Sending, holders: dict[int, list[Stretch]]) -> FactPath:
        if response := find_stretches(fact, self._response):
            places = tuple(place_of("response", 0, stretch) for stretch in response)
            last = max(holders, default=None)
            return FactPath(fact, "answered", last, None, places, sending.calls, tuple(holders))
        if holders:
            return self._dropped(fact, sending, holders)
        if sending.calls:
            return self._not_answered(fact, sending)
        if sending.places:
            return self._not_sent(fact, sending)
        listed = tuple(place_of("listed", *match) for match in find_in(self._listed, fact))
        return FactPath(fact, "not_retrieved" if listed else "absent", evidence=listed)

    def _dropped(self, fact: Fact, sending: Sending, holders: dict[int, list[Stretch]]) -> FactPath:
        """Blame the last call that read the last answer which holds the fact.

        An earlier reader gave a reply that was not used, so that a later one read it again.
        """
        last = max(holders, key=lambda number: (self._calls[number].depth, number))
        stretches = holders[last]
        call = last
        why: Why = "unused"
        readers = self._text.readers(last)
        if readers:
            call = readers[-1]
            carriers = (self._text.carriers("answer", last, stretch) for stretch in stretches)
            why = "left_out" if call in chain.from_iterable(carriers) else "cut"
            if all(self._text.is_cut(call, "answer", last, stretch) for stretch in stretches):
                why = "server"
        if self._trace.response is None and (not readers or self._calls[call].answer is None):
            call, why = last, "unfinished"
        places = tuple(place_of("answer", last, stretch) for stretch in stretches)
        return FactPath(fact, "dropped", call, why, places, sending.calls, tuple(holders))

    def _not_answered(self, fact: Fact, sending: Sending) -> FactPath:
        if not sending.read:
            number = sending.calls[-1]
            return FactPath(fact, "not_read", number, "server", sending.places, sending.calls)
        last = self._calls[sending.read[-1]]
        why: Why = "left_out" if last.answer is not None else "unfinished"
        return FactPath(fact, "not_answered", last.number, why, sending.places, sending.calls)

    def _not_sent(self, fact: Fact, sending: Sending) -> FactPath:
        why: Why = "cut" if self._text.sends_chunks else "no_chunks"
        if len(sending.parts) > 1:
            why = "split"
        elif self._trace.response is None:
            why = "unfinished"
        call = None
        if sending.cut is not None and why in ("cut", "split"):
            call = sending.cut.call
        return FactPath(fact, "not_sent", call, why, sending.places, cut=sending.cut)
