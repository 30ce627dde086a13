"""What people paste and set has an answer or a refusal, with the numbers of its parts."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from synth import PromptHelper, PromptTemplate, get_response_synthesizer
from synth.errors import BudgetError, TemplateError
from synth.llms import FunctionLLM
from tests import plain

ASKING = [
    *("refine", "compact", "tree_summarize"),
    *("accumulate", "compact_accumulate", "simple_summarize"),
]
each_mode = pytest.mark.parametrize("mode", ASKING)


def made(mode, window=400, num_output=20, fn=lambda prompt: "short", **options):
    helper = PromptHelper(window, num_output)
    return get_response_synthesizer(mode, FunctionLLM(fn, window, num_output), helper, **options)


@pytest.mark.parametrize(
    ("padding", "lowered"),
    [(9, "the answer length or the safety margin"), (0, "the answer length")],
)
def test_a_refusal_says_only_what_can_be_lowered(padding, lowered):
    template = PromptTemplate("{context_str} " + "word " * 400)
    synthesizer = made("compact", text_qa_template=template, response_padding_size=padding)
    with pytest.raises(BudgetError, match=f"or lower {lowered}\\.$"):
        synthesizer.plan("why?", ["text"])


def test_a_template_is_not_said_to_have_the_tokens_of_the_answer_in_it():
    lengths = {"window": 284, "num_output": 123, "response_padding_size": 5}
    synthesizer = made("compact", **lengths, behaviour="llama_index")
    plan = synthesizer.plan("why? " * 10, ["text. " * 90] * 2)
    assert plan.problem is not None
    assert plan.problem.endswith("The template holds an existing answer of 123 tokens.")


def test_a_refusal_counts_the_answer_that_it_names():
    synthesizer = made("refine", window=220, num_output=80)
    with pytest.raises(BudgetError) as caught:
        synthesizer.plan("why?", ["text. " * 90])
    words = r"answer of (\d+) tokens \(num_output and 4 to spare\).*needs (\d+) of 220"
    said = re.search(words, str(caught.value))
    answer, needed = map(int, said.groups())
    empty = dict.fromkeys(("context_msg", "existing_answer"), "")
    bare = synthesizer.get_prompts()["refine_template"].format(query_str="why?", **empty)
    assert (answer, needed) == (84, plain.count(bare) + 84)


@each_mode
def test_two_megabytes_are_read(mode):
    text = "All the rivers run into the sea; yet the sea is not full. " * 35_000
    trace = made(mode, window=100_000, num_output=100).run("why?", [text])
    assert trace.response
    if mode != "simple_summarize":
        assert not any(chunk.lost for chunk in trace.coverage)
    else:
        assert trace.coverage[0].lost_tokens > 200_000


def test_a_question_larger_than_the_window():
    with pytest.raises(
        BudgetError,
        match=r"needs \d+ tokens and the answer length \(num_output\) is 20, in a window of 60",
    ):
        made("generation", window=60).run("why? " * 40, [])


@pytest.mark.parametrize(
    ("mode", "name", "text", "hint"),
    [
        ("compact", "text_qa_template", "{query_str}", "put {context_str} where it"),
        ("compact", "refine_template", "{context_str}", r"It has {context_str}, which is not"),
        ("tree_summarize", "summary_template", "{context}", "put {context_str} where it"),
        ("simple_summarize", "text_qa_template", "{context_msg}", "It has {context_msg}"),
    ],
)
def test_a_template_that_no_chunk_enters(mode, name, text, hint):
    with pytest.raises(TemplateError, match=f"{name} never receives the chunk text") as caught:
        made(mode, **{name: PromptTemplate(text)}).run("why?", ["a"])
    assert hint in str(caught.value)


TEMPLATES = {
    "text_qa_template": PromptTemplate("In {tone}: {context_str}\n{query_str}"),
    "refine_template": PromptTemplate("{query_str}\n{existing_answer}\n{context_msg} {tone}"),
}


BARE = {
    "text_qa_template": PromptTemplate("{context_str}{query_str}"),
    "refine_template": PromptTemplate("{existing_answer}{context_msg}{query_str}"),
}


def budgets(mode, query, chunks, window=300, templates=TEMPLATES, **options):
    llm = FunctionLLM(lambda prompt: "an answer of six tokens", window, 20)
    synthesizer = get_response_synthesizer(mode, llm, **templates, **options)
    trace = synthesizer.run(query, chunks, tone="a calm voice")
    return [trace.budget(call) for call in trace.calls], trace


WORDS = st.text(max_size=40) | st.sampled_from(["", "ing", "zation", "2", "\n", "s it?", "🚀"])


@given(
    WORDS, st.lists(st.text(max_size=200) | WORDS, max_size=4), st.sampled_from([TEMPLATES, BARE])
)
@example("ing", ["work"], BARE)
@example("", ["s are here", "1"], BARE)
def test_parts_and_what_is_left_are_the_window(query, chunks, templates):
    found, trace = budgets("refine", query, chunks, templates=templates)
    for part, call in zip(found, trace.calls, strict=True):
        assert part.prompt == call.prompt_tokens
        assert min(part.parts.values()) >= 0
        assert part.prompt + part.reserved + part.padding + part.free == part.window == 300
        assert part.over == 0


def test_a_prompt_over_the_window_says_by_how_much():
    options = {"behaviour": "llama_index", "response_padding_size": 0}
    [part], trace = budgets("refine", "why " * 280, ["one"], **options)
    over = trace.calls[0].prompt_tokens + 20 - 300
    assert part.over == over > 0
    assert part.free == part.padding == 0
