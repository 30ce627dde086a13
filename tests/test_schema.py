import pytest
from pydantic import BaseModel

from synth import (
    AsyncStreamingResponse,
    MetadataMode,
    Node,
    NodeWithScore,
    Response,
    StreamingResponse,
)

NODE = Node("the text", {"file": "a.md", "page": 3}, ["page"], id_="n1")


@pytest.mark.parametrize(
    ("mode", "content"),
    [
        (MetadataMode.NONE, "the text"),
        (MetadataMode.LLM, "file: a.md\n\nthe text"),
        (MetadataMode.ALL, "file: a.md\npage: 3\n\nthe text"),
    ],
)
def test_metadata_stand_above_the_text(mode, content):
    assert NODE.get_content(mode) == content
    assert NodeWithScore(NODE).get_content(mode) == content


def test_without_metadata_the_text_is_as_it_is():
    assert Node(" text ").get_content(MetadataMode.LLM) == " text "
    assert Node("a").node_id != Node("a").node_id


def test_sources_are_cut_to_length():
    response = Response("yes", [NodeWithScore(NODE), NodeWithScore(Node("x" * 30, id_="n2"))])
    assert response.get_formatted_sources(length=10) == (
        "> Source (Doc id: n1): the text\n\n> Source (Doc id: n2): xxxxxxx..."
    )


class Fact(BaseModel):
    answer: str


def test_a_response_reads_as_text():
    assert str(Response("")) == ""
    assert str(Response(Fact(answer="yes"))) == '{"answer":"yes"}'


def test_a_stream_keeps_what_was_read():
    response = StreamingResponse(iter(["a", "b", "c"]))
    assert next(response.response_gen) == "a"
    assert str(response) == "abc"
    assert str(response) == "abc"
    assert list(response.response_gen) == []


async def test_an_async_stream_keeps_what_was_read():
    async def pieces():
        for piece in "abc":
            yield piece

    response = AsyncStreamingResponse(pieces(), [NodeWithScore(NODE)])
    assert await anext(response.async_response_gen()) == "a"
    whole = await response.get_response()
    assert whole.response == "abc"
    assert whole.source_nodes == [NodeWithScore(NODE)]
