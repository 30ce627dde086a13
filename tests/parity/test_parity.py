"""The whole of a run, and the parts of packing one by one, are those of llama-index-core."""

import re
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest
from llama_index.core.base.llms.types import LLMMetadata as TheirMetadata
from llama_index.core.indices.prompt_helper import PromptHelper as TheirHelper
from llama_index.core.node_parser import TokenTextSplitter as TheirSplitter
from llama_index.core.prompts import ChatPromptTemplate as TheirChat
from llama_index.core.prompts import PromptTemplate as TheirTemplate
from llama_index.core.schema import NodeWithScore as TheirScored
from llama_index.core.schema import TextNode
from llama_index.core.utils import set_global_tokenizer

from synth import (
    ChatPromptTemplate,
    Node,
    NodeWithScore,
    PromptHelper,
    PromptTemplate,
    TokenTextSplitter,
)
from synth.errors import BudgetError, TemplateError
from synth.traces.reading import Limits, helper_of
from tests.examples import share
from tests.parity import generate, ours, package, texts
from tests.parity.cases import MAX_CALLS, SMALL, Case, Model, Outcome
from tests.parity.package import tokenizer

SEED, RUNS, RUNS_AT_ONCE = 20_250, share(200), 20


def check(case: Case) -> Outcome:
    theirs, found = package.run(case), ours.run(case)
    if case.together and theirs.refusal == found.refusal == "model":
        # They send the rest of the batch after a call has failed; we send no more.
        theirs = replace(theirs, prompts=theirs.prompts[: len(found.prompts)])
    assert found == theirs, case
    return found


@pytest.mark.parametrize("first", range(0, RUNS, RUNS_AT_ONCE))
def test_random_cases(first):
    for number in range(first, first + RUNS_AT_ONCE):
        check(generate.case(Random(SEED + number)))


@pytest.mark.parametrize(
    "case",
    [
        Case("simple_summarize", "q", ("it's",), templates=SMALL),
        Case("accumulate", "q", ("a b", "c"), templates=SMALL, variables={"separator": " / "}),
        Case("compact", "q", ("<|endoftext|>" * 300,), 300, 50, padding=5, templates=SMALL),
        Case("generation", "q", ("a",), templates={**SMALL, "simple_template": "{context_str}"}),
    ],
)
def test_odd_cases(case):
    check(case)


def case_of(mode: str, **fields: object) -> Case:
    chunks = tuple(f"{name} " * 60 for name in ("alpha", "bravo", "charlie", "delta"))
    fields = {"context_window": 160, "num_output": 20, "padding": 5, **fields}
    return Case(mode, "which?", chunks, templates=SMALL, **fields)  # type: ignore[arg-type]


def test_a_chat_of_one_message_is_sent_with_its_role_on_both_sides():
    found = check(case_of("compact", is_chat=True))
    assert found.prompts[0].startswith("user: alpha alpha")
    assert found.prompts[0].endswith("which?\nassistant: ")


def test_a_tree_that_never_ends_reaches_the_cap_on_both_sides():
    found = check(case_of("tree_summarize", answers="echo:150"))
    assert found.refusal == "cap"
    assert len(found.prompts) == MAX_CALLS


@pytest.mark.parametrize("mode", ["tree_summarize", "accumulate", "compact_accumulate"])
@pytest.mark.parametrize("entry", ["get_response", "aget_response"])
def test_a_model_that_fails_ends_the_run_on_both_sides(mode, entry):
    found = check(case_of(mode, entry=entry, answers="raise:1"))
    assert found.refusal == "model"
    assert len(found.prompts) == 1


def test_refine_takes_a_failure_for_no_answer_on_both_sides():
    found = check(case_of("refine", answers="raise:1"))
    assert found.refusal is None
    assert found.final == "Empty Response"
    assert len(found.prompts) > 1


def test_pieces_cut_again_go_out_in_reverse_on_both_sides():
    words = " ".join(f"n{number}" for number in range(100, 280))
    found = check(replace(case_of("refine", answers="echo:60"), chunks=(words,)))
    firsts = [re.findall(r"n\d{3}", prompt)[0] for prompt in found.prompts]
    assert firsts[0] == "n100"
    assert firsts[1] > firsts[2]


CASES, AT_ONCE = share(180), 60
TEMPLATES = [*texts.QUESTION_TEMPLATES, *texts.REFINE_TEMPLATES]
each_share = pytest.mark.parametrize("first", range(0, CASES, AT_ONCE))


def dice_of(first, salt):
    return [Random(f"{salt} {number}") for number in range(first, first + AT_ONCE)]


def encoding_of(dice):
    return dice.choice(["cl100k_base", "o200k_base"])


def special(encoding):
    """Our tokenizer, reading special tokens as theirs does."""
    return PromptHelper(tokenizer=encoding).with_special_tokens().tokenizer


def test_a_recording_that_says_no_limits_has_theirs():
    theirs, ours = TheirHelper.from_llm_metadata(TheirMetadata()), helper_of(Limits())
    for limit in ("context_window", "num_output", "chunk_overlap_ratio", "chunk_size_limit"):
        assert getattr(ours, limit) == getattr(theirs, limit)


@pytest.mark.slow
@each_share
def test_splitter(first):
    for dice in dice_of(first, "split"):
        encoding, size = encoding_of(dice), dice.choice([1, 2, 3, 5, 10, 20, 50, 200])
        options = {
            "chunk_size": size,
            "chunk_overlap": dice.randint(0, size),
            "separator": dice.choice([" ", " ", "\n\n", ".", "。"]),
            "backup_separators": dice.choice([["\n"], ["\n"], [], [".", ","]]),
            "keep_whitespaces": dice.random() < 0.3,
        }
        usual = ["", " ", "\n", "🚀", "  lead and trail  "]
        text = dice.choice([*usual, *(texts.text(dice, dice.randint(1, 400)) for _ in range(9))])
        theirs = TheirSplitter(**options, tokenizer=tokenizer(encoding)).split_text(text)
        ours = TokenTextSplitter(**options, tokenizer=special(encoding)).split_text(text)
        assert ours == theirs, (text, options)


def helpers(dice):
    """The same limits for them and for us."""
    encoding = encoding_of(dice)
    limits = {
        "context_window": dice.choice([100, 300, 600]),
        "num_output": dice.choice([0, 50]),
        "chunk_overlap_ratio": dice.choice([0, 0.1, 0.5, 1.0]),
        "chunk_size_limit": dice.choice([None, 30]),
    }
    ours = PromptHelper(**limits, tokenizer=encoding).with_special_tokens()
    return TheirHelper(**limits, tokenizer=tokenizer(encoding)), ours


def result(function):
    """What a function gives, or the word for an impossible budget."""
    try:
        return function()
    except BudgetError:
        return "impossible"
    except ValueError as problem:
        if "is not positive" in str(problem) or "was not non-negative" in str(problem):
            return "impossible"
        raise


@pytest.mark.slow
@each_share
def test_repack_and_truncate(first):
    for dice in dice_of(first, "pack"):
        theirs, ours = helpers(dice)
        template, chunks = dice.choice(TEMPLATES), list(texts.chunks(dice, 200))
        stored = dice.choice([{}, {"query_str": texts.text(dice, 20)}])
        padding = dice.choice([0, 5, 100])
        their_template = TheirTemplate(template, **stored)
        our_template = PromptTemplate(template, **stored)
        assert result(partial(ours.repack, our_template, chunks, padding=padding)) == result(
            partial(theirs.repack, their_template, chunks, padding=padding)
        )
        solid = [chunk for chunk in chunks if chunk.strip()]  # theirs fails on long white space
        assert result(partial(ours.truncate, our_template, solid, padding=padding)) == result(
            partial(theirs.truncate, their_template, solid, padding=padding)
        )


@each_share
def test_room_for_a_chunk(first):
    for dice in dice_of(first, "room"):
        theirs, ours = helpers(dice)
        template = dice.choice(TEMPLATES)
        sizes = {"num_chunks": dice.randint(1, 4), "padding": dice.choice([0, 5, 100])}
        their_splitter = theirs.get_text_splitter_given_prompt
        found = result(partial(ours.chunk_size, PromptTemplate(template), **sizes))
        splitter = result(partial(their_splitter, TheirTemplate(template), **sizes))
        if found == "impossible":
            assert splitter == "impossible"
        else:
            assert found == splitter.chunk_size
            assert ours.splitter(found).chunk_overlap == splitter.chunk_overlap


@pytest.mark.parametrize("role", ["system", "user", "assistant", "tool", "function"])
@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
def test_room_beside_a_message_of_each_role(role, encoding):
    """Texts are weighed by their global tokenizer, whichever one the helper has."""
    messages = [(role, "你好，世界！ {tone} {größe}"), ("user", "{context_str} <|endoftext|>")]
    sizes = {"context_window": 300, "num_output": 50}
    theirs = TheirHelper(**sizes, tokenizer=tokenizer(encoding))
    ours = PromptHelper(**sizes, tokenizer=encoding, message_tokenizer="cl100k_base")
    set_global_tokenizer(tokenizer("cl100k_base"))
    size = theirs.get_text_splitter_given_prompt(TheirChat.from_messages(messages)).chunk_size
    chat = ChatPromptTemplate.from_messages(messages)
    assert ours.with_special_tokens().chunk_size(chat) == size
    if encoding == "cl100k_base":
        same = PromptHelper(**sizes, tokenizer=encoding).with_special_tokens()
        assert same.chunk_size(chat) == size


@pytest.mark.parametrize("name", ["tone", "größe", "语气", "tone-1", "a.b", "a b", "0"])
@pytest.mark.parametrize("mappings", [{}, {"template_var_mappings": {"query_str": "größe"}}])
def test_names_that_are_filled(name, mappings):
    text = f"{{{name}}} {{{{{name}}}}} {{größe}} {{query_str}}"
    values = {name: "dry", "query_str": "q"}
    theirs, ours = TheirTemplate(text, **mappings), PromptTemplate(text, **mappings)
    assert ours.format(**values) == theirs.format(**values)
    messages = [("system", text), ("user", text)]
    their_chat = TheirChat.from_messages(messages, **mappings)
    our_chat = ChatPromptTemplate.from_messages(messages, **mappings)
    assert [message.content for message in our_chat.format_messages(**values)] == [
        message.content for message in their_chat.format_messages(**values)
    ]
    assert our_chat.template_vars == their_chat.template_vars


def test_a_function_that_gives_nothing():
    mappings = {"function_mappings": {"x": lambda **values: None, "a": lambda **values: None}}
    theirs, ours = TheirTemplate("{a}{x}", **mappings), PromptTemplate("{a}{x}", **mappings)
    assert ours.format(a=1) == theirs.format(a=1) == "NoneNone"


def test_a_model_is_no_value():
    text = "{llm} {query_str}"
    assert PromptTemplate(text).format(llm=1, query_str="q") == TheirTemplate(text).format(
        llm=None, query_str="q"
    )
    assert PromptTemplate(text).get_template(llm=None) == TheirTemplate(text).get_template(llm=None)


def loud(**values):
    return values.get("query_str", "nothing").upper()


@pytest.mark.parametrize("template", [*TEMPLATES, "{a} {{a}} {{{a}}} {b!r} {c:>5} {} {0} {a.b} {a"])
@pytest.mark.parametrize("stored", [{}, {"query_str": "q {tone_name}"}])
@pytest.mark.parametrize(
    "values",
    [
        {},
        {"context_str": "C", "tone_name": "T", "a": 1, "b!r": 2, "0": "z", "c:>5": "w"},
        {"query_str": "over", "my": "m", "a.b": "dot"},
    ],
)
@pytest.mark.parametrize(
    "mappings",
    [
        {},
        {"template_var_mappings": {"query_str": "a"}},
        {"template_var_mappings": {"my": "context_str"}},
        {"function_mappings": {"query_str": loud, "a": loud}},
    ],
)
def test_formatting(template, stored, values, mappings):
    theirs = TheirTemplate(template, **mappings).partial_format(**stored)
    ours = PromptTemplate(template, **mappings).partial_format(**stored)
    assert ours.format(**values) == theirs.format(**values)
    assert ours.template_vars == theirs.template_vars


def test_a_function_that_fails_is_named():
    template = PromptTemplate("{a}", function_mappings={"a": lambda **values: 1 / 0})
    with pytest.raises(TemplateError, match=r"function for \{a\} failed \(ZeroDivisionError"):
        template.format(a=1)


MESSAGES = [("system", "Be {tone}."), ("user", "{query_str}")]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (PromptTemplate("{a} {query_str}", a="1"), TheirTemplate("{a} {query_str}", a="1")),
        (ChatPromptTemplate(MESSAGES), TheirChat.from_messages(MESSAGES)),
    ],
)
def test_the_text_and_the_messages_are_those_of_llama_index(ours, theirs):
    assert ours.get_template() == theirs.get_template()
    values = {"tone": "brief", "query_str": "why"}
    one, other = ours.format_messages(**values), theirs.format_messages(**values)
    assert [message.content for message in one] == [message.content for message in other]
    assert [message.role for message in one] == [message.role.value for message in other]


def templates(kind: Any, **options: Any) -> dict[str, Any]:
    """Templates of a kind; what asks about a context has these options."""
    asks = ("text_qa_template", "summary_template")
    return {name: kind(text, **(options if name in asks else {})) for name, text in SMALL.items()}


def pair(case: Case, **options: Any) -> tuple[Any, Any, list[str], list[str]]:
    """Their synthesizer and ours of a case, and the prompts that each is going to send."""
    their_model, our_model = Model(case), Model(case)
    their_llm = package.CaseLLM(their_model)
    theirs = package.synthesizer_of(case, their_llm, **templates(TheirTemplate, **options))
    mine = ours.synthesizer_of(case, our_model, **templates(PromptTemplate, **options))
    return theirs, mine, their_model.prompts, our_model.prompts


CHUNKS = ("it's one", "two " * 60, "three")


@pytest.mark.parametrize("mode", ["simple_summarize", "accumulate", "compact", "tree_summarize"])
def test_functions_get_the_same_values(mode):
    seen: list[Any] = []

    def loud(**values: Any) -> str:
        context = values.get("context_str")
        # They give functions what their models make of messages, too.
        names = sorted(values.keys() - {"messages_to_prompt"})
        seen.append((context, names))
        return str(context).upper()

    case = Case(mode, "q?", CHUNKS, 900, 20)
    theirs, mine, their_prompts, our_prompts = pair(case, function_mappings={"context_str": loud})
    theirs.get_response(case.query, list(case.chunks))
    there = [each for each in seen if each[0]]
    seen.clear()
    mine.get_response(case.query, list(case.chunks))
    assert our_prompts == their_prompts
    here = [each for each in seen if each[0]]
    assert set(map(repr, here)) == set(map(repr, there))


@pytest.mark.parametrize("mode", ["refine", "compact"])
@pytest.mark.parametrize("answers", ["hash", "echo:10", "odd"])
def test_an_answer_that_is_stored_in_the_question_template(mode, answers):
    chunks = ("alpha " * 400, "beta " * 90)
    case = Case(mode, "q?", chunks, 160, 20, padding=5, answers=answers)
    stored = {"existing_answer": "an old answer"}
    theirs, mine, their_prompts, our_prompts = pair(case, **stored)
    there = theirs.get_response(case.query, list(chunks))
    assert mine.get_response(case.query, list(chunks)) == there
    assert our_prompts == their_prompts
    assert len(our_prompts) > 3


@pytest.mark.parametrize(
    "mode", ["refine", "compact", "tree_summarize", "simple_summarize", "no_text", "context_only"]
)
@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("chunks", [(), ("one",), ("one", "two")])
async def test_the_kind_of_the_response(mode, streaming, chunks):
    theirs, mine, *_ = pair(Case(mode, "q?", chunks, streaming=streaming))
    their_nodes = [TheirScored(node=TextNode(text=chunk)) for chunk in chunks]
    nodes = [NodeWithScore(Node(chunk)) for chunk in chunks]
    there, here = theirs.synthesize("q?", their_nodes), mine.synthesize("q?", nodes)
    assert type(here).__name__ == type(there).__name__
    there, here = await theirs.asynthesize("q?", their_nodes), await mine.asynthesize("q?", nodes)
    assert type(here).__name__ == type(there).__name__
