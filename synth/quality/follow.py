"""Where a fact was lost on its way from the chunks through the calls into the final answer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Literal

from synth.quality.facts import Fact
from synth.quality.sending import (
    CallEnd,
    Sending,
    SentText,
    Stretch,
    TextPlace,
    Texts,
    find_stretches,
    place_of,
)
from synth.quality.words import Words
from synth.runs.trace import Trace

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
    it); the "server" of the call cut it off, also of an answer (synth/runs/counts.py: inferred from
    counts); its words went out in different calls ("split"); the mode sends no chunks; the call
    left it out; no call or response used the answer that held it ("unused"); the run ended
    early. `call` is the number of the call where it was lost, or last seen. `evidence` are the
    places of the last text that has it; `cut` is where the text that was sent ends before it.

    `sent` and `answers` are the numbers of the calls that carry it, and whose answers hold it;
    `chunks` those of the chunks that have it. Chunks and prompts are exact. Answers are compared by
    words (synth/quality/words.py): one that says the fact in other words counts as one that leaves
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
        self._listed = Texts(retrieved_from or (), read)
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
        listed = self._listed.places("listed", fact)
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
