"""A last call that hardly anything is left for: what a little more room would save."""

from __future__ import annotations

from synth.trace import Plan

_FEW = 4  # times less than what a call carries on average


def short_tail(plan: Plan) -> int | None:
    """Tokens of chunks that the last call alone carries, where those are few; else None."""
    last = plan.call_count
    if last < 2:
        return None
    count = plan.setup.tokenizer.count
    alone = sum(
        count(chunk.text[part.start : part.end].strip())
        for chunk in plan.coverage
        for part in chunk.stretches
        if tuple(part.calls) == (last,)
    )
    total = sum(chunk.tokens for chunk in plan.coverage)
    return alone if 0 < alone * _FEW * last <= total else None
