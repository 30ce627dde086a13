"""Settings that no trace says are found by trying them, on runs that were recorded with them."""

from dataclasses import replace

import pytest
from llama_index.core.indices.prompt_helper import PromptHelper
from llama_index.core.prompts import ChatPromptTemplate, PromptTemplate
from llama_index.core.prompts.chat_prompts import CHAT_REFINE_PROMPT, CHAT_TEXT_QA_PROMPT
from llama_index.core.schema import MetadataMode

from synth.schema import Node, NodeWithScore
from synth.traces import fits
from tests.traces.recordings import room_in
from tests.traces.test_live import CHUNKS, record


def helper(**changes):
    return PromptHelper(**{"context_window": 1400, "num_output": 64, **changes})


def found(run):
    """The changes that fit; each of them does, and the run as it was read does not."""
    assert not run.verify().equal
    results = fits(run)
    for result in results:
        assert result.run.verify().equal
        assert result.run.verify().calls == len(run.calls)
    return [", ".join(result.changes) for result in results]


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "chat"), [("compact", True), ("tree_summarize", False)])
@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"chunk_overlap_ratio": 0.25}, "overlap 0.25"),
        ({"chunk_overlap_ratio": 0}, "overlap 0"),
        ({"chunk_size_limit": 200, "chunk_overlap_ratio": 0.3}, "overlap 0.3"),
    ],
)
def test_a_prompt_helper_of_the_applications_own(mode, chat, changes, named):
    run, _ = record(mode, chat=chat, prompt_helper=helper(**changes))
    [words] = found(run)
    assert named in words


@pytest.mark.parametrize(
    ("templates", "uncounted"),
    [({}, 4), ({"summary_template": PromptTemplate("{context_str}\n{query_str}")}, 8)],
)
def test_the_models_own_system_prompt(templates, uncounted):
    """It is recovered as a message; LlamaIndex counts it without its role, we with it."""
    system = "Be terse and kind. " * 5
    run, _ = record("tree_summarize", chat=True, system=system, **templates)
    assert run.templates["summary_template"].message_templates[0] == ("system", system)
    assert run.verify().equal
    assert run.helper.context_window == 1400
    assert run.packing.context_window == 1400 + uncounted
    taken = f"{uncounted} tokens fewer than here. To send the same prompts, this app takes a window"
    assert any(f"{taken} of {1400 + uncounted:,} for" in note for note in run.notes)
    own = helper(num_output=512)
    other, _ = record("tree_summarize", chat=True, system=system, prompt_helper=own, **templates)
    [words] = found(other)
    assert -448 in room_in(words)


def of_retriever(run, nodes):
    """The run, as if its chunks had been read from the retriever's documents."""
    return replace(
        run,
        chunks=tuple(NodeWithScore(node, 1.0) for node in nodes),
        certain=run.certain - {"chunks"},
    )


def test_chunks_whose_metadata_were_not_sent():
    run, _ = record("compact", metadata=False)
    nodes = [Node(each.text, {"file": "page.txt"}, id_=each.node.id_) for each in run.chunks]
    wrong = of_retriever(run, nodes)
    assert found(wrong)[0] == "chunks without their metadata"


def test_chunks_whose_metadata_were_sent():
    run, _ = record("compact")
    assert run.chunks[0].get_content(MetadataMode.LLM) == f"file: page-0.txt\n\n{CHUNKS[0]}"
    nodes = [Node(each.text, each.node.metadata, ("file",)) for each in run.chunks]
    wrong = of_retriever(run, nodes)
    assert found(wrong)[0] == "chunks with all of their metadata"


@pytest.mark.slow
def test_templates_that_were_no_selectors():
    run, _ = record("compact", chat=True)
    given, _ = record(
        "compact",
        chat=True,
        text_qa_template=ChatPromptTemplate(CHAT_TEXT_QA_PROMPT.message_templates),
        refine_template=ChatPromptTemplate(CHAT_REFINE_PROMPT.message_templates),
    )
    assert given.verify().equal
    assert (
        found(replace(given, templates=run.templates, certain=frozenset()))[0]
        == "templates compared as they were sent"
    )


def test_nothing_is_changed_where_all_prompts_are_equal():
    run, _ = record("compact")
    [fit] = fits(run)
    assert (fit.run, fit.changes) == (run, ())


def test_a_difference_has_its_number_and_both_prompts():
    run, _ = record("refine", chat=True)
    other = replace(run, chunks=(*run.chunks[:2], run.chunks[3]))
    difference = other.verify().first_difference
    assert difference.number == 3
    assert "w2x1" in difference.recorded
    assert "w3x1" in difference.prompt
    fewer = replace(run, chunks=run.chunks[:3]).verify()
    assert (fewer.calls, fewer.first_difference.number, fewer.first_difference.prompt) == (
        3,
        4,
        None,
    )
    more = replace(run, calls=run.calls[:3]).verify()
    assert (more.calls, more.first_difference.recorded) == (3, None)
