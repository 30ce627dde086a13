"""Which runs would send the very same prompts, so that nobody pays twice to compare them."""

from collections import defaultdict
from collections.abc import Sequence

from synth.modes.registry import mode_facts
from synth.runs.trace import Plan, Trace


def same_prompts(runs: Sequence[Plan | Trace]) -> tuple[tuple[int, ...], ...]:
    """Groups (places in `runs`, two or more each) that would send the very same prompts.

    The same are texts and roles of all calls, in order, and what each call waits for: so
    what is sent and paid is the same. The response may still be put together differently:
    refine and accumulate send one chunk alike, and accumulate numbers the answer; ask
    `same_response`. Plans are compared under their assumed answers, which is the whole
    truth for exact ones. Neither the model nor a schema for its replies is in a run: who
    varies those must compare them too. Runs without any call are in no group.
    """
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
    """Whether runs of one group make the same response of the same answers, so that one serves.

    That holds within one mode and behaviour, and in documented behaviour among the modes
    whose `response_source` is the last answer, provided that `separator` and
    `empty_response` are the same.
    """
    if one.setup.behaviour != other.setup.behaviour:
        return False
    modes = {one.setup.mode, other.setup.mode}
    if len(modes) == 1:
        return True
    sources = {mode_facts(mode).response_source for mode in modes}
    return one.setup.behaviour == "documented" and sources == {"last_answer"}
