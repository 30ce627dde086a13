"""Which runs send the same prompts, and where one response serves for two of them."""

from itertools import combinations
from typing import Any

from hypothesis import given

from synth import ChatPromptTemplate, PromptHelper, PromptTemplate, get_response_synthesizer
from synth.modes.advice.equivalence import same_prompts, same_response
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


def test_one_chunk_is_sent_alike_by_all_modes_that_ask_the_same_template():
    plans = [plan(mode) for mode in ("refine", "tree_summarize", "accumulate", "generation")]
    assert same_prompts(plans) == ((0, 2),)


def test_two_groups_stand_in_the_order_of_their_first_runs():
    modes = ("accumulate", "compact", "accumulate", "simple_summarize", "refine")
    joined = PromptTemplate("{context_str}")
    plans = [
        plan(mode, THREE, text_qa_template=joined if mode == "simple_summarize" else None)
        for mode in modes
    ]
    assert same_prompts([*plans, *plans[1:2]]) == ((0, 2), (1, 5))


def test_runs_without_calls_are_not_the_same():
    assert same_prompts([plan("no_text"), plan("context_only"), plan("compact", ())]) == ()


def test_the_window_does_not_matter_where_it_cuts_nothing():
    assert same_prompts([plan("compact", THREE), plan("compact", THREE, 2_000)]) == ((0, 1),)


def test_roles_matter():
    system = ChatPromptTemplate.from_messages([("system", TEXT)])
    user = ChatPromptTemplate.from_messages([("user", TEXT)])
    plans = [plan("compact", text_qa_template=chat) for chat in (system, user)]
    assert same_prompts([*plans, plan("compact")]) == ((1, 2),)


def test_waiting_for_answers_matters():
    first_only = PromptTemplate(TEXT.replace("context_str", "context_msg"))
    chained = plan("refine", THREE, refine_template=first_only)
    together = plan("accumulate", THREE)
    assert [call.prompt.text for call in chained.calls] == [
        call.prompt.text for call in together.calls
    ]
    assert same_prompts([chained, together]) == ()


def test_a_numbered_answer_is_another_response():
    assert not same_response(plan("refine"), plan("accumulate"))
    assert same_response(plan("refine"), plan("simple_summarize"))
    assert same_response(plan("accumulate"), plan("accumulate"))


def test_behaviours_treat_empty_answers_differently():
    ours, theirs = (
        plan("compact", behaviour=behaviour) for behaviour in ("documented", "llama_index")
    )
    assert same_prompts([ours, theirs]) == ((0, 1),)
    assert not same_response(ours, theirs)
    assert not same_response(theirs, plan("refine", behaviour="llama_index"))


@examples(25)
@given(worlds())
def test_where_one_response_serves_both_runs_give_it(world: World):
    traces = [trace for mode in ALL for trace, problem in [world.run(mode)] if problem is None]
    for group in same_prompts(traces):
        for one, other in combinations([traces[place] for place in group], 2):
            assert not same_response(one, other) or one.response == other.response
            assert one.prompt_tokens == other.prompt_tokens
