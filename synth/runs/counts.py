"""Both counts of each prompt, ours and its server's: whether they agree, and by how much not.

Counts alone tell little: a server that counts more has another tokenizer, puts a chat template
around the prompt, or both. Where the server read less than it was sent is for cuts.py to decide.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from synth.runs.calls import CallRecord
from synth.runs.cuts import CallCounts, Cut, find_cut

_LEAST, _MOST = 40, 260  # percent of a tokenizer's count, that another's may be: 49 to 232 found


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

    @property
    def are_likely(self) -> bool:
        """Whether these can be counts of the prompts by another tokenizer."""
        return bool(self.calls) and _LEAST * self.ours <= 100 * self.theirs <= _MOST * self.ours


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
