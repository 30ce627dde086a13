"""What `documented` promises of every prompt, and bounds that hold for every answer."""

import math
import re
from itertools import pairwise
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
from synth.errors import BudgetError, CapReached, NotShrinking, SynthError
from synth.llms import FunctionLLM
from synth.modes.llama_index_older import BEHAVIOUR as OLDER
from synth.prompts.packing import JOINT, LEAST_ROOM
from synth.runs.bounds import NOTHING, Bounds, Range
from synth.runs.trace import Trace
from synth.text.spans import Text
from tests import plain, plans
from tests.examples import examples
from tests.invariants.answers import HABITS, model, odd_text
from tests.invariants.world import ALL, ASKING, MOST_CALLS, PACKING, World, passage, worlds
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
    st.sampled_from(["documented", "documented", "llama_index", OLDER]),
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
    st.sampled_from(["documented", "llama_index", OLDER]),
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


WORLDS = worlds()


@examples(400)
@given(WORLDS, st.sampled_from(ASKING))
def test_whatever_is_packed_keeps_each_promise(world: World, mode: str):
    trace, problem = world.run(mode)
    check_fit(world, trace)
    check_origins(world, trace)
    check_refused(world, mode, trace, problem)
    if mode in PACKING:
        check_sent(world, trace, problem)
    if mode == "tree_summarize":  # it ends or says that it would not
        assert problem is None or isinstance(problem, NotShrinking) or not trace.calls
        assert len(trace.calls) < MOST_CALLS
    if mode == "simple_summarize" and problem is None and trace.calls:
        check_cut_off(world, trace)


def check_fit(world: World, trace: Trace) -> None:
    for call in trace.calls:
        tokens = world.count(call.prompt.text)
        assert call.prompt_tokens == tokens
        assert tokens + world.num_output <= world.context_window


def check_sent(world: World, trace: Trace, problem: SynthError | None) -> None:
    """Every character that is not white space is sent, and first sent in its place."""
    if problem is not None and not isinstance(problem, NotShrinking):
        return
    shown = {
        (number, at)
        for number, chunk in enumerate(world.chunks, 1)
        for at, character in enumerate(chunk)
        if not character.isspace()
    }
    sent: set[tuple[int, int]] = set()
    for call in trace.calls:
        for kind, number, start, end in call.origins:
            first_sent = {(number, at) for at in range(start, end)} & shown - sent
            if kind == "chunk" and first_sent:
                assert min(first_sent) > max(sent, default=(0, 0))
                sent |= first_sent
    assert sent == shown


IN_TURN = st.sampled_from(["refine", "compact"])


@examples(200)
@given(WORLDS, IN_TURN, st.integers(0, 2**32))
def test_how_many_calls_are_made_depends_on_no_answer(world: World, mode: str, seed: int):
    dice = Random(seed)
    synthesizer = world.synthesizer(mode)
    try:
        bounds = synthesizer.bounds(**world.asked)
    except BudgetError:
        return
    lengths = {0, 1, world.num_output // 2, world.num_output, 4 * world.num_output}
    for tokens in lengths:
        plan = synthesizer.plan(**world.asked, answer_tokens=tokens)
        assert bounds.calls == (plan.call_count, plan.call_count)
        assert all(call.prompt_tokens <= synthesizer.packer.limit for call in plan.calls)
    trace, problem = world.run(mode, lambda prompt: odd_text(dice, dice.choice([0, 1, 9, 90])))
    assert problem is None
    assert bounds.calls == (trace.call_count, trace.call_count)


@examples(200)
@given(worlds(overlap=st.just(0.0), padding=st.sampled_from([None, 20])))
def test_compact_makes_no_call_that_the_one_before_had_room_for(world: World):
    try:
        plan = world.synthesizer("compact").plan(**world.asked)
    except BudgetError:
        return
    for call, following in pairwise(plan.calls):
        first, then = (
            next(span.text for span in one.prompt.spans if span.kind == "context")
            for one in (call, following)
        )
        document = then.document.text
        end = document.find(" ", then.start)
        piece = document[then.start : end if end >= 0 else then.end]
        if world.count(piece) > LEAST_ROOM:  # a large one is cut within
            continue
        whole = document[first.start : then.start] + piece
        values = {"query_str": world.query, "tone": world.tone}
        prompts = [(world.question, "context_str")]
        if call.number > 1:  # and the question is asked again as long as no answer says anything
            prompts.append((world.refine, "context_msg"))
            values["existing_answer"] = " answer" * (world.num_output + JOINT)
        fits = all(
            world.count(PromptTemplate(template).format(**values, **{context: whole}))
            + (world.padding or 0) * template.count("{" + context + "}")
            <= world.context_window - world.num_output
            for template, context in prompts
        )
        limit = world.chunk_size_limit
        assert not fits or (limit is not None and world.count(whole) > limit)


OVERLAPPING = worlds(overlap=st.floats(0.2, 0.9), padding=st.none())


@examples(100)
@given(OVERLAPPING, st.sampled_from(["compact", "tree_summarize", "compact_accumulate"]))
def test_no_call_sends_what_the_one_before_has_sent_and_nothing_else(world: World, mode: str):
    try:
        plan = world.synthesizer(mode).plan(**world.asked)
    except BudgetError:
        return
    texts = [
        next(span.text for span in call.prompt.spans if span.kind == "context")
        for call in plan.calls
        if call.depth == 0 or mode == "compact"
    ]
    assert all(before.end < after.end for before, after in pairwise(texts))


@pytest.mark.parametrize("mode", ASKING)
def test_a_text_that_a_function_makes_too_long_is_refused(mode):
    long = {"context_str": lambda **values: "word " * 500 if values["context_str"] else ""}
    template = PromptTemplate("{context_str} {query_str}", function_mappings=long)
    templates = dict.fromkeys(["text_qa_template", "summary_template"], template)
    helper = PromptHelper(300, 50)
    synthesizer = get_response_synthesizer(mode, prompt_helper=helper, **templates)
    with pytest.raises(BudgetError, match="function_mappings"):
        synthesizer.plan("Who kept it?", ["a"])


def check_origins(world: World, trace: Trace) -> None:
    """Every span says where its text comes from, and prompts are nothing but their spans."""
    answers = {call.number: call.answer or "" for call in trace.calls}
    for call in trace.calls:
        assert call.prompt.text == "".join(str(span.text) for span in call.prompt.spans)
        for span in call.prompt.spans:
            if span.kind in ("context", "answer"):
                check_placed(span.text, world.chunks, answers)
            else:
                assert span.text.origins == ()


def check_placed(text: Text, chunks: tuple[str, ...], answers: dict[int, str]) -> None:
    """Every character is where its origin says; only separators come from nowhere."""
    shown, at = str(text), 0
    for offset, (kind, number, start, end) in text.placed:
        source = chunks[number - 1] if kind == "chunk" else answers[number]
        assert 0 <= start < end <= len(source)
        assert shown[offset : offset + end - start] == source[start:end]
        assert not shown[at:offset].strip("\n")
        at = offset + end - start
    assert not shown[at:].strip("\n")


ENOUGH = 60  # tokens for a chunk: with so many, no budget is impossible


def rooms(world: World, mode: str) -> list[int]:
    """Tokens that the templates of a mode leave for a chunk, by plain counting."""

    def room(template: str, context: str, padding: int, answer: str = "") -> int:
        filled = template.replace("{" + context + "}", "").replace("{existing_answer}", answer)
        filled = filled.replace("{query_str}", world.query).replace("{tone}", world.tone)
        left = world.context_window - world.num_output - world.count(filled)
        return left // template.count("{" + context + "}") - padding

    if mode not in ("refine", "compact"):
        return [room(world.question, "context_str", 0)]
    padding = world.padding or 0
    answer = " answer" * world.num_output
    return [
        room(world.question, "context_str", padding),
        room(world.refine, "context_msg", padding),
        room(world.refine, "context_msg", padding, answer),
    ]


def check_refused(world: World, mode: str, trace: Trace, problem: SynthError | None) -> None:
    """Only impossible budgets are refused, before the first call, and by a plan as well."""
    synthesizer = world.synthesizer(mode)
    if not isinstance(problem, BudgetError):
        synthesizer.plan(**world.asked)
        return
    assert trace.calls == ()
    assert min(rooms(world, mode)) < ENOUGH, problem
    assert any(char.isdigit() for char in str(problem))
    with pytest.raises(BudgetError) as planned:
        synthesizer.plan(**world.asked)
    assert str(planned.value) == str(problem)


def check_cut_off(world: World, trace: Trace) -> None:
    """What simple_summarize does not send is what it reports as lost."""
    joined = "\n".join(world.chunks).lstrip()
    sent = next(str(span.text) for span in trace.calls[0].prompt.spans if span.kind == "context")
    assert joined.startswith(sent)
    lost = [
        part.text[stretch.start : stretch.end] for part in trace.coverage for stretch in part.lost
    ]
    assert "".join("".join(lost).split()) == "".join(joined[len(sent) :].split())


BLANK = st.sampled_from(["", " ", "\n\n", "\t \u3000"])


@given(WORLDS, st.sampled_from(ASKING), st.lists(BLANK, max_size=3))
@examples(150)
def test_blank_chunks_cost_nothing(world: World, mode: str, blanks: list[str]):
    solid = tuple(chunk for chunk in world.chunks if chunk.strip())
    bare, padded = (
        World(**{**vars(world), "chunks": chunks}) for chunks in (solid, (*blanks, *solid, *blanks))
    )
    (without, _), (beside, _) = bare.run(mode), padded.run(mode)
    if mode == "simple_summarize":  # its line breaks are sent
        assert len(without.calls) == len(beside.calls)
        return
    assert plans.prompts(without) == plans.prompts(beside)
    assert without.response == beside.response
