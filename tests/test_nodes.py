"""Nodes and questions as callers have them: bare, from a generator, of llama-index-core."""

import pytest
from llama_index.core.schema import BaseNode, QueryBundle, TextNode
from llama_index.core.schema import Document as TheirDocument
from llama_index.core.schema import NodeWithScore as TheirNodeWithScore

from synth import BM25Index, Node, NodeWithScore, get_response_synthesizer
from synth.llms import FunctionLLM

TEXTS = ["Ada kept it.", "Bo left."]
META = {"file": "a.md", "secret": 1}
KINDS = {
    "nodes": lambda text: Node(text, META, ["secret"]),
    "with scores": lambda text: NodeWithScore(Node(text, META, ["secret"]), 0.5),
    "of llama-index": lambda text: TextNode(
        text=text, metadata=META, excluded_llm_metadata_keys=["secret"]
    ),
    "of llama-index with scores": lambda text: TheirNodeWithScore(
        node=TheirDocument(text=text, metadata=META, excluded_llm_metadata_keys=["secret"]),
        score=0.5,
    ),
}
each_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
each_way = pytest.mark.parametrize("way", [list, tuple, iter, lambda nodes: (n for n in nodes)])


def made(mode="accumulate", **options):
    return get_response_synthesizer(mode, FunctionLLM(lambda prompt: prompt), **options)


def chunks_of(response):
    return response.trace.setup.chunks


@each_way
@each_kind
async def test_every_kind_of_node_in_every_kind_of_collection_is_read(kind, way):
    nodes = [kind(text) for text in TEXTS]
    texts = tuple(f"file: a.md\n\n{text}" for text in TEXTS)
    for response in (
        made().synthesize("who?", way(nodes)),
        await made().asynthesize("who?", way(nodes)),
    ):
        assert chunks_of(response) == texts
        assert [source.node.get_content("none") for source in response.source_nodes] == TEXTS
        assert {source.score for source in response.source_nodes} <= {0.5, None}
        assert list(response.metadata.values()) == [META, META]
        assert "Ada kept" in response.get_formatted_sources()


def test_nodes_of_llama_index_need_no_cast() -> None:  # mypy reads what is annotated
    bare: list[BaseNode] = [TextNode(text=text) for text in TEXTS]
    ranked = [TheirNodeWithScore(node=node, score=0.5) for node in bare]
    response = made("refine").synthesize(QueryBundle("who?"), ranked, bare)
    assert len(response.source_nodes) == 2 * len(TEXTS)
    assert [node.get_content() for node in BM25Index(bare).nodes] == TEXTS


async def test_a_node_with_a_score_stays_the_one_that_was_given():
    for given in (KINDS["with scores"]("a"), KINDS["of llama-index with scores"]("a")):
        assert made().synthesize("who?", [given]).source_nodes[0] is given
        assert (await made().asynthesize("who?", [given])).source_nodes[0] is given


async def test_further_sources_may_be_bare_or_come_from_a_generator():
    nodes, more = [Node("a")], [Node("b"), NodeWithScore(Node("c"), 0.1)]
    one = made().synthesize("who?", nodes, iter(more))
    other = await made().asynthesize("who?", nodes, additional_source_nodes=iter(more))
    for response in (one, other):
        assert [source.node.text for source in response.source_nodes] == ["a", "b", "c"]
        assert chunks_of(response) == ("a",)


@pytest.mark.parametrize("streaming", [False, True])
async def test_a_query_bundle_is_its_query_str(streaming):
    bundle, nodes = QueryBundle("who?"), [Node("Ada")]
    one, other = made("compact", streaming=streaming), made("compact")
    assert str(one.synthesize(bundle, nodes)) == str(other.synthesize("who?", nodes))
    assert str(await other.asynthesize(bundle, nodes)) == str(other.synthesize("who?", nodes))
    assert other.plan(bundle, ["Ada"]).setup == other.plan("who?", ["Ada"]).setup
    assert other.get_response(bundle, ["Ada"]) == other.get_response("who?", ["Ada"])
