"""The smallest change of the settings under which a fact is sent, found by planning alone."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from synth.errors import SynthError
from synth.quality.facts import Fact, Words
from synth.quality.follow import SentText
from synth.runs.trace import Plan

MOST_SEARCHED = 200_000
"""Characters of chunks that are searched; with so many a search takes more than a second."""
_WIDEST = 64  # times the present window
_SHORTEST = 16  # tokens of an answer
_OVERLAPS = tuple(step / 20 for step in range(11))


@dataclass(frozen=True)
class Choice:
    """The settings that decide what is sent; the window and the answer length in tokens.

    `similarity_top_k` of the chunks are sent, the best for the question first; with None all, as
    listed.
    """

    mode: str
    context_window: int
    num_output: int
    chunk_overlap_ratio: float
    similarity_top_k: int | None = None


@dataclass(frozen=True)
class Change:
    """A choice under which the fact is sent, whatever answers of up to num_output tokens say.

    `call` is the first that carries it; `calls` and `prompt_tokens` are those of a run with
    long answers. That an answer holds the fact is not promised.
    """

    before: Choice
    after: Choice
    calls: int
    prompt_tokens: int
    call: int

    @property
    def size(self) -> float:
        """Add up the shares by which limits change.

        Another mode or order counts as a limit that doubles.
        """
        before, after = self.before, self.after
        size = abs(after.context_window - before.context_window) / before.context_window
        size += abs(after.num_output - before.num_output) / max(before.num_output, 1)
        size += abs(after.chunk_overlap_ratio - before.chunk_overlap_ratio) + (
            after.mode != before.mode
        )
        if after.similarity_top_k is None or before.similarity_top_k is None:
            return size + (after.similarity_top_k != before.similarity_top_k)
        return (
            size + abs(after.similarity_top_k - before.similarity_top_k) / before.similarity_top_k
        )


PlansOf = Callable[[Choice], Sequence[Plan]]
"""The plans of a choice, with the shortest and with the longest answers; SynthError for none."""


def smallest_changes(
    fact: Fact, choice: Choice, plans_of: PlansOf, modes: Iterable[str], chunks: int
) -> tuple[Change, ...]:
    """Find the changes of one setting each under which a fact is sent that is not sent now.

    The smallest comes first; of the `modes` only that with the fewest prompt tokens is given.
    `chunks` is how many there are to choose from. Limits are found by bisection: where the fact
    is sent at some larger windows and not at others, there may be a nearer one. If no change of
    one setting does, more chunks are retrieved as well. None are given where the fact is in no
    chunk, where it is sent already, and where nothing helps.
    """
    search = _Search(fact, choice, plans_of)
    if search.sends(choice):
        return ()
    changes = [*search.single(choice, modes, chunks)]
    if not changes and choice.similarity_top_k is not None:
        retrieved = search.nearest(choice, "similarity_top_k", chunks, search.retrieves)
        if retrieved is not None:
            changes = [*search.single(retrieved, modes, chunks)]
    return tuple(sorted(changes, key=lambda change: change.size))


class _Search:
    """Plans choices, each once, and looks whether they send the fact."""

    def __init__(self, fact: Fact, choice: Choice, plans_of: PlansOf) -> None:
        self._fact = fact
        self._before = choice
        self._plans_of = plans_of
        self.change = cache(self._change)
        self._read = cache(Words)

    def single(self, base: Choice, modes: Iterable[str], chunks: int) -> Iterator[Change]:
        """Yield the changes of one setting of `base` under which the fact is sent."""
        others = (self.change(replace(base, mode=mode)) for mode in modes if mode != base.mode)
        cheapest = min(filter(None, others), key=lambda each: each.prompt_tokens, default=None)
        overlaps = sorted(_OVERLAPS, key=lambda overlap: abs(overlap - base.chunk_overlap_ratio))
        by_overlap = (
            self.change(replace(base, chunk_overlap_ratio=overlap)) for overlap in overlaps
        )
        changes = [
            self._limit(base, "context_window", _WIDEST * base.context_window),
            self._limit(base, "num_output", min(_SHORTEST, base.num_output)),
            next(filter(None, by_overlap), None),
            self.change(
                replace(base, similarity_top_k=chunks if base.similarity_top_k is None else None)
            ),
            cheapest,
        ]
        if base.similarity_top_k is not None:
            changes.append(self._limit(base, "similarity_top_k", chunks))
        return filter(None, changes)

    def _limit(self, base: Choice, name: str, end: int) -> Change | None:
        nearest = self.nearest(base, name, end, self.sends)
        return None if nearest is None else self.change(nearest)

    def nearest(
        self, base: Choice, name: str, end: int, good: Callable[[Choice], bool]
    ) -> Choice | None:
        """Find the nearest good choice: steps double until one is passed, then are halved."""

        def at(limit: int) -> Choice:
            changed: dict[str, Any] = {name: limit}
            return replace(base, **changed)

        present: int = getattr(base, name)
        sign = 1 if end > present else -1
        bad, step = present, 1
        while bad != end:
            tried = present + sign * min(step, abs(end - present))
            if good(at(tried)):
                while abs(tried - bad) > 1:
                    middle = (tried + bad) // 2
                    tried, bad = (middle, bad) if good(at(middle)) else (tried, middle)
                return at(tried)
            bad, step = tried, 2 * step
        return None

    def sends(self, choice: Choice) -> bool:
        """Return whether the fact is sent."""
        return self.change(choice) is not None

    def retrieves(self, choice: Choice) -> bool:
        """Return whether the fact stands in the chunks that are given."""
        plans = self._plans(choice)
        return bool(plans) and bool(self._sent_text(plans[0]).sending(self._fact).places)

    def _change(self, choice: Choice) -> Change | None:
        """Make the change to this choice; None if the fact is not certain to be sent then."""
        plans = self._plans(choice)
        if not plans:
            return None
        # A text that goes out whole beside the shortest and the longest answer does so beside all.
        pieces = [dict(self._sent_text(plan).pieces(self._fact)) for plan in plans]
        whole = set.intersection(*map(set, pieces))
        if not whole:
            return None
        longest = plans[-1]
        call = min(pieces[-1][piece] for piece in whole)
        return Change(self._before, choice, longest.call_count, longest.prompt_tokens, call)

    def _plans(self, choice: Choice) -> Sequence[Plan]:
        try:
            plans = self._plans_of(choice)
        except SynthError:
            return ()
        return () if any(plan.problem for plan in plans) else plans

    def _sent_text(self, plan: Plan) -> SentText:
        return SentText(plan.setup, plan.calls, self._read)
