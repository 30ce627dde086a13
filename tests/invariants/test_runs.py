"""One run, however it is driven: the same trace; and what is planned, kept and asked again."""

import asyncio
from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from synth.errors import ModelError, SynthError
from synth.modes.base import BaseSynthesizer
from synth.prompts.packing import placeholder_answer
from synth.runs.events import Finished
from synth.runs.trace import Trace
from tests import plans
from tests.examples import examples
from tests.invariants.world import ALL, ASKING, World, worlds

WORLDS = worlds()
MODES = st.sampled_from(ALL)


async def arun(world: World, mode: str) -> Trace:
    try:
        return await world.synthesizer(mode).arun(**world.asked)
    except SynthError as problem:
        if not isinstance(problem.trace, Trace):
            raise
        return problem.trace


def streamed(world: World, mode: str) -> Trace:
    *_, end = world.synthesizer(mode).stream(**world.asked)
    assert isinstance(end, Finished)
    return end.trace


async def astreamed(world: World, mode: str) -> Trace:
    events = [event async for event in world.synthesizer(mode).astream(**world.asked)]
    assert isinstance(events[-1], Finished)
    return events[-1].trace


@given(WORLDS, MODES)
@examples(150)
def test_every_driver_gives_one_trace(world: World, mode: str):
    trace, _ = world.run(mode)
    together, _ = world.run(mode, use_async=True, max_concurrency=4)
    assert together == trace
    assert asyncio.run(arun(world, mode)) == trace
    assert streamed(world, mode) == trace
    assert asyncio.run(astreamed(world, mode)) == trace
    assert world.synthesizer(mode).replay(**world.asked, log=trace.log()) == trace


class Asking:
    """Answers as the world does, counts, and fails at one call."""

    def __init__(self, world: World, fail_at: int | None = None) -> None:
        self.world = world
        self.fail_at = fail_at
        self.asked = 0

    def __call__(self, prompt: str) -> str:
        self.asked += 1
        if self.asked == self.fail_at:
            raise RuntimeError("out of order")
        return self.world.answer(prompt)


@given(WORLDS, st.sampled_from(ASKING), st.data())
@examples(100)
def test_a_failed_run_keeps_its_answers_and_asks_only_the_rest(world: World, mode: str, data):
    whole, problem = world.run(mode)
    assume(problem is None and whole.calls)
    fail_at = data.draw(st.integers(1, len(whole.calls)))
    broken, problem = world.run(mode, Asking(world, fail_at))
    assert isinstance(problem, ModelError)
    assert broken.calls[:-1] == whole.calls[: fail_at - 1]
    assert broken.calls[-1].answer is None
    assert broken.calls[-1].prompt.text == whole.calls[fail_at - 1].prompt.text
    rest = Asking(world)
    synthesizer = world.synthesizer(mode, rest)
    *_, end = synthesizer.stream(**world.asked, log=broken.log())
    assert isinstance(end, Finished)
    assert end.trace == whole
    assert rest.asked == len(whole.calls) - (fail_at - 1)
    assert synthesizer.replay(**world.asked, log=broken.log()).calls == whole.calls[: fail_at - 1]


def always(world: World, tokens: int) -> str:
    """The answer that a plan assumes."""
    synthesizer = world.synthesizer("generation")
    return placeholder_answer(synthesizer.prompt_helper.tokenizer, tokens)


@given(WORLDS, MODES, st.integers(1, 60))
@examples(150)
def test_a_plan_is_the_run_whose_answers_it_assumes(world: World, mode: str, tokens: int):
    text = always(world, tokens)
    trace, problem = world.run(mode, lambda prompt: text)
    assume(problem is None or trace.calls)
    plan = world.synthesizer(mode).plan(**world.asked, answer_tokens=tokens)
    assert plans.prompts(plan) == plans.prompts(trace)
    assert [call.depth for call in plan.calls] == [call.depth for call in trace.calls]
    assert plan.prompt_tokens == sum(world.count(call.prompt.text) for call in trace.calls)
    assert plan.longest_chain == trace.longest_chain
    assert (plan.problem is None) == (problem is None)


@given(WORLDS, MODES, st.data())
@examples(200)
def test_what_a_plan_says_of_a_run_holds(world: World, mode: str, data):
    trace, problem = world.run(mode)
    assume(problem is None)
    prompts = [call.prompt for call in trace.calls]
    plan = world.synthesizer(mode).plan(**world.asked)
    if plan.exact:  # whatever the answers
        assert [call.prompt for call in plan.calls] == prompts
    else:
        assert plan.problem is not None or plan.longest_chain > 1
    if mode in ("accumulate", "compact_accumulate", "simple_summarize", "generation"):
        assert plan.exact
    short = world.synthesizer(mode).plan(**world.asked, answer_tokens=1)
    assert [call.prompt for call in short.calls if call.exact] == [
        call.prompt for call in trace.calls if call.depth == 0
    ]
    check_resumed(world, mode, trace, data.draw(st.integers(0, len(trace.calls))))
    other = replace(world, query="Another?")
    again = other.synthesizer(mode).replay(**other.asked, log=trace.log())
    assert again.response is None or not trace.calls


def check_resumed(world: World, mode: str, trace: Trace, answered: int) -> None:
    """A replay of the beginning of a log is the beginning of the run."""
    log = {number: each for number, each in trace.log().items() if number <= answered}
    begun = world.synthesizer(mode).replay(**world.asked, log=log)
    assert begun.calls == trace.calls[: len(log)]


def planned(synthesizer: BaseSynthesizer, world: World, tokens: int) -> object:
    try:
        return synthesizer.plan(**world.asked, answer_tokens=tokens), synthesizer.bounds(
            **world.asked
        )
    except SynthError as problem:
        return str(problem)


@given(WORLDS, MODES, st.data())
@examples(80)
def test_what_a_synthesizer_planned_before_changes_no_plan(world: World, mode: str, data):
    others = [world, replace(world, query="Why? " * 30), replace(world, tone="dry")]
    others += [replace(world, chunks=world.chunks[1:]), replace(world, chunks=world.chunks * 2)]
    asked = st.tuples(st.sampled_from(others), st.integers(1, 60))
    used = world.synthesizer(mode)
    for other, tokens in data.draw(st.lists(asked, min_size=2, max_size=4)):
        assert planned(used, other, tokens) == planned(world.synthesizer(mode), other, tokens)
