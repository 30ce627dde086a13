"""The sums of modes that pack: what each call sends of the joined chunks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from synth.runs.trace import Plan
from synth.text.wording import counted
from ui.lessons.lesson import Choice, Sum, SumLine
from ui.lessons.sums import context, room_of, room_sum
from ui.settings.request import Request


@dataclass(frozen=True)
class CallShare:
    """The part of the joined chunks that one call sends, in tokens.

    `new` tokens are in no earlier call; `overlap` tokens repeat the end of the call before.
    """

    new: int
    overlap: int


def call_shares(plan: Plan) -> list[CallShare]:
    """The share of each call; the new tokens of all add up to those of the joined chunks."""
    texts = [context(call) for call in plan.calls]
    count = plan.setup.tokenizer.count
    ends = [0, *(text.end for text in texts)]
    joined = texts[0].document.text if texts else ""
    return [
        CallShare(count(joined[:end]) - count(joined[:before]), count(joined[text.start : before]))
        for (before, end), text in zip(pairwise(ends), texts, strict=True)
    ]


def packing_to_do(plan: Plan, request: Request) -> tuple[Sum, ...]:
    """The room in one call, the new text in each further call, and the calls to find."""
    room, total = room_of(request).for_chunks, sum(share.new for share in call_shares(plan))
    chunks = counted(len(plan.setup.chunks), "chunk")
    return (
        room_sum(request),
        *further_call_sum(room, request),
        (
            SumLine("", f"{chunks} with blank lines between them", total),
            SumLine("=", f"calls of {request.mode}", None),
        ),
    )


def further_call_sum(room: int, request: Request) -> tuple[Sum, ...]:
    """The new text that a further call has room for; none if calls share no text."""
    overlap = int(room * request.chunk_overlap_ratio)
    if not overlap:
        return ()
    return (
        (
            SumLine("", "room for chunks in one call", room),
            SumLine("−", "overlap", overlap, "repeated from the end of the call before"),
            SumLine("=", "room for new text in each further call", room - overlap),
        ),
    )


def least_calls(plan: Plan, request: Request) -> int:
    """The calls for this text if each of them is filled completely."""
    room, total = room_of(request).for_chunks, sum(share.new for share in call_shares(plan))
    return 1 + max(0, ceil((total - room) / (room - int(room * request.chunk_overlap_ratio))))


def packing_sum(plan: Plan, shares: Sequence[CallShare], room: int) -> Sum:
    """All chunks together, minus the share of each call, down to what is left for the last."""
    label = f"{counted(len(plan.setup.chunks), 'chunk')} with blank lines between them"
    total = sum(share.new for share in shares)
    if len(shares) == 1:
        return (
            SumLine("", "room for chunks in one call", room),
            SumLine("−", label, total),
            SumLine("=", "still free", room - total),
        )
    lines = [
        SumLine("−", _share_label(number, share, room), share.new)
        for number, share in enumerate(shares[:-1], 1)
    ]
    last = SumLine("=", f"left for call {len(shares)}", shares[-1].new)
    return SumLine("", label, total), *lines, last


def _share_label(number: int, share: CallShare, room: int) -> str:
    if share.overlap:
        return f"call {number}, without its {counted(share.overlap, 'repeated token')}"
    return f"call {number}, completely filled" if share.new == room else f"call {number}"


def missed_calls(shares: Sequence[CallShare]) -> Callable[[Choice], str]:
    """The sentence about another number of calls than these shares have."""

    def miss(guess: Choice) -> str:
        count = int(guess)
        if count > len(shares):
            return f"You said {count}: no text is left after call {len(shares)}."
        left = sum(share.new for share in shares[count:])
        return f"You said {count}: that leaves {counted(left, 'token')} unsent."

    return miss
