"""Both counts of each prompt, ours and its server's: whether they agree, and by how much not.

Counts alone tell little: a server that counts more has another tokenizer, puts a chat template
around the prompt, or both. A straight line through the calls says about how much of each. Where
the server read less than it was sent is for cuts.py to decide.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from synth.runs.calls import CallRecord
from synth.runs.cuts import CallCounts, Cut, find_cut
from synth.text.specs import Correction

_FEWEST = 3  # calls of different lengths, for a line
_SPREAD = 0.1  # least difference of their lengths, as a share of the longest
_PERCENTS = range(40, 261)  # of a tokenizer's count, that another's may be: measured 49 to 232


class Line(NamedTuple):
    """About what a server counts; the count of no call was further from it than `miss` tokens."""

    correction: Correction
    miss: int = 0

    def of(self, tokens: int) -> int:
        """About what the server counts where we count so many `tokens`; rounded up."""
        return self.correction.per_call + self.correction.of(tokens)


@dataclass(frozen=True)
class Counts:
    """The counts of the calls of a run that got a reply with a count of its prompt.

    `sure` is whether ours should be the server's own; `silent` the number of calls whose replies
    had none. `cut` says which prompts the server read less of than it was sent.
    """

    calls: tuple[CallCounts, ...]
    sure: bool = False
    silent: int = 0
    cut: Cut | None = None

    @property
    def same(self) -> int:
        """In how many calls both counts are equal."""
        return sum(call.ours == call.theirs for call in self.calls)

    @property
    def equal(self) -> bool:
        """Whether the server counted, and the same in all calls."""
        return bool(self.calls) and self.same == len(self.calls)

    @property
    def ours(self) -> int:
        """Our count of all these prompts."""
        return sum(call.ours for call in self.calls)

    @property
    def theirs(self) -> int:
        """The server's count of all these prompts."""
        return sum(call.theirs for call in self.calls)

    @cached_property
    def line(self) -> Line | None:
        """The correction that the calls which were not cut speak for.

        None where they are equal, or nothing can be learned of them.
        """
        cut = () if self.cut is None else self.cut.calls
        whole = [call for call in self.calls if call.number not in cut]
        if all(call.ours == call.theirs for call in whole):
            return None
        return line_through([(call.ours, call.theirs) for call in whole])


def counts_of(calls: Iterable[CallRecord], sure: bool, window: int) -> Counts:
    """Both counts of these calls.

    `sure` is whether ours should be the server's own: by its tokenizer, with its chat template;
    `window` the one that was planned for, in tokens. Answers that were reused count as they did
    when they were given.
    """
    received = [call for call in calls if call.received]
    counted = tuple(
        CallCounts(
            call.number, call.prompt_tokens, call.reported_prompt_tokens, hash(call.prompt.text)
        )
        for call in received
        if call.reported_prompt_tokens is not None
    )
    return Counts(counted, sure, len(received) - len(counted), find_cut(counted, sure, window))


def line_through(pairs: Sequence[tuple[int, int]]) -> Line | None:
    """The line that comes nearest to pairs of our count and the server's, by least squares.

    Pairs of about one length say nothing of what each call has more: they give a share alone.
    None for counts that no tokenizer can have given.
    """
    ours, theirs = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    if not pairs or not sum(ours):
        return None
    slope = _slope(ours, theirs)
    if slope is not None:
        percent = _up(slope)
        per_call = _up(sum(theirs) / len(pairs) - percent * sum(ours) / len(pairs) / 100, 1)
        if per_call >= 0 and percent in _PERCENTS:
            return _measured(per_call, percent, pairs)
    percent = _up(sum(theirs) / sum(ours))
    return _measured(0, percent, pairs) if percent in _PERCENTS else None


def _slope(ours: Sequence[int], theirs: Sequence[int]) -> float | None:
    """The slope of the line; None where the lengths are too few or too much alike."""
    if len(set(ours)) < _FEWEST or max(ours) - min(ours) < _SPREAD * max(ours):
        return None
    middle, level = sum(ours) / len(ours), sum(theirs) / len(theirs)
    along = sum((x - middle) * (y - level) for x, y in zip(ours, theirs, strict=True))
    return along / sum((x - middle) ** 2 for x in ours)


def _up(number: float, parts: int = 100) -> int:
    """The number in so many parts of one, rounded up but for what arithmetic adds."""
    return -int(-round(number * parts, 6) // 1)


def _measured(per_call: int, percent: int, pairs: Sequence[tuple[int, int]]) -> Line:
    line = Line(Correction(per_call, percent, len(pairs)))
    return line._replace(miss=max(abs(line.of(ours) - theirs) for ours, theirs in pairs))
