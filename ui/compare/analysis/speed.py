"""Which column was faster, and why, as far as the times of its calls tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from synth.calls import CallRecord
from synth.trace import Trace
from synth.wording import counted, duration, listed
from ui.look.escape import Bold

_NOTABLE = 0.9  # of the time of another run: what took more is hardly faster
_AWAITED = 0.5  # seconds: nobody waits for less


def speed(traces: Mapping[str, Trace], base: str) -> list[str]:
    """The sentence on time, of runs by the name of their column; `base` is the reference's.

    First choice is another column with as many calls as the reference of which more ran at
    once, or the other way round; else the slowest and the fastest. Runs with answers that
    were there already tell nothing of time.
    """
    timed = {
        name: trace
        for name, trace in traces.items()
        if trace.calls and not any(call.replayed for call in trace.calls)
    }
    return _at_once(timed, base) or _extremes(timed)


def _at_once(timed: Mapping[str, Trace], base: str) -> list[str]:
    reference = timed.get(base)
    for name, trace in timed.items():
        if reference is None or trace.call_count != reference.call_count:
            continue
        pair = sorted(((trace, name), (reference, base)), key=lambda one: one[0].seconds)
        (fast, quick), (slow, tardy) = pair
        together = most_at_once(fast.calls)
        if _faster(fast, slow) and together > most_at_once(slow.calls):
            return [
                f"{quick} was faster than {tardy} with as many calls:"
                f" {together:,} of its {fast.call_count:,} ran at once."
            ]
    return []


def _faster(one: Trace, other: Trace) -> bool:
    """Whether anybody would notice that one is faster."""
    return other.seconds >= _AWAITED and one.seconds <= _NOTABLE * other.seconds


def most_at_once(calls: Sequence[CallRecord]) -> int:
    """How many calls were on their way at one moment."""
    starts = [(call.started, 1) for call in calls if call.seconds]
    ends = [(call.started + call.seconds, -1) for call in calls if call.seconds]
    going = most = 0
    for _, step in sorted(starts + ends):
        going += step
        most = max(most, going)
    return most


def _extremes(timed: Mapping[str, Trace]) -> list[str]:
    if len(timed) < 2:
        return []
    quick = min(timed, key=lambda name: timed[name].seconds)
    slowest = max(timed.values(), key=lambda trace: trace.seconds)
    if not _faster(timed[quick], slowest):
        return []
    tardy = [name for name, trace in timed.items() if trace.seconds == slowest.seconds]
    chained = slowest.longest_chain == slowest.call_count > 1
    calls = f"{counted(slowest.call_count, 'call')}{', one after the other' if chained else ''}"
    return [
        Bold(f"{listed(tardy)} took longest"),
        f": {duration(slowest.seconds)} for {calls};"
        f" {quick} took {duration(timed[quick].seconds)}.",
    ]
