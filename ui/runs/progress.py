"""How far runs have come that go on together, in numbers and in words."""

from collections.abc import Sequence

from ui.runs.job import Job

_MINUTE = 60  # seconds
_IN_SECONDS = 2 * _MINUTE  # up to here a time is told in seconds


def _seconds_left(jobs: Sequence[Job]) -> float | None:
    """Return the seconds left at the pace so far; None before an answer, and without a plan."""
    left, sent, elapsed = 0, 0, 0.0
    for job in jobs:
        answered = job.answered
        if job.running:
            if job.info.planned is None:
                return None
            left += max(0, job.info.planned - len(answered))
        if began := [call.started for call in answered if not call.replayed]:
            sent += len(began)
            elapsed = max(elapsed, job.seconds - min(began))
    return elapsed / sent * left if sent else None


def left_words(jobs: Sequence[Job]) -> str:
    """The time left, to stand behind something else: ", about 12 s left"; "" if nobody knows."""
    seconds = _seconds_left(jobs)
    if seconds is None:
        return ""
    if seconds < _IN_SECONDS:
        return f", about {seconds:,.0f} s left"
    return f", about {seconds / _MINUTE:,.0f} min left"
