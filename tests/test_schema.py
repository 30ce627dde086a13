import pytest
from llama_index.core.base.response.schema import AsyncStreamingResponse as TheirAsyncStream
from llama_index.core.base.response.schema import Response as TheirResponse
from llama_index.core.base.response.schema import StreamingResponse as TheirStream
from llama_index.core.schema import MetadataMode as TheirMode
from pydantic import BaseModel

from synth import (
    AsyncStreamingResponse,
    Document,
    MetadataMode,
    Node,
    NodeWithScore,
    Response,
    StreamingResponse,
    TextNode,
)


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


class Fact(BaseModel):
    answer: str


def test_a_response_reads_as_text():
    assert str(Response("")) == ""
    assert str(Response(Fact(answer="yes"))) == '{"answer":"yes"}'


def test_a_stream_can_be_printed_and_finished(capsys):
    response = StreamingResponse(iter(["a ", "b ", "c"]), [NodeWithScore(NODE)], {"n1": {}})
    next(response.response_gen)
    response.print_response_stream()
    assert capsys.readouterr().out == "a b c"
    response.print_response_stream()
    assert capsys.readouterr().out == "a b c"
    whole = response.get_response()
    assert whole == Response("a b c", [NodeWithScore(NODE)], {"n1": {}})


def test_a_stream_is_printed_piece_by_piece(capsys):
    printed = []

    def pieces():
        for piece in "abc":
            printed.append(capsys.readouterr().out)
            yield piece

    StreamingResponse(pieces()).print_response_stream()
    assert printed == ["", "a", "b"]


async def test_an_async_stream_keeps_what_was_read():
    response = AsyncStreamingResponse(aiter_of(*"abc"), [NodeWithScore(NODE)])
    assert await anext(response.async_response_gen()) == "a"
    whole = await response.get_response()
    assert whole.response == "abc"
    assert whole.source_nodes == [NodeWithScore(NODE)]


async def test_an_async_stream_can_be_printed(capsys):
    response = AsyncStreamingResponse(aiter_of(*"abc"))
    await anext(response.response_gen)
    await response.print_response_stream()
    assert capsys.readouterr().out == "abc"
