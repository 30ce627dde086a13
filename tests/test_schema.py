import pytest
from llama_index.core.base.response.schema import AsyncStreamingResponse as TheirAsyncStream
from llama_index.core.base.response.schema import Response as TheirResponse
from llama_index.core.base.response.schema import StreamingResponse as TheirStream
from llama_index.core.schema import BaseNode, QueryBundle
from llama_index.core.schema import Document as TheirDocument
from llama_index.core.schema import MetadataMode as TheirMode
from llama_index.core.schema import NodeWithScore as TheirNodeWithScore
from llama_index.core.schema import TextNode as TheirTextNode

from synth import (
    AsyncStreamingResponse,
    BM25Index,
    Document,
    MetadataMode,
    Node,
    NodeWithScore,
    Response,
    StreamingResponse,
    TextNode,
    get_response_synthesizer,
)
from synth.llms import FunctionLLM


async def aiter_of(*pieces):
    for piece in pieces:
        yield piece


NODE = Node("the text", {"file": "a.md", "page": 3}, ["page"], id_="n1")
SOURCES = [NodeWithScore(NODE), NodeWithScore(Node("x" * 30, id_="n2"))]


@pytest.mark.parametrize(
    ("mode", "content"),
    [
        (MetadataMode.NONE, "the text"),
        (MetadataMode.LLM, "file: a.md\n\nthe text"),
        (MetadataMode.ALL, "file: a.md\npage: 3\n\nthe text"),
    ],
)
def test_metadata_stand_above_the_text(mode, content):
    for same in (mode, mode.value, TheirMode[mode.name]):
        assert NODE.get_content(same) == content
        assert NodeWithScore(NODE).get_content(same) == content


def test_todays_names_of_a_node_make_one():
    assert TextNode(text="a", id_="1") == Document(text="a", id_="1") == Node("a", id_="1")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (Response, TheirResponse),
        (StreamingResponse, TheirStream),
        (AsyncStreamingResponse, TheirAsyncStream),
    ],
)
def test_sources_read_as_in_llama_index(ours, theirs):
    for length in (10, 100):
        formatted = ours("yes", SOURCES).get_formatted_sources(length=length)
        assert formatted == theirs("yes", SOURCES).get_formatted_sources(length=length)
        assert formatted.count("id: n") == len(SOURCES)


def test_a_stream_is_printed_piece_by_piece_and_finished(capsys):
    printed = []

    def pieces():
        for piece in "abc":
            printed.append(capsys.readouterr().out)
            yield piece

    response = StreamingResponse(pieces(), [NodeWithScore(NODE)], {"n1": {}})
    next(response.response_gen)
    response.print_response_stream()
    assert printed == ["", "a", "b"]
    response.print_response_stream()
    assert capsys.readouterr().out.endswith("abc")
    assert response.get_response() == Response("abc", [NodeWithScore(NODE)], {"n1": {}})


async def test_an_async_stream_is_printed_and_keeps_what_was_read(capsys):
    response = AsyncStreamingResponse(aiter_of(*"abc"), [NodeWithScore(NODE)])
    assert await anext(response.async_response_gen()) == "a"
    await response.print_response_stream()
    assert capsys.readouterr().out == "abc"
    whole = await response.get_response()
    assert (whole.response, whole.source_nodes) == ("abc", [NodeWithScore(NODE)])


TEXTS = ["Ada kept it.", "Bo left."]
META = {"file": "a.md", "secret": 1}
KINDS = {
    "nodes": lambda text: Node(text, META, ["secret"]),
    "with scores": lambda text: NodeWithScore(Node(text, META, ["secret"]), 0.5),
    "of llama-index": lambda text: TheirTextNode(
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
    bare: list[BaseNode] = [TheirTextNode(text=text) for text in TEXTS]
    ranked = [TheirNodeWithScore(node=node, score=0.5) for node in bare]
    response = made("refine").synthesize(QueryBundle("who?"), ranked, bare)
    assert len(response.source_nodes) == 2 * len(TEXTS)
    assert [node.get_content() for node in BM25Index(bare).nodes] == TEXTS


async def test_a_node_with_a_score_stays_the_one_that_was_given():
    for given in (KINDS["with scores"]("a"), KINDS["of llama-index with scores"]("a")):
        assert made().synthesize("who?", [given]).source_nodes[0] is given
        assert (await made().asynthesize("who?", [given])).source_nodes[0] is given


@pytest.mark.parametrize("streaming", [False, True])
async def test_a_query_bundle_is_its_query_str(streaming):
    bundle, nodes = QueryBundle("who?"), [Node("Ada")]
    one, other = made("compact", streaming=streaming), made("compact")
    assert str(one.synthesize(bundle, nodes)) == str(other.synthesize("who?", nodes))
    assert str(await other.asynthesize(bundle, nodes)) == str(other.synthesize("who?", nodes))
    assert other.plan(bundle, ["Ada"]).setup == other.plan("who?", ["Ada"]).setup
    assert other.get_response(bundle, ["Ada"]) == other.get_response("who?", ["Ada"])
