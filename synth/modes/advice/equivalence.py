"""Which runs would give the very same response, so that nobody pays twice to compare them."""

from collections.abc import Hashable

from synth.modes.registry import mode_facts
from synth.runs.trace import Plan, Trace


def identify_response(run: Plan | Trace) -> Hashable:
    """Return what the response of a run depends on, if answers are as assumed.

    It is its prompts, which calls wait for which, and what the mode makes of the answers: runs of
    equal ones cost once.
    """
    mode, behaviour = run.setup.mode, run.setup.behaviour
    if behaviour == "documented" and mode_facts(mode).response_source == "last_answer":
        mode = ""  # one of all those that end with their last answer
    prompts = tuple(
        (call.depth, *((message.role, message.content) for message in call.prompt.messages))
        for call in run.calls
    )
    return behaviour, mode, prompts
