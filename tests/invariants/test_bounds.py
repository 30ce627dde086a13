"""Bounds hold for every answer of 0 to num_output tokens; benchmarks/bounds.py tries more."""

import math
import re
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from synth import (
    Accumulate,
    BaseSynthesizer,
    PromptHelper,
    PromptTemplate,
    get_response_synthesizer,
)
from synth.errors import CapReached, NotShrinking, SynthError
from synth.llms import FunctionLLM
from synth.prompts.packing import JOINT
from synth.runs.bounds import NOTHING, Bounds, Range
from synth.runs.trace import Trace
from synth.text.spans import Text
from tests import plain
from tests.examples import examples
from tests.invariants.answers import HABITS, model, odd_text
from tests.invariants.world import ALL, MOST_CALLS, World, passage, worlds
from tests.plans import short_and_long

POOL = "The pool was set to 8 instead of 80 and nobody looked at the metrics until noon. "


def check(bounds: Bounds, trace: Trace, ended: bool = True) -> None:
    """All four, against what a run did; one that failed may have done less."""
    for name in ("calls", "prompt_tokens", "output_tokens", "longest_chain"):
        least, most = getattr(bounds, name)
        made = getattr(trace, "call_count" if name == "calls" else name)
        assert made <= most, f"{name}: {made} of {least} to {most}"
        assert made >= least or not ended, f"{name}: {made} of {least} to {most}"


@examples(500)
@given(
    worlds(num_output=st.sampled_from([0, 8, 30, 60, 120, 256])),
    st.sampled_from(ALL),
    st.sampled_from(["documented", "documented", "llama_index"]),
    st.sampled_from(HABITS),
    st.integers(0, 2**32),
)
def test_no_run_leaves_its_bounds(world: World, mode: str, behaviour: str, habit: str, seed: int):
    try:
        bounds = world.synthesizer(mode, behaviour=behaviour).bounds(**world.asked)
    except SynthError:
        assume(False)
    fn = model(habit, seed, world.num_output, world.encoding)
    # A tree that would never end says nothing after so many calls that it had not said before.
    most_calls = MOST_CALLS if bounds.calls.high < math.inf else 300
    trace, problem = world.run(mode, fn, behaviour=behaviour, most_calls=most_calls)
    assume(not isinstance(problem, CapReached))
    if behaviour == "documented":
        assert problem is None or isinstance(problem, NotShrinking)
    check(bounds, trace, ended=problem is None)
    if behaviour == "documented" and bounds.calls.exact:
        assert trace.call_count == bounds.calls.low < MOST_CALLS


@examples(200)
@given(
    worlds(num_output=st.sampled_from([8, 60, 256])),
    st.sampled_from(ALL),
    st.sampled_from(["documented", "llama_index"]),
)
def test_both_plans_and_the_bounds_are_those_made_one_by_one(
    world: World, mode: str, behaviour: str
):
    synthesizer = world.synthesizer(mode, behaviour=behaviour)
    answers, variables = (2, world.num_output), {"tone": world.tone}
    try:
        plans = short_and_long(synthesizer, world.query, world.chunks, answers, variables)
    except SynthError as refusal:
        with pytest.raises(type(refusal), match=re.escape(str(refusal))):
            synthesizer.plan(**world.asked)
        return
    wanted = [synthesizer.plan(**world.asked, answer_tokens=tokens) for tokens in answers]
    assert plans == (*wanted, synthesizer.bounds(**world.asked))


@examples(1_000)
@given(st.integers(0, 2**32), st.sampled_from(["cl100k_base", "o200k_base"]))
def test_a_joint_changes_the_count_by_less_than_is_allowed_for(seed: int, encoding: str):
    dice = Random(seed)
    one, other = (odd_text(dice, dice.choice([1, 2, 5, 20])) for _ in range(2))
    each = plain.count(one, encoding) + plain.count(other, encoding)
    assert abs(plain.count(one + other, encoding) - each) < JOINT


def asked(mode: str, window: int, padding: int | None, answer: str, text: str) -> tuple:
    helper = PromptHelper(window, 64)
    llm = FunctionLLM(lambda prompt: answer, window, 64)
    synthesizer = get_response_synthesizer(mode, llm, helper, response_padding_size=padding)
    return synthesizer.bounds("Why?", [text]), synthesizer.run("Why?", [text])


@pytest.mark.parametrize("mode", ["refine", "compact"])
@pytest.mark.parametrize("window", [1_024, 2_048, 3_900])
def test_the_number_of_calls_is_exact_and_the_tokens_nearly(mode: str, window: int):
    bounds, run = asked(mode, window, None, "yes.", POOL * 200)
    assert bounds.calls == bounds.longest_chain == (run.call_count, run.call_count)
    assert run.call_count > 1
    least, most = bounds.prompt_tokens
    longer = 46  # tokens of the refine template beyond those of the first question
    assert most - least <= (run.call_count - 1) * (64 + longer + 8 * JOINT)


def test_what_reads_no_answer_is_exact():
    for mode in set(ALL) - {"refine", "compact", "tree_summarize"}:
        bounds, run = asked(mode, 600, None, "yes.", POOL * 50)
        assert bounds.calls.exact
        assert bounds.prompt_tokens == (run.prompt_tokens, run.prompt_tokens)
        assert bounds.output_tokens == (0, 64 * run.call_count)


def test_a_tree_whose_answers_fit_one_call_makes_one_call_more_or_none():
    bounds, run = asked("tree_summarize", 1_024, None, "yes.", POOL * 120)
    _, empty = asked("tree_summarize", 1_024, None, "", POOL * 120)
    assert bounds.calls == (empty.call_count, run.call_count) == (3, 4)
    assert bounds.longest_chain == (1, 2)


def test_nothing_bounds_a_tree_whose_answers_are_as_long_as_its_chunks():
    bounds = get_response_synthesizer(
        "tree_summarize", prompt_helper=PromptHelper(400, 200)
    ).bounds("Why?", [passage("english", 4_000, 1)])
    assert bounds.calls.low > 1
    assert bounds.calls.high == bounds.prompt_tokens.high == math.inf


def test_no_chunks_make_no_call():
    for mode in set(ALL) - {"generation"}:
        assert get_response_synthesizer(mode).bounds("Why?", []) == NOTHING


class Twice(BaseSynthesizer):
    """Asks, and asks again with the answer, if there is one."""

    mode = "twice"
    templates = ("text_qa_template",)

    def steps(self, query_str, texts, **variables):
        template = self.filled("text_qa_template", query_str=query_str, **variables)
        [answer] = yield [self.call(template, texts[0])]
        if answer.text:
            yield [self.call(template, answer.as_text(), final=True)]
        return answer.text


def test_of_a_mode_that_says_no_bounds_the_first_batch_is_known():
    synthesizer = Twice(FunctionLLM(lambda prompt: "more"))
    bounds, run = synthesizer.bounds("Why?", [POOL]), synthesizer.run("Why?", [POOL])
    assert bounds.calls == (1, math.inf)
    assert bounds.prompt_tokens == (run.calls[0].prompt_tokens, math.inf)
    check(bounds, run)


class Doubts(Twice):
    """Asks again where the answer is short."""

    def steps(self, query_str, texts, **variables):
        template = self.filled("text_qa_template", query_str=query_str, **variables)
        [answer] = yield [self.call(template, texts[0])]
        if len(answer.text) < len(POOL):
            yield [self.call(template, answer.as_text(), final=True)]
        return answer.text


def test_a_call_that_only_a_short_answer_brings_is_planned():
    short, long, _ = short_and_long(Doubts(), "Why?", [POOL], (2, 60))
    assert (short.call_count, long.call_count) == (2, 1)


class AsksAgain(Accumulate):
    """Has steps of its own, and the bounds of the mode that it extends."""

    def steps(self, query_str, texts, **variables):
        response = yield from super().steps(query_str, texts, **variables)
        template = self.filled("text_qa_template", query_str=query_str)
        [answer] = yield [self.call(template, Text.of(response), final=True)]
        return answer.text


def test_a_mode_with_steps_of_its_own_does_not_inherit_bounds_that_they_break():
    synthesizer = AsksAgain(FunctionLLM(lambda prompt: "more"))
    bounds, run = synthesizer.bounds("Why?", [POOL, POOL]), synthesizer.run("Why?", [POOL, POOL])
    assert run.call_count == 3
    assert bounds.calls == (2, math.inf)


def test_what_functions_make_of_an_answer_is_bounded_by_the_window_alone():
    refine = PromptTemplate(
        "{existing_answer} {context_msg}",
        function_mappings={"existing_answer": lambda existing_answer, **_: existing_answer[:9]},
    )
    synthesizer = get_response_synthesizer(
        "refine", prompt_helper=PromptHelper(800, 40), refine_template=refine
    )
    bounds = synthesizer.bounds("Why?", [POOL, POOL])
    assert bounds.calls == Range(2, 2)
    assert bounds.prompt_tokens.high == bounds.prompt_tokens.low + 760
