"""The room for reasoning: a third part of the window, of each request, and of what a plan costs."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth import OpenAILLM, PromptHelper, get_response_synthesizer
from synth.errors import CapReached, SynthError
from synth.llms import FunctionLLM
from synth.pictures.bar_parts import call_bars
from synth.prompts.prompt_helper import room_for_reasoning
from synth.runs.events import Cap
from synth.runs.prices import LongPrice, Price
from tests.examples import examples
from tests.fake_openai import Answer, FakeOpenAI
from tests.invariants.world import ALL, worlds

CHUNKS = ["The bridge was built of oak. " * 8, "Ada built it in 1912."]
USAGE = {
    "prompt_tokens": 90,
    "completion_tokens": 70,
    "completion_tokens_details": {"reasoning_tokens": 50},
}


def planned(world, mode, behaviour, window, room):
    helper = PromptHelper(
        window, world.num_output, world.overlap, world.chunk_size_limit, reasoning_output=room
    )
    llm = FunctionLLM(str)
    llm.price = Price(1.0, 10.0)
    made = get_response_synthesizer(
        mode, llm, helper, behaviour=behaviour, response_padding_size=world.padding
    )
    asked = world.query, world.chunks
    try:
        return made.plan(*asked), made.bounds(*asked)
    except SynthError as problem:
        return type(problem), None


@pytest.mark.parametrize("reasoning", [0, 60, 200, 10_000])
def test_what_is_likely_is_never_above_at_most(reasoning):
    llm = OpenAILLM("gpt-5-mini", "a key", context_window=900, num_output=100, reasoning_output=60)
    plan = get_response_synthesizer("refine", llm).plan("Which?", CHUNKS)
    assumed = plan.assume(answer_tokens=5_000, reasoning_tokens=reasoning)
    assert assumed.cost.likely <= assumed.cost.at_most
    assert all(call.reasoning_tokens <= call.output_tokens <= 160 for call in assumed.calls)
    free = replace(plan, setup=replace(plan.setup, price=Price(0, 1, long=LongPrice(0, 1, 2))))
    assert free.cost.likely < free.cost.at_most


@examples(150)
@given(worlds(), st.sampled_from(ALL), st.sampled_from(["documented", "llama_index"]))
def test_it_narrows_the_window_for_prompts_and_is_paid_as_output(world, mode, behaviour):
    room, window = 150, world.context_window
    plan, bounds = planned(world, mode, behaviour, window + room, room)
    narrow, narrow_bounds = planned(world, mode, behaviour, window, 0)
    if bounds is None:
        assert plan == narrow
        return
    texts = [call.prompt.text for call in plan.calls]
    assert texts == [call.prompt.text for call in narrow.calls]
    assert plan.output_tokens - narrow.output_tokens == room * plan.call_count
    assert all(call.reasoning_tokens == room for call in plan.calls)
    more = 10.0 * room * plan.call_count / 1e6
    assert plan.cost.at_most == pytest.approx(narrow.cost.at_most + more)
    output, calls = bounds.output_tokens.high, bounds.calls.high
    assert output == pytest.approx(narrow_bounds.output_tokens.high + room * calls)


def ask(server, reasoning: int, **options):
    llm = OpenAILLM(
        "m", "key", server.base_url, context_window=400, num_output=40, reasoning_output=reasoning
    )
    made = get_response_synthesizer("compact", llm, **options)
    return made.run("Who built it?", CHUNKS)


def test_a_request_asks_for_both_rooms_and_reasoning_is_no_part_of_an_answer():
    with FakeOpenAI(Answer("Ada.", usage=USAGE)) as server:
        trace = ask(server, 60)
        sent = server.requests[0].body
    assert 100 in (sent.get("max_tokens"), sent.get("max_completion_tokens"))
    assert not trace.too_long
    [bar] = call_bars(trace.calls, trace.setup)
    sizes = {part.kind: round(part.end - part.start) for part in bar.parts}
    names = ("reasoning", "output", "reasoning_room", "reserved")
    assert [sizes[name] for name in names] == [50, 20, 10, 20]
    assert bar.budget.free == 400 - 100 - trace.calls[0].prompt_tokens
    without = replace(trace, setup=replace(trace.setup, reasoning_output=0))
    assert without.too_long


def test_a_cap_sets_both_rooms_aside():
    with FakeOpenAI(Answer("Ada.", usage=USAGE)) as server:
        tokens = ask(server, 60).calls[0].prompt_tokens + 100
        ask(server, 60, cap=Cap(tokens=tokens))
        with pytest.raises(CapReached):
            ask(server, 60, cap=Cap(tokens=tokens - 1))


def test_without_a_number_it_is_the_share_that_an_effort_has_of_a_reply():
    rooms = {effort: room_for_reasoning(effort, 100) for effort in ("", "none", "low", "medium")}
    assert rooms == {"": 0, "none": 0, "low": 25, "medium": 100}
    llm = OpenAILLM("m", "key", num_output=100, arguments={"reasoning_effort": "high"})
    assert llm.metadata.reasoning_output == 400
