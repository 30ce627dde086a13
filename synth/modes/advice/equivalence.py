"""Which runs would send the very same prompts, so that nobody pays twice to compare them."""

from collections import defaultdict
from collections.abc import Sequence

from synth.modes.registry import mode_facts
from synth.runs.trace import Plan, Trace


def same_prompts(runs: Sequence[Plan | Trace]) -> tuple[tuple[int, ...], ...]:
    """Group places in `runs` that would send the very same prompts, if answers are as assumed."""
    places: defaultdict[object, list[int]] = defaultdict(list)
    for place, run in enumerate(runs):
        if run.calls:
            sent = tuple(
                (call.depth, *((message.role, message.content) for message in call.prompt.messages))
                for call in run.calls
            )
            places[sent].append(place)
    return tuple(tuple(group) for group in places.values() if len(group) > 1)


def same_response(one: Plan | Trace, other: Plan | Trace) -> bool:
    """Return whether runs of one group make the same response of the same answers."""
    if one.setup.behaviour != other.setup.behaviour:
        return False
    modes = {one.setup.mode, other.setup.mode}
    if len(modes) == 1:
        return True
    sources = {mode_facts(mode).response_source for mode in modes}
    return one.setup.behaviour == "documented" and sources == {"last_answer"}
