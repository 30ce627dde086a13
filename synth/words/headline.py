"""The adviser's headline: which of several plans to take for a goal, and what the others cost."""

from collections.abc import Mapping, Sequence

from synth.modes.advice.choice import Prospect, Prospects, choose, rank_modes
from synth.modes.facts import Goal
from synth.modes.registry import mode_facts
from synth.text.wording import Bold, agreeing, counted, dollars, listed, ranged
from synth.words.coverage_words import chunk_tokens, cut_off_tokens, why_no_call

_NONE_SUITS: Mapping[Goal, str] = {
    "detail": "gives one answer that is made of the chunks",
    "summary": "gives a summary of the chunks",
    "per_chunk": "gives one answer per chunk",
    "cheapest": "sends the chunks",
    "fastest": "sends the chunks",
}
_LISTED = 3  # equals that are named one by one


def headline(goal: Goal, prospects: Prospects, left_out: Mapping[str, str]) -> list[str]:
    """Say which plan to take, in bold, and a word on others; `left_out` says why some can't."""
    chosen = choose(goal, prospects)
    names_of: dict[str, list[str]] = {}
    for name, reason in left_out.items():
        names_of.setdefault(reason, []).append(name)
    absent = [f" {listed(names)} {reason}." for reason, names in names_of.items()]
    if chosen:
        take = Bold(_take(goal, chosen, prospects[chosen[0]]))
        return [take, *_others(chosen, prospects), *absent]
    if any(one.mode in rank_modes(goal) for one in prospects.values()) or left_out:
        why = next(filter(None, (why_no_call(one.high) for one in prospects.values())), "")
        none = f" They make no calls{why}."
        return [Bold("None of these can be advised."), *(absent or [none])]
    return [Bold(f"None of these {_NONE_SUITS[goal]}.")]


def _take(goal: Goal, chosen: Sequence[str], one: Prospect) -> str:
    names = " or ".join(chosen) if len(chosen) <= _LISTED else f"any of {len(chosen)}"
    each = " each" if len(chosen) > 1 else ""
    lost = cut_off_tokens(one.high)
    rest = (
        f"but {_cut_off(one)} {agreeing('are', lost)} cut off"
        if lost
        else "and every chunk is sent"
    )
    cost = _cost(one) if len(chosen) == 1 and goal != "cheapest" else ""
    fewest, most = sorted((one.low.call_count, one.high.call_count))
    about = "" if one.bounds.calls == (fewest, most) else "about "  # other answers change them
    calls = f"{about}{ranged(fewest, most, 'call')}"
    return f"Take {names}: {calls}{each}{_measured(goal, one)}{cost}, {rest}."


def _cost(one: Prospect) -> str:
    return "" if one.cost is None else f", {dollars(one.cost)} with the longest answers"


def _measured(goal: Goal, one: Prospect) -> str:
    if goal == "cheapest":
        return _cost(one) or f", {one.tokens:,} tokens"
    if goal == "fastest" and one.high.call_count > 1:
        chain = one.high.longest_chain
        return ", all at once" if chain == 1 else f", longest chain {chain:,}"
    return ""


def _cut_off(one: Prospect) -> str:
    return f"{cut_off_tokens(one.high):,} of {counted(chunk_tokens(one.high), 'token')}"


def _others(chosen: Sequence[str], prospects: Prospects) -> list[str]:
    best = prospects[chosen[0]]
    others = {
        name: one
        for name, one in prospects.items()
        if name not in chosen and one.ends and mode_facts(one.mode).sends_chunks
    }
    cutting = [name for name, one in others.items() if cut_off_tokens(one.high)]
    if cutting and not cut_off_tokens(best.high):
        return [_cutting(cutting, others, best)]
    busiest = max(others, key=lambda name: others[name].high.call_count, default="")
    more = _difference(others[busiest], best) if busiest else 0
    return [f" {busiest} makes {counted(more, 'call')} more."] if more > 0 else []


def _cutting(names: Sequence[str], others: Prospects, best: Prospect) -> str:
    worst = max(names, key=lambda name: cut_off_tokens(others[name].high))
    if len(names) > 1:
        return f" {listed(names)} cut text off, up to {_cut_off(others[worst])}."
    fewer = -_difference(others[worst], best)
    calls = f"makes {counted(fewer, 'call')} fewer and " if fewer > 0 else ""
    return f" {worst} {calls}cuts off {_cut_off(others[worst])}."


def _difference(one: Prospect, other: Prospect) -> int:
    """Return how many more calls are certain; 0 where an answer could change it."""
    if not (one.bounds.calls.exact and other.bounds.calls.exact):
        return 0
    return one.high.call_count - other.high.call_count
