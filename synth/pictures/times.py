"""The times of a run: its duration, its critical calls, and the shortest possible duration."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from synth.runs.calls import CallRecord
from synth.runs.trace import Trace
from synth.text.wording import Bold, duration

_NEAR_ENOUGH = 0.95
"""The sentence names the shortest possible time only if it is below this share of the real time."""


@dataclass(frozen=True)
class TimelineFacts:
    """The times of a run in seconds; a reused answer takes no time.

    `parallel` is the duration with all calls of a batch at once. `critical` are the numbers of
    the calls that decided the duration: each but the first waited for the one before. `reused`
    has the original duration of each call whose answer was reused, and `edited` the numbers of
    those whose answers a person wrote. `chained` says that no two calls could have been sent at
    once. `began` is when the first call was sent. Of a `recorded` run of another application, which
    call waited for which is not known, only when each was sent.
    """

    seconds: float
    parallel: float
    critical: tuple[int, ...]
    reused: tuple[float, ...]
    chained: bool
    began: float = 0.0
    recorded: bool = False
    edited: Collection[int] = ()

    @property
    def sentence(self) -> list[str]:
        """The facts in words, for `sentence_html`."""
        count, originally = len(self.reused), duration(sum(self.reused))
        answers = "answer was" if count == 1 else "answers were"
        reused = f" {count:,} {answers} reused (originally {originally})." if count else ""
        if not self.critical:
            return [Bold("No call was sent."), reused]
        took = Bold(f"Took {duration(self.seconds)}")
        if self.recorded:
            return [took, "."]
        if self.chained:
            why = ": each call waits for the one before, so nothing can be parallel."
            return [took, why if len(self.critical) > 1 else ".", reused]
        at_once = "every parallelizable call in parallel"
        if self.parallel >= _NEAR_ENOUGH * self.seconds:
            return [took, f" with {at_once}.", reused]
        return [took, f"; with {at_once}, ", Bold(duration(self.parallel)), ".", reused]

    @property
    def key(self) -> str:
        """What the left edge and the dotted lines of the figure are."""
        if self.recorded:
            words = "The recording begins at the left."
            after = " Dotted (┊): the call began when the one before had ended."
            return words + after * (len(self.critical) > 1)
        words = "Run is at the left"
        if self.began:
            later = f"{duration(self.began)} later, once its prompt was packed and counted"
            words += f"; the first call was sent {later}"
        waited = " Dotted (┊): the call waited for the one before." * (len(self.critical) > 1)
        return f"{words}.{waited}"


def timeline_facts(
    trace: Trace, recorded: bool = False, edited: Collection[int] = ()
) -> TimelineFacts:
    """The times of a run; `edited` are the numbers of the calls whose answers a person wrote."""
    sent = [call for call in trace.calls if not call.replayed]
    batches: dict[int, list[float]] = defaultdict(list)
    for call in sent:
        batches[call.depth].append(call.seconds)
    return TimelineFacts(
        trace.seconds,
        sum(map(max, batches.values())),
        _critical(sent),
        tuple(c.seconds for c in trace.calls if c.replayed and c.number not in edited),
        all(len(batch) == 1 for batch in batches.values()),
        min((call.started for call in sent), default=0.0),
        recorded,
        edited,
    )


def _critical(calls: Sequence[CallRecord]) -> tuple[int, ...]:
    """The critical calls, found backwards from the call that ended last.

    Before each of them comes the call that ended last before it began: the call waited for its
    answer, or for its slot among the calls at once.
    """
    path: list[CallRecord] = []
    by_end = sorted(calls, key=_end)
    ends = [_end(call) for call in by_end]
    before = len(ends)  # so many calls, of those by their ends, ended before the last one began
    while before:
        last = by_end[bisect_left(ends, ends[before - 1])]
        path.append(last)
        before = bisect_right(ends, last.started) if last.started < _end(last) else 0
    return tuple(call.number for call in reversed(path))


def _end(call: CallRecord) -> float:
    return call.started + call.seconds
