"""Dumps of LangChain, LlamaIndex and Haystack, uploaded as JSON and JSON lines."""

import json

import pytest
from llama_index.core.schema import (
    Document,
    ImageNode,
    MediaResource,
    MetadataMode,
    Node,
    TextNode,
)
from llama_index.core.schema import NodeWithScore as Scored
from llama_index.core.storage.docstore import SimpleDocumentStore

from synth.documents import Loaded, read_file
from synth.errors import SynthError

NODE = TextNode(
    text='One, "two"\n\nthree',
    id_="n-1",
    metadata={"file_name": "report.txt", "page_label": "3"},
    excluded_llm_metadata_keys=["file_name"],
)
SENT = NODE.get_content(MetadataMode.LLM)
SCORED = Scored(node=NODE, score=0.51234)

# As langchain-core 1.8 and haystack-ai 3.4 write them.
LANGCHAIN = {"id": "d1", "metadata": {"source": "a.txt", "page": 0}, "page_content": "One"}
CONSTRUCTED = {
    "lc": 1,
    "type": "constructor",
    "id": ["langchain", "schema", "document", "Document"],
    "kwargs": LANGCHAIN,
}
META = {"file_path": "r.pdf", "page_number": 3}
FLAT = {"id": "h1", "content": "One", "blob": None, "score": 0.5, "embedding": None, **META}
HAYSTACK = {"id": "h1", "content": "One", "blob": None, "meta": META, "score": 0.5}


def only(name, text):
    [loaded] = read_file(name, text.encode())
    assert loaded.kind == "document"
    return loaded.text, loaded.source


def problem(name, value):
    with pytest.raises(SynthError) as raised:
        read_file(name, json.dumps(value).encode())
    return str(raised.value)


@pytest.mark.parametrize(
    ("value", "known"),
    [
        (LANGCHAIN, "a.txt · id d1"),
        (CONSTRUCTED, "a.txt · id d1"),
        ([LANGCHAIN, 0.81234], "a.txt · id d1 · score 0.812"),
        ({**LANGCHAIN, "id": None, "metadata": {}}, ""),
        (NODE.to_dict(), "report.txt, page 3 · id n-1"),
        (SCORED.to_dict(), "report.txt, page 3 · id n-1 · score 0.512"),
        (SCORED.model_dump(), "report.txt, page 3 · id n-1 · score 0.512"),
        (Document(text="x", id_="doc").to_dict(), "id doc"),
        (
            Node(text_resource=MediaResource(text="x"), id_="m", metadata={"url": "u"}).to_dict(),
            "u · id m",
        ),
        (HAYSTACK, "r.pdf, page 3 · id h1 · score 0.5"),
        (FLAT, "r.pdf, page 3 · id h1 · score 0.5"),
        ("x", ""),
    ],
)
def test_a_document_is_read_with_what_is_known_of_it(value, known):
    line = json.dumps(value, default=str)
    [text, source] = only("dump.jsonl", f"\n{line}\n")
    assert text in {"One", "x", "url: u\n\nx", SENT}
    assert source == " · ".join(filter(None, [known, "dump.jsonl, line 2"]))
    assert only("dump.json", f"[{line}]")[0] == text


@pytest.mark.parametrize(
    "node",
    [
        NODE,
        TextNode(text="{key}", metadata={"k": "{value} {content}", "n": None, "x": 1.5}),
        TextNode(text=" all hidden ", metadata={"a": "x"}, excluded_llm_metadata_keys=["a"]),
        TextNode(
            text="One",
            metadata={"A b": 1, "c": "d"},
            metadata_template="<{key}={value}>",
            metadata_seperator=" | ",
            text_template="[{metadata_str}] {{{content}}} ",
        ),
        Document(text="One", metadata={"a": "x"}),
    ],
)
def test_a_node_has_the_text_that_llama_index_sends_of_it(node):
    sent = node.get_content(MetadataMode.LLM)
    for value in (node.to_dict(), Scored(node=node, score=0.5).to_dict()):
        assert only("dump.json", json.dumps(value))[0] == sent


@pytest.mark.parametrize(
    "value",
    [
        [LANGCHAIN, CONSTRUCTED],
        {"first": LANGCHAIN, "second": FLAT},
        {"question": "?", "context": [LANGCHAIN, CONSTRUCTED], "answer": "!"},
        {"response": "!", "source_nodes": [HAYSTACK, HAYSTACK]},
        {"type": "a.Store", "init_parameters": {}, "documents": [HAYSTACK, FLAT]},
    ],
)
def test_lists_and_stores_are_read(value):
    found = read_file("dump.json", json.dumps(value).encode())
    assert [loaded.text for loaded in found] == ["One", "One"]
    assert [loaded.source.rpartition(" · ")[2] for loaded in found] == [
        "dump.json, document 1",
        "dump.json, document 2",
    ]


def test_a_docstore_is_read_without_its_pictures(tmp_path):
    store = SimpleDocumentStore()
    store.add_documents([NODE, ImageNode(image_url="x"), TextNode(text="Four", id_="n-2")])
    store.persist(str(tmp_path / "docstore.json"))
    assert read_file("docstore.json", (tmp_path / "docstore.json").read_bytes()) == [
        Loaded(SENT, "report.txt, page 3 · id n-1 · docstore.json, document 1", "document"),
        Loaded("Four", "id n-2 · docstore.json, document 3", "document"),
    ]


@pytest.mark.slow
def test_embeddings_do_not_count_as_text():
    data = json.dumps([{**HAYSTACK, "embedding": [0.123456] * 300_000}]).encode()
    assert len(data) > 2_000_000
    [loaded] = read_file("dump.json", data)
    assert loaded.text == "One"


def test_a_document_without_text_is_named_with_its_fields():
    assert problem("a.json", [LANGCHAIN, {"id": 1, "title": "x"}]) == (
        "a.json, document 2 holds no text. Its fields are id, title: give the one with the text one"
        " of these names: text, page_content, content, chunk, body, passage."
    )
    assert "a.json, document 1 holds no text. Its fields are page_content" in problem(
        "a.json", [{"page_content": None}]
    )
    span = {"name": "query", "context": {"trace_id": "0xabc", "span_id": "0x1"}}
    assert "Its fields are name, context:" in problem("a.jsonl", span)
    assert problem("a.json", 5).startswith("a.json holds no text: give a string")
    assert "only white space" in problem("a.json", [])


def test_what_is_nested_too_deeply_is_refused():
    for name, text in (
        ("a.json", "[" * 100_000),
        ("a.json", "[" * 900 + "]" * 900),
    ):
        with pytest.raises(SynthError, match=f"{name}.*(nested too deeply|holds no text)"):
            read_file(name, text.encode())
