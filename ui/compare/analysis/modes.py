"""What every mode would make of the same chunks, as a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import pandas as pd

from synth.response_synthesizers.registry import mode_class
from synth.trace import Plan
from synth.wording import ranged
from ui.compare.analysis.entry import Entry, Plans, names
from ui.compare.analysis.text_sent import repeated_tokens

_WITHOUT_CALLS = {
    "chunks": "no answer: the chunks joined",
    "nothing": "no answer: the chunks alone",
}


def modes_frame(entries: Sequence[Entry]) -> pd.DataFrame:
    """A row a mode; numbers are missing where there is no plan, or nothing bounds them.

    Calls, chain and tokens are the least and the most whatever the answers say; what is not
    sent, and what is sent twice, is that with long answers. The column of the cost, in US
    dollars, is there if a price is known.
    """
    frame = pd.DataFrame(
        {
            "Mode": pd.Series(names(entries), dtype=object),
            "Gives": pd.Series([gives(entry) for entry in entries], dtype=object),
            "Calls, at most": _numbers(entries, lambda plans: plans.bounds.calls.high),
            "Chain, at most": _numbers(entries, lambda plans: plans.bounds.longest_chain.high),
            "Prompt tokens, low": _numbers(entries, lambda plans: plans.bounds.prompt_tokens.low),
            "Prompt tokens, high": _numbers(entries, lambda plans: plans.bounds.prompt_tokens.high),
            "Output, at most": _numbers(entries, lambda plans: plans.bounds.output_tokens.high),
        }
    )
    if any(entry.price for entry in entries):
        frame["Cost, at most"] = pd.Series(map(_most_cost, entries), dtype="Float64")
    frame["Tokens not sent"] = _numbers(entries, lambda plans: plans.high.lost_tokens)
    frame["Sent twice"] = _numbers(entries, lambda plans: repeated_tokens(plans.high))
    return frame


def _numbers(entries: Sequence[Entry], of: Callable[[Plans], float]) -> pd.Series:
    values = [of(entry.plans) if entry.plans else math.inf for entry in entries]
    return pd.Series([None if value == math.inf else int(value) for value in values], dtype="Int64")


def _most_cost(entry: Entry) -> float | None:
    if entry.plans is None:
        return None
    if entry.free or not entry.plans.high.calls:
        return 0.0
    most = entry.plans.bounds.cost(entry.price) if entry.price else math.inf
    return None if most == math.inf else most


def gives(entry: Entry) -> str:
    """What comes out of it, read from the shape of its plans."""
    if entry.refused is not None:
        return "nothing: it is refused"
    if entry.plans is None:
        return "not planned" if entry.high is None else "no answer: it stops early"
    return _made_of(entry.plans.low, entry.plans.high)


def _made_of(low: Plan, high: Plan) -> str:
    calls = high.call_count
    if not calls:
        source = mode_class(high.setup.mode).response_source
        return _WITHOUT_CALLS.get(source, "no answer: there is nothing to send")
    if calls == 1:
        reads = any(origin.kind == "chunk" for origin in high.calls[0].origins)
        return "one answer" if reads else "one answer without the chunks"
    if high.longest_chain == 1:
        return f"{calls:,} answers{', one a chunk' if _one_a_chunk(high) else ''}"
    if (low.longest_chain, high.longest_chain) == (low.call_count, calls):
        return f"one answer, rewritten {_times(low.call_count - 1, calls - 1)}"
    return f"one answer from {ranged(_read_last(low), _read_last(high))} answers"


def _one_a_chunk(plan: Plan) -> bool:
    read = [{o.number for o in call.origins if o.kind == "chunk"} for call in plan.calls]
    return read == [{number} for number in range(1, len(plan.setup.chunks) + 1)]


def _read_last(plan: Plan) -> int:
    """How many answers the last call reads."""
    return len({o.number for o in plan.calls[-1].origins if o.kind == "answer"})


def _times(least: int, most: int) -> str:
    if least == most and most in (1, 2):
        return {1: "once", 2: "twice"}[most]
    return f"{ranged(least, most)} times"
