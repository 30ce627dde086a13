"""Templates with functions or stored values, and what kind of response comes of them."""

from typing import Any

import pytest
from llama_index.core import Settings
from llama_index.core.prompts import PromptTemplate as TheirTemplate
from llama_index.core.response_synthesizers import ResponseMode
from llama_index.core.response_synthesizers import get_response_synthesizer as theirs_of
from llama_index.core.schema import NodeWithScore as TheirScored
from llama_index.core.schema import TextNode
from llama_index.core.utils import set_global_tokenizer

from synth import FunctionLLM, Node, NodeWithScore, PromptTemplate, get_response_synthesizer
from tests.parity import ours, package
from tests.parity.cases import Case, Model

TEXT = "{context_str} {query_str}"
REFINE = "{existing_answer} {context_msg} {query_str}"


def templates(kind: Any, **options: Any) -> dict[str, Any]:
    return {
        "text_qa_template": kind(TEXT, **options),
        "refine_template": kind(REFINE),
        "summary_template": kind(TEXT, **options),
        "simple_template": kind("{query_str}"),
    }


def pair(case: Case, **options: Any) -> tuple[Any, Any, list[str], list[str]]:
    """Their synthesizer and ours of a case, and the prompts that each is going to send."""
    their_model, our_model = Model(case), Model(case)
    their_llm = package.CaseLLM(their_model)
    set_global_tokenizer(package.tokenizer(case.encoding))
    Settings.llm = their_llm
    theirs = theirs_of(
        llm=their_llm,
        response_mode=ResponseMode(case.mode),
        streaming=case.streaming,
        prompt_helper=package.helper(case),
        **templates(TheirTemplate, **options),
    )
    mine = get_response_synthesizer(
        case.mode,
        FunctionLLM(lambda prompt: ours._reply(our_model, prompt)),
        ours.helper(case),
        "llama_index",
        case.streaming,
        **templates(PromptTemplate, **options),
    )
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
    theirs._response_padding_size = 5
    given = templates(PromptTemplate, **stored)
    mine.configure(mine.prompt_helper, response_padding_size=5, **given)
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
