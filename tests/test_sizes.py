"""A size that is none is refused where it enters, with its value."""

import math
import re

import numpy as np
import pytest

from synth import BM25Index, Node, PromptHelper, TokenTextSplitter, get_response_synthesizer
from synth.errors import BudgetError, SynthError
from synth.llms import ExtractiveLLM, FunctionLLM, HumanLLM, OpenAILLM
from synth.modes.advice.what_if import totals
from synth.prompts.window import LLMMetadata
from synth.runs.events import Cap
from synth.runs.prices import Price

NO_NUMBERS = [math.nan, math.inf, -math.inf, -1, True, "8", [8], 10**30]
NO_COUNTS = [*NO_NUMBERS, 1.5, 8.0]


def planned(tokens):
    return get_response_synthesizer().plan("why?", ["a"], answer_tokens=tokens)


COUNTS = {
    "chunk_size": lambda size: TokenTextSplitter(size, 0),
    "chunk_overlap": lambda size: TokenTextSplitter(8, size),
    "context_window": PromptHelper,
    "num_output": lambda size: PromptHelper(num_output=size),
    "chunk_size_limit": lambda size: PromptHelper(chunk_size_limit=size),
    "response_padding_size": lambda size: get_response_synthesizer(response_padding_size=size),
    "max_concurrency": lambda size: get_response_synthesizer(max_concurrency=size),
    "similarity_top_k": lambda size: BM25Index([Node("a")]).as_retriever(size),
    "The cap of calls": lambda size: Cap(calls=size),
    "The cap of tokens": lambda size: Cap(tokens=size),
    "answer_tokens": planned,
    "max_retries": lambda retries: OpenAILLM(max_retries=retries),
}
MODELS = {
    "function": lambda **sizes: FunctionLLM(str, **sizes),
    "extractive": ExtractiveLLM,
    "human": HumanLLM,
    "openai": lambda **sizes: OpenAILLM(api_key="none", **sizes),
    "metadata": LLMMetadata,
}


@pytest.mark.parametrize("value", NO_COUNTS, ids=repr)
@pytest.mark.parametrize(("name", "made"), COUNTS.items(), ids=list(COUNTS))
def test_no_count_is_taken_for_one(name, made, value):
    shown = f"{value:,}" if type(value) is int else repr(value)
    with pytest.raises(SynthError, match=f"{name}.* is {re.escape(shown)}: give a whole number"):
        made(value)


@pytest.mark.parametrize(
    "name",
    ["chunk_size", "context_window", "chunk_size_limit", "max_concurrency", "similarity_top_k"],
)
def test_a_size_of_which_nothing_could_be_made_is_refused(name):
    with pytest.raises(SynthError, match=f"{name} is 0: give a whole number, 1 or more"):
        COUNTS[name](0)


@pytest.mark.parametrize("value", NO_COUNTS, ids=repr)
@pytest.mark.parametrize("size", ["context_window", "num_output"])
@pytest.mark.parametrize("made", MODELS.values(), ids=list(MODELS))
def test_no_model_has_sizes_that_are_none(made, size, value):
    with pytest.raises(SynthError, match=f"{size} is .*: give a whole number"):
        made(**{size: value})


@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("chunk_overlap_ratio", lambda share: PromptHelper(chunk_overlap_ratio=share)),
        ("The cap of dollars", lambda most: Cap(dollars=most, price=Price(1, 1))),
        ("The price of prompts", lambda price: Price(price, 1)),
        ("The price of answers", lambda price: Price(1, price)),
        ("timeout", lambda seconds: OpenAILLM(timeout=seconds)),
    ],
)
def test_no_number_is_taken_for_one(name, made, value):
    with pytest.raises(SynthError, match=f"{name} is {re.escape(repr(value))}: give a number, 0 "):
        made(value)


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint8])
def test_the_whole_numbers_of_numpy_are_sizes(kind):
    for made in COUNTS.values():
        made(kind(8))
    helper = PromptHelper(kind(120), kind(20), np.float64(0.1), kind(60))
    assert (helper.context_window, helper.num_output, helper.chunk_size_limit) == (120, 20, 60)
    assert FunctionLLM(str, kind(120), kind(20)).metadata.num_output == 20


@pytest.mark.parametrize("behaviour", ["documented", "llama_index"])
def test_a_plan_assumes_no_answer_that_fills_the_memory(behaviour):
    helper = PromptHelper(10**9, 10**8)
    synthesizer = get_response_synthesizer("tree_summarize", None, helper, behaviour)
    with pytest.raises(BudgetError, match=r"answer .* is 100,000,000: .* 0 to 1,000,000"):
        synthesizer.plan("why?", ["a"])
    assert synthesizer.plan("why?", ["a"], answer_tokens=100).call_count == 1
    problem = totals(synthesizer, "why?", ["a"]).problem
    assert problem is not None
    assert "100,000,000" in problem


def test_an_assumed_answer_of_no_tokens_ends_where_no_text_has_one():
    helper = PromptHelper(tokenizer=lambda text: ["begin", *text.split()])
    assert get_response_synthesizer("compact", None, helper).plan("why?", ["a"], 0).call_count == 1
