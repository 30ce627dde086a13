"""The sentence on which column was faster, and why, as far as the times of its calls tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from synth.calls import CallRecord
from synth.trace import Trace
from synth.wording import Bold, counted, duration, listed

_NOTABLE = 0.9  # of the time of another run: a run that took more is hardly faster
_AWAITED = 0.5  # seconds: nobody notices a shorter wait


def speed(traces: Mapping[str, Trace], reference: str) -> list[str]:
    """The sentence on time, of runs by the name of their column; `reference` is one of them.

    It prefers a column with as many calls as the reference of which more (or fewer) ran at
    once; otherwise it names the slowest and the fastest. Runs with reused answers are left
    out, since their times say nothing.
    """
    timed = {
        name: trace
        for name, trace in traces.items()
        if trace.calls and not any(call.replayed for call in trace.calls)
    }
    return _faster_in_parallel(timed, reference) or _slowest_and_fastest(timed)


def _faster_in_parallel(timed: Mapping[str, Trace], reference: str) -> list[str]:
    base = timed.get(reference)
    for name, trace in timed.items():
        if base is None or trace.call_count != base.call_count:
            continue
        pair = sorted(((name, trace), (reference, base)), key=lambda named: named[1].seconds)
        (fast_name, fast), (slow_name, slow) = pair
        at_once = most_at_once(fast.calls)
        if _notably_faster(fast, slow) and at_once > most_at_once(slow.calls):
            return [
                f"{fast_name} was faster than {slow_name} with the same number of calls:"
                f" {at_once:,} of its {fast.call_count:,} ran at once."
            ]
    return []


def _notably_faster(fast: Trace, slow: Trace) -> bool:
    """Whether anybody would notice the difference."""
    return slow.seconds >= _AWAITED and fast.seconds <= _NOTABLE * slow.seconds


def most_at_once(calls: Sequence[CallRecord]) -> int:
    """The largest number of calls that were running at one moment."""
    starts = [(call.started, 1) for call in calls if call.seconds]
    ends = [(call.started + call.seconds, -1) for call in calls if call.seconds]
    running = most = 0
    for _, step in sorted(starts + ends):
        running += step
        most = max(most, running)
    return most


def _slowest_and_fastest(timed: Mapping[str, Trace]) -> list[str]:
    if len(timed) < 2:
        return []
    fast_name = min(timed, key=lambda name: timed[name].seconds)
    slow = max(timed.values(), key=lambda trace: trace.seconds)
    if not _notably_faster(timed[fast_name], slow):
        return []
    slow_names = [name for name, trace in timed.items() if trace.seconds == slow.seconds]
    chained = slow.longest_chain == slow.call_count > 1
    calls = f"{counted(slow.call_count, 'call')}{', one after the other' if chained else ''}"
    fast_time = duration(timed[fast_name].seconds)
    return [
        Bold(f"{listed(slow_names)} took longest"),
        f": {duration(slow.seconds)} for {calls}; {fast_name} took {fast_time}.",
    ]
