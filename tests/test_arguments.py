"""What can't be used, pasted or set is named where it enters, with the numbers of its parts."""

import math
import re
from typing import Any

import numpy as np
import pytest
from llama_index.core.prompts import PromptTemplate as TheirTemplate

import synth
from synth import (
    BaseSynthesizer,
    BM25Index,
    Cap,
    ChatPromptTemplate,
    Node,
    NodeWithScore,
    PromptHelper,
    PromptTemplate,
    QueryBundle,
    Settings,
    TokenTextSplitter,
    get_response_synthesizer,
    register,
)
from synth.errors import BudgetError, ModelError, SynthError, TemplateError
from synth.llms import ExtractiveLLM, FunctionLLM, HumanLLM, OpenAILLM
from synth.modes.adviser import totals
from synth.prompts.prompt_helper import LLMMetadata
from synth.runs.prices import LongPrice, Price
from tests import plain

TEMPLATE = "text_qa_template"


def made(mode="compact", **options):
    """A synthesizer whose model must not be asked."""
    return get_response_synthesizer(
        mode, FunctionLLM(lambda prompt: pytest.fail("asked")), **options
    )


def index():
    return BM25Index([Node("a")])


def assign_model(value):
    Settings.llm = value


ANYTHING = [None, 5, "text", b"text", ["text"], {"a": 1}, object(), 1.5, str, len]
NOT_NONE = ANYTHING[1:]
NO_STRING = [value for value in ANYTHING if not isinstance(value, str)]
NO_BOOL = ANYTHING
ENTRIES: dict[
    str, tuple[Any, str, list[Any]]
] = {  # what takes the value, what the message begins with, the values that it can't be
    "response_mode": (made, "There is no mode", ANYTHING),
    "behaviour": (lambda value: made(behaviour=value), "There is no behaviour", ANYTHING),
    "llm": (lambda value: get_response_synthesizer(llm=value), "The model is .*an LLM", NOT_NONE),
    "Settings": (assign_model, "The model is", NOT_NONE),
    "streaming": (lambda value: made(streaming=value), "streaming is", NO_BOOL),
    "prompt_helper": (lambda value: made(prompt_helper=value), "prompt_helper is", NOT_NONE),
    "template": (lambda value: made(**{TEMPLATE: value}), f"{TEMPLATE} is", [*NOT_NONE, "", 0]),
    "output_cls": (lambda value: made(output_cls=value), "output_cls is", [*NOT_NONE, dict]),
    "use_async": (lambda value: made(use_async=value), "use_async is", NO_BOOL),
    "empty_response": (
        lambda value: made(empty_response=value),
        "empty_response is",
        [5, b"text", ["text"], object()],
    ),
    "cap": (lambda value: made(cap=value), "cap is", NOT_NONE),
    "cache": (lambda value: made(cache=value), "cache is", NOT_NONE),
    "query": (lambda value: made().synthesize(value, [Node("a")]), "The question is", NO_STRING),
    "nodes": (
        lambda value: made().synthesize("q", value),
        "(nodes is|Node 1 is)",
        [None, 5, "text", "", ["text"], {"a": 1}, Node("a"), object()],
    ),
    "additional_source_nodes": (
        lambda value: made().synthesize("q", [], value),
        "(nodes is|Node 1 is)",
        [5, "text", ["text"], Node("a")],
    ),
    "text_chunks": (
        lambda value: made().get_response("q", value),
        "(text_chunks is|Text chunk 1 is)",
        [None, 5, "abc", b"abc", [None], [5], [Node("a")], object()],
    ),
    "QueryBundle": (QueryBundle, "The question is", NO_STRING),
    "tokenizer": (
        lambda value: PromptHelper(tokenizer=value),
        "There is no encoding .* here: give o200k_base or cl100k_base, or",
        [value for value in ANYTHING if not callable(value)],
    ),
    "price": (lambda value: Cap(price=value), "The price of a cap is", NOT_NONE),
    "spent": (lambda value: Cap(spent=value), "The spent part of a cap is", ANYTHING),
    "log": (lambda value: made().replay("q", ["a"], value), "log is", [None, 5, "text", ["text"]]),
    "stop": (lambda value: made().stream("q", ["a"], stop=value), "stop is", NOT_NONE),
    "separator": (
        lambda value: made("accumulate").get_response("q", ["a"], separator=value),
        "separator is",
        NO_STRING,
    ),
    "assume": (made().plan("q", ["a"]).assume, "answer_tokens is", [-1, 1.5, "text", True]),
    "arguments": (
        lambda name: OpenAILLM(api_key="k", arguments={name: "odd"}),
        "arguments has",
        ["model", "messages", "stream", "max_tokens", "max_completion_tokens"],
    ),
    "filled": (made().filled, "compact has no nope: name it", ["nope"]),
    "LongPrice": (
        lambda value: Price(1, 1, long=LongPrice(5, value, 1)),
        "What is said of long prompts is",
        NO_STRING[:1],
    ),
    "prompts": (made().update_prompts, "The prompts are", [None, 5, "text", ["text"]]),
    "prompt": (lambda value: made().update_prompts({TEMPLATE: value}), f"{TEMPLATE} is", ANYTHING),
    "PromptTemplate": (PromptTemplate, "The text of a template is", NO_STRING),
    "ChatPromptTemplate": (
        ChatPromptTemplate,
        "(The messages of a template are|A message of a template is|The text of a template is)",
        [*ANYTHING, [], [("user",)], [("user", None)]],
    ),
    "default_template": (
        lambda value: ChatPromptTemplate([("user", "{context_str}")], default_template=value),
        r".* is .*: give a PromptTemplate",
        NOT_NONE,
    ),
    "template_var_mappings": (
        lambda value: PromptTemplate("{a}", template_var_mappings=value),
        "The mappings of a template are",
        [5, "text", ["text"], object()],
    ),
    "Node": (Node, "The text of a Node is", NO_STRING),
    "metadata": (
        lambda value: Node("a", value),
        "The metadata of a Node are",
        [None, 5, "text", ["text"]],
    ),
    "excluded_llm_metadata_keys": (
        lambda value: Node("a", {}, value),
        "excluded_llm_metadata_keys is",
        [None, 5, "text", b"text", {"a": 1}],
    ),
    "NodeWithScore": (NodeWithScore, "The node of a NodeWithScore is", ANYTHING),
    "metadata_mode": (Node("a").get_content, "There is no metadata mode", ANYTHING),
    "BM25Index": (BM25Index, "(nodes is|Node 1 is)", [None, 5, "text", ["text"], Node("a")]),
    "response_synthesizer": (index().as_query_engine, "response_synthesizer is", NOT_NONE),
    "register": (register, ".* is not a subclass of BaseSynthesizer", ANYTHING),
    "FunctionLLM": (FunctionLLM, "fn is", [None, 5, "text", ["text"], object()]),
}


@pytest.mark.parametrize(
    ("entry", "begins", "value"),
    [(entry, begins, value) for entry, begins, values in ENTRIES.values() for value in values],
    ids=[
        f"{name}-{type(value).__name__}-{number}"
        for name, (_, _, values) in ENTRIES.items()
        for number, value in enumerate(values)
    ],
)
def test_a_wrong_argument_is_named_by_the_entry_that_takes_it(entry, begins, value):
    with pytest.raises(SynthError) as caught:
        entry(value)
    message = str(caught.value)
    assert re.match(begins, message)
    assert "has no attribute" not in message


async def test_waiting_with_asyncio_names_the_same():
    with pytest.raises(SynthError, match=r"Node 2 is 'b' \(str\): give Node"):
        await made().asynthesize("q", [Node("a"), "b"])
    with pytest.raises(SynthError, match="query_str can't be a custom variable"):
        await made().asynthesize("q", [Node("a")], query_str="x")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("structured_answer_filterin", "do you mean structured_answer_filtering?"),
        ("text_qa_templat", "do you mean text_qa_template?"),
        ("streamin", "do you mean streaming?"),
        ("response_mod", "do you mean response_mode?"),
        ("behavior", "do you mean behaviour?"),
        ("lm", "do you mean llm?"),
        ("llm_model", "the options are llm, response_mode, behaviour, text_qa_template,"),
        ("multimodal", "only text is synthesized here"),
        ("node_postprocessors", "change the nodes that a retriever found"),
        ("program_factory", "give output_cls"),
    ],
)
@pytest.mark.parametrize("kind", [get_response_synthesizer, synth.Refine, BaseSynthesizer])
def test_an_option_that_there_is_not_is_refused_with_the_nearest(kind, name, hint):
    with pytest.raises(SynthError, match=re.escape(f"There is no option {name}: {hint}")):
        kind(**{name: True})


def test_options_that_the_documents_pass_are_taken_and_have_no_effect():
    options = {"verbose": True, "callback_manager": object(), "service_context": None}
    one, other = get_response_synthesizer(**options), get_response_synthesizer()
    assert one.run("who?", ["Ada", "Bo"]) == other.run("who?", ["Ada", "Bo"])


def test_a_template_of_llama_index_is_refused_and_its_text_taken():
    theirs = TheirTemplate("{context_str} {query_str}")
    with pytest.raises(SynthError, match="give a PromptTemplate of synth, made of the text"):
        made(text_qa_template=theirs)
    ours = PromptTemplate(theirs.get_template())
    assert made(text_qa_template=ours).plan("who?", ["Ada"]).calls[0].prompt.text == "Ada who?"


@pytest.mark.parametrize("answer", [None, 5, b"text", ["text"]])
def test_a_function_that_gives_no_string_is_told_so(answer):
    synthesizer = get_response_synthesizer(llm=FunctionLLM(lambda prompt: answer))
    with pytest.raises(
        ModelError, match=r"The function gave .*: it must return a string"
    ) as caught:
        synthesizer.run("who?", ["Ada"])
    assert caught.value.trace.call_count == 1


def gives(value):
    class Gives(BaseSynthesizer):
        def get_response(self, query_str, text_chunks, **response_kwargs):
            return value

    return Gives()


@pytest.mark.parametrize("value", [None, 5, ["text"], b"text"])
async def test_a_custom_synthesizer_that_gives_no_text_is_told_so(value):
    with pytest.raises(SynthError, match=r"answer is .*: it must be a string, an object"):
        gives(value).synthesize("who?", [Node("Ada")])
    with pytest.raises(SynthError, match=r"answer is .*: it must be a string, an object"):
        await gives(value).asynthesize("who?", [Node("Ada")])


def test_a_synthesizer_and_its_options_together_are_refused():
    with pytest.raises(
        SynthError, match="response_synthesizer is given, and response_mode as well"
    ):
        index().as_query_engine(made(), response_mode="refine")


def test_filtering_is_refused_where_no_call_carries_an_answer():
    with pytest.raises(SynthError, match="its calls carry no answer"):
        get_response_synthesizer("accumulate", structured_answer_filtering=True)


def test_an_overlap_of_whole_chunks_is_refused_where_it_must_not_be_imitated():
    helper = PromptHelper(chunk_overlap_ratio=1.0)
    with pytest.raises(BudgetError, match=r"An overlap of 1 .*give 0.5 or less"):
        get_response_synthesizer("compact", FunctionLLM(str), helper)
    get_response_synthesizer("compact", FunctionLLM(str), helper, "llama_index")


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


ASKING = [
    *("refine", "compact", "tree_summarize"),
    *("accumulate", "compact_accumulate", "simple_summarize"),
]
each_mode = pytest.mark.parametrize("mode", ASKING)


def built(mode, window=400, num_output=20, fn=lambda prompt: "short", **options):
    helper = PromptHelper(window, num_output)
    return get_response_synthesizer(mode, FunctionLLM(fn, window, num_output), helper, **options)


@pytest.mark.parametrize(
    ("padding", "lowered"),
    [(9, "the answer length or the safety margin"), (0, "the answer length")],
)
def test_a_refusal_says_only_what_can_be_lowered(padding, lowered):
    template = PromptTemplate("{context_str} " + "word " * 400)
    synthesizer = built("compact", text_qa_template=template, response_padding_size=padding)
    with pytest.raises(BudgetError, match=f"or lower {lowered}\\.$"):
        synthesizer.plan("why?", ["text"])


def test_a_template_is_not_said_to_have_the_tokens_of_the_answer_in_it():
    lengths = {"window": 284, "num_output": 123, "response_padding_size": 5}
    synthesizer = built("compact", **lengths, behaviour="llama_index")
    plan = synthesizer.plan("why? " * 10, ["text. " * 90] * 2)
    assert plan.problem is not None
    assert plan.problem.endswith("The template holds an existing answer of 123 tokens.")


def test_a_refusal_counts_the_answer_that_it_names():
    synthesizer = built("refine", window=220, num_output=80)
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
    trace = built(mode, window=100_000, num_output=100).run("why?", [text])
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
        built("generation", window=60).run("why? " * 40, [])


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
        built(mode, **{name: PromptTemplate(text)}).run("why?", ["a"])
    assert hint in str(caught.value)


def test_a_prompt_over_the_window_says_by_how_much():
    options = {"behaviour": "llama_index", "response_padding_size": 0}
    trace = built("refine", 300, **options).run("why " * 280, ["one"])
    part = trace.budget(trace.calls[0])
    over = trace.calls[0].prompt_tokens + 20 - 300
    assert part.over == over > 0
    assert part.free == part.padding == 0
