"""Templates with functions or stored values, and what kind of response comes of them."""

from typing import Any

import pytest
from llama_index.core.prompts import PromptTemplate as TheirTemplate
from llama_index.core.schema import NodeWithScore as TheirScored
from llama_index.core.schema import TextNode

from synth import Node, NodeWithScore, PromptTemplate
from tests.parity import ours, package
from tests.parity.cases import SMALL, Case, Model


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
