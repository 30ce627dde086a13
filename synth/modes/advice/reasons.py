"""Which mode to take for a goal on the input at hand, with the numbers that support it."""

from dataclasses import dataclass

from synth.modes.advice.choice import MEASURED, Prospect, Prospects, able, choose, suited
from synth.modes.advice.equivalence import same_prompts, same_response
from synth.modes.facts import Goal, facts_of
from synth.modes.registry import mode_class, mode_facts
from synth.text.wording import counted, dollars, ranged


@dataclass(frozen=True)
class Advice:
    """A mode, the reasons for it, and the modes that do the same on this input, in sentences."""

    mode: str
    why: tuple[str, ...]
    equal: tuple[str, ...]


def advise(goal: Goal, plans: Prospects) -> Advice | None:
    """The mode for a goal; None where no mode that suits it has a plan with calls that ends.

    `plans` are by mode, all at the same price; a mode that is refused is not in it. Only modes
    that name the goal among their `goals` are advised. One that leaves out text is taken where
    nothing else can be, and the first sentence says so.
    """
    chosen = choose(goal, plans)
    if not chosen:
        return None
    mode = chosen[0]
    choices = {other: plans[other] for other in able(goal, plans)}
    whole = {other: pair for other, pair in choices.items() if not pair.high.lost_tokens}
    lost = plans[mode].high.lost_tokens
    why = (
        *([f"{mode} cuts off {counted(lost, 'token')} of the chunks."] if lost else []),
        _shape(mode, plans[mode]),
        "That call has all the chunks." if _is_enough(plans[mode]) else _approach(mode),
        *_passed_over(goal, mode, plans),
        *_compared(goal, mode, whole),
        *_without_chunks(goal, mode, plans),
        _spending(plans[mode]),
    )
    others = [other for other in choices if other != mode]
    equal = (_beside(choices[mode], choices[other], other) for other in others)
    return Advice(mode, why, tuple(filter(None, equal)))


def _approach(mode: str) -> str:
    kind = mode_class(mode)
    return facts_of(kind).approach or kind.summary


def _is_enough(pair: Prospect) -> bool:
    """Whether one call carries everything."""
    return pair.bounds.calls == (1, 1) and not pair.high.lost_tokens


def _expense(one: Prospect) -> float:
    """Dollars with long answers, or tokens where no price is known."""
    return one.tokens if one.cost is None else one.cost


def _shape(mode: str, pair: Prospect) -> str:
    fewest, most = sorted(plan.call_count for plan in (pair.low, pair.high))
    short, long = sorted(plan.longest_chain for plan in (pair.low, pair.high))
    how = ""
    if long == 1 < most:
        how = ", all at once"
    elif (short, long) == (fewest, most) and most > 1:
        how = ", one after the other"
    elif most > 1:
        how = f", in {ranged(short, long, 'batch')} one after the other"
    about = "" if pair.bounds.calls == (fewest, most) else "about "
    return f"{mode} makes {about}{ranged(fewest, most, 'call')}{how}."


def _passed_over(goal: Goal, mode: str, plans: Prospects) -> list[str]:
    """The modes that suit the goal better, or might, and why they were not taken."""
    better = suited(goal)
    sentences = []
    for other in better if goal in MEASURED else better[: better.index(mode)]:
        if other == mode or other not in plans:
            continue
        if not plans[other].ends:
            sentences.append(f"{other} is passed over: its plan never finishes.")
        elif lost := plans[other].high.lost_tokens:
            sentences.append(f"{other} is passed over: it cuts off {counted(lost, 'token')}.")
    return sentences


def _compared(goal: Goal, mode: str, whole: Prospects) -> list[str]:
    """How the mode compares with the others that send all the chunks."""
    among = f"Of the {len(whole)} modes that send all the chunks"
    if goal == "cheapest" and len(whole) > 1:
        less = "takes fewer tokens" if whole[mode].price is None else "costs less"
        return [f"{among}, none {less}."]
    if goal == "fastest" and len(whole) > 1:
        chain = whole[mode].high.longest_chain
        tied = sum(high.longest_chain == chain for _, high, *_ in whole.values())
        done = f"done after {counted(chain, 'batch')} of calls"
        if tied == 1:
            return [f"{among}, it alone is {done}."]
        if tied < len(whole):
            return [f"{among}, {tied} are {done}; none of these takes fewer tokens."]
        return [f"All modes that send all the chunks are {done}; none takes fewer tokens."]
    alone = _each_on_its_own(mode, whole) if goal == "detail" else []
    return [*_quicker(mode, whole), *alone]


def _quicker(mode: str, whole: Prospects) -> list[str]:
    """The modes with fewer calls or a shorter longest chain, and why they come after all."""
    if mode not in whole:
        return []
    taken = whole[mode].high
    sentences = []
    for other, prospect in whole.items():
        calls, chain = prospect.high.call_count, prospect.high.longest_chain
        if calls < taken.call_count:
            less = f"make {counted(calls, 'call')} instead of {taken.call_count:,}"
        elif chain < taken.longest_chain:
            less = f"be done after {counted(chain, 'batch')} instead of {taken.longest_chain:,}"
        else:
            continue
        approach = _approach(other)
        sentences.append(
            f"{other} would {less}, but suits this goal less: {approach[:1].lower()}{approach[1:]}"
        )
    return sentences


def _each_on_its_own(mode: str, whole: Prospects) -> list[str]:
    """The first mode that sends each chunk on its own, where the mode taken packs them together."""
    if mode_facts(mode).chunk_separator is None or mode not in whole:
        return []
    for other, prospect in whole.items():
        more = prospect.high.call_count
        if mode_facts(other).chunk_separator is None and more > whole[mode].high.call_count:
            return [
                f"{other} would make {counted(more, 'call')}: take it where each chunk should"
                " be read on its own."
            ]
    return []


def _without_chunks(goal: Goal, mode: str, plans: Prospects) -> list[str]:
    """The modes that are cheaper, but answer without the chunks."""
    if goal != "cheapest":
        return []
    least, less = _expense(plans[mode]), "cost less"
    if plans[mode].price is None:
        less = "take fewer tokens"
    return [
        f"{other} would {less}, but it answers without the chunks."
        for other, prospect in plans.items()
        if not mode_facts(other).sends_chunks and prospect.high.calls and _expense(prospect) < least
    ]


def _spending(one: Prospect) -> str:
    tokens = (
        f"{counted(one.high.prompt_tokens, 'prompt token')} and"
        f" {counted(one.high.output_tokens, 'output token')}"
    )
    if one.cost is None:
        return f"With long answers that is {tokens}; price unknown."
    return f"With long answers that is {tokens}, {dollars(one.cost)}."


def _beside(chosen: Prospect, other: Prospect, name: str) -> str | None:
    """What another mode has in common: it sends the very same prompts, or as much in 1 call."""
    pairs = ((chosen.low, other.low), (chosen.high, other.high))
    if all(same_prompts(pair) for pair in pairs):
        alike = same_response(chosen.high, other.high)
        rest = "and gives the same answer" if alike else "but puts its answer together differently"
        return f"{name} sends the very same prompts, {rest}."
    if not (_is_enough(chosen) and _is_enough(other)):
        return None
    mine, sent = chosen.high.prompt_tokens, counted(other.high.prompt_tokens, "prompt token")
    if other.high.prompt_tokens == mine:
        return f"{name} makes 1 call as well, with other words and just as many tokens ({sent})."
    return f"{name} makes 1 call as well, with other words: {sent}, against {mine:,}."
