"""Which runs send the same prompts, and give the same response of the same answers."""

from dataclasses import replace
from itertools import combinations
from typing import Any

from hypothesis import given

from synth import ChatPromptTemplate, PromptHelper, PromptTemplate, get_response_synthesizer
from synth.modes.advice.equivalence import identify_response
from synth.runs.trace import Plan
from tests.examples import examples
from tests.invariants.world import ALL, World, worlds

ONE = ("A chunk of a few words.",)
THREE = ("First chunk.", "Second chunk.", "Third chunk.")
TEXT = "Read: {context_str} Question: {query_str}"


def plan(mode: str, chunks: tuple[str, ...] = ONE, window: int = 3_000, **options: Any) -> Plan:
    options = {"text_qa_template": PromptTemplate(TEXT), **options}
    helper = PromptHelper(window, 64)
    return get_response_synthesizer(mode, prompt_helper=helper, **options).plan("Why?", chunks)


def are_same(one: Plan, other: Plan) -> bool:
    return identify_response(one) == identify_response(other)


def test_one_chunk_is_sent_alike_by_the_modes_that_end_with_their_last_answer():
    modes = ("simple_summarize", "compact", "accumulate", "generation", "tree_summarize")
    same = [mode for mode in modes if are_same(plan("refine"), plan(mode))]
    assert same == ["simple_summarize", "compact"]
    assert are_same(plan("accumulate"), plan("accumulate"))
    assert not are_same(plan("no_text"), plan("context_only"))


def test_the_window_does_not_matter_where_it_cuts_nothing():
    assert are_same(plan("compact", THREE), plan("compact", THREE, 2_000))


def test_roles_matter():
    system = ChatPromptTemplate.from_messages([("system", TEXT)])
    user = ChatPromptTemplate.from_messages([("user", TEXT)])
    system_plan, user_plan = (plan("compact", text_qa_template=chat) for chat in (system, user))
    assert are_same(user_plan, plan("compact"))
    assert not are_same(system_plan, plan("compact"))


def test_waiting_for_answers_matters():
    first_only = PromptTemplate(TEXT.replace("context_str", "context_msg"))
    chained = plan("refine", THREE, refine_template=first_only)
    calls = tuple(replace(call, depth=1) for call in chained.calls)
    assert not are_same(chained, replace(chained, calls=calls))


def test_behaviours_treat_empty_answers_differently():
    theirs = plan("compact", behaviour="llama_index")
    assert not are_same(plan("compact"), theirs)
    assert not are_same(theirs, plan("refine", behaviour="llama_index"))


@examples(25)
@given(worlds())
def test_where_one_response_serves_both_runs_give_it(world: World):
    traces = [trace for mode in ALL for trace, problem in [world.run(mode)] if problem is None]
    for one, other in combinations([trace for trace in traces if trace.calls], 2):
        if identify_response(one) == identify_response(other):
            assert one.response == other.response
            assert one.prompt_tokens == other.prompt_tokens
