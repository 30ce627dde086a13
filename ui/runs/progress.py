"""How far runs have come that go on together, in numbers and in words."""

from collections.abc import Sequence

from ui.runs.job import Job

_MINUTE = 60  # seconds


def left_words(jobs: Sequence[Job]) -> str:
    """Say how long these runs still take at their pace: ", about 12 s left"; "" if unknown.

    Answers that were reused took no time.
    """
    left = 0
    sent = 0
    elapsed = 0.0
    for job in jobs:
        answered = job.answered
        if job.running:
            if job.info.planned is None:
                return ""
            left += max(0, job.info.planned - len(answered))
        if began := [call.started for call in answered if not call.replayed]:
            sent += len(began)
            elapsed = max(elapsed, job.seconds - min(began))
    if not sent:
        return ""
    seconds = elapsed / sent * left
    if seconds < 2 * _MINUTE:
        return f", about {seconds:,.0f} s left"
    return f", about {seconds / _MINUTE:,.0f} min left"
