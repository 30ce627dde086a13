"""The values of a file and the records under any path in them, for chunks and for spans."""

import gzip
import io
import json

import docx
import pandas as pd
import pytest

from synth.documents import Loaded, read_file
from synth.documents.records import find_records, read_contents, read_frame
from synth.errors import SynthError

ROWS = [{"id": "1", "text": "Ada"}, {"id": "2", "text": "Bob, é"}]
LINES = "\n".join(map(json.dumps, ROWS))
FRAME = pd.DataFrame(ROWS)


def has_text(record):
    return isinstance(record.get("text"), str)


def records(contents):
    groups = [group for _, value in contents.values for group in find_records(value, has_text)]
    return [record for group in groups for record in group.records]


def test_a_frame_is_read_with_its_named_index():
    assert records(read_frame(FRAME.set_index("id"))) == ROWS


def test_what_is_no_value_is_counted_by_its_lines():
    contents = read_contents(f"Said:\n\n{LINES},\n{LINES}\n[1, 2\n")
    assert [line for line, _ in contents.values] == [3, 4, 5, 6]
    assert contents.left_out == [1, 7]
    assert "2 lines of the file are no JSON" in contents.notice
    assert not read_contents(LINES).notice


def test_what_stands_around_a_list_is_given_with_it():
    document = {"a": 1, "deep": {"b": 2, "list": ROWS}, "other": [ROWS[0], {"score": 1}]}
    first, second = find_records(document, has_text)
    assert first.parents == (document["deep"], document)
    assert (second.records, second.parents) == ([ROWS[0]], (document,))


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("[1, 2, 3]" * 5, "has 15 values, and 9 is the limit"),
        ("a,b\n" * 6, "has 10 cells, and 9 is"),
        (b"\1" * 60, "has 60 bytes, and 50 is"),
        (gzip.compress(b"a" * 60, mtime=0), "has 51 bytes, and 50 is"),
        (b"PAR1 and more", "can't be read as parquet"),
        (gzip.compress(LINES.encode(), mtime=0)[:-20], "gzip file is damaged"),
    ],
)
def test_what_can_not_be_read_says_why(data, problem):
    with pytest.raises(SynthError, match=problem):
        read_contents(data, most_bytes=50, most_values=9)


def test_too_many_broken_values_are_no_file():
    with pytest.raises(SynthError, match="What follows line 1 is no JSON"):
        read_contents('{"a"\n' * 200)


TEXT = "The pool held 8."
META = {"source": "a.txt", "page_label": "3"}
KNOWN, BRIEF = "a.txt, page 3 · id 1 · score 0.5", "a.txt · id 1 · score 0.5"
NODE = {"id_": "1", "metadata": META, "text": TEXT, "class_name": "TextNode"}
POINT = {"id": "1", "version": 3, "score": 0.5, "payload": {"document": TEXT, **META}}
MATCH = {"id": "1", "score": 0.5, "values": [], "metadata": {"text": TEXT, **META}}
BLOCK = {"type": "text", "text": TEXT}
STORED = {"score": 0.5, "payload": {"_node_content": json.dumps(NODE), "doc_id": "d"}}
GOT = {"content": TEXT, "_additional": {"id": "1", "distance": 0.5}}
OBJECT = {"uuid": "1", "metadata": {"score": 0.5}, "properties": {"body": TEXT, **META}}
HIT = {"_id": "1", "_score": 0.5, "_source": {"text": TEXT, "metadata": META}}
AZURE = {"@search.score": 0.5, "@search.captions": [{"text": "cut"}], "id": "1", "title": "a.txt"}
S3 = {"type": "S3", "s3Location": {"uri": "s3://a.txt"}}
BEDROCK = {"content": {"text": TEXT, "type": "TEXT"}, "score": 0.5, "location": S3}
OPENAI = {"file_id": "f", "filename": "a.txt", "score": 0.5, "content": [BLOCK]}
LLAMA_CLOUD = {"node": {"id_": "1", "extra_info": META, "text": TEXT}, "score": 0.5}
RANKED = {"index": 0, "relevance_score": 0.5, "document": {"text": TEXT}}
SEGMENT = {"id": "1", "content": TEXT, "document": {"id": "d", "name": "a.txt"}}
RAGFLOW = {"id": "1", "content": TEXT, "document_keyword": "a.txt", "similarity": 0.5}
WEBUI = {"source": {"name": "a.txt"}, "document": [TEXT], "metadata": [{}], "distances": [0.5]}
SQUAD = {"context": TEXT, "qas": [{"question": "What?", "answers": [{"text": "8"}]}]}
CHROMA = {"ids": [["1"]], "documents": [[TEXT]], "metadatas": [[META]], "distances": [[0.5]]}

FILES = {
    "Qdrant": ({"result": [POINT], "status": "ok", "time": 0.1}, KNOWN),
    "Qdrant's points": ({"result": {"points": [POINT]}}, KNOWN),
    "Qdrant's client": ([{**POINT, "payload": {"page_content": TEXT, "metadata": META}}], KNOWN),
    "Qdrant with LlamaIndex": ([STORED], KNOWN),
    "Pinecone": ({"matches": [MATCH], "namespace": "", "usage": {"read_units": 5}}, KNOWN),
    "Pinecone's vectors": ({"vectors": {"1": {**MATCH, "score": None}}}, "a.txt, page 3 · id 1"),
    "Weaviate": ({"data": {"Get": {"Doc": [GOT]}}}, "id 1 · distance 0.5"),
    "Weaviate's client": ({"objects": [OBJECT]}, KNOWN),
    "Elasticsearch": ({"took": 1, "hits": {"total": {"value": 1}, "hits": [HIT]}}, KNOWN),
    "Azure AI Search": ({"@odata.context": "x", "value": [{**AZURE, "chunk": TEXT}]}, BRIEF),
    "Bedrock": ({"retrievalResults": [BEDROCK]}, "s3://a.txt · score 0.5"),
    "OpenAI": ({"search_query": ["Why?"], "data": [OPENAI]}, "a.txt · score 0.5"),
    "Milvus": ([[{"id": "1", "distance": 0.5, "entity": {"text": TEXT}}]], "id 1 · distance 0.5"),
    "LlamaCloud": ({"pipeline_id": "p", "retrieval_nodes": [LLAMA_CLOUD]}, KNOWN),
    "LlamaParse": ({"pages": [{"page": 1, "text": TEXT, "md": "x", "items": [BLOCK]}]}, ""),
    "LlamaParse's client": ([{"pages": [{"page": 1, "md": TEXT}], "file_path": "a.pdf"}], ""),
    "Cohere": ({"id": "r", "results": [RANKED], "meta": {"api_version": {}}}, "score 0.5"),
    "Dify": ({"query": {"content": "?"}, "records": [{"segment": SEGMENT, "score": 0.5}]}, BRIEF),
    "RAGFlow": ({"data": {"doc_aggs": [{"doc_name": "a.txt"}], "chunks": [RAGFLOW]}}, BRIEF),
    "Open WebUI": (
        {"messages": [{"role": "assistant", "content": "8.", "sources": [WEBUI]}]},
        "a.txt · distance 0.5",
    ),
    "SQuAD": ({"version": "1.1", "data": [{"title": "Pool", "paragraphs": [SQUAD]}]}, ""),
    "chunks": ({"chunks": [TEXT]}, ""),
    "results": ({"results": [{"content": TEXT, "score": 0.5}]}, "score 0.5"),
    "contexts": ([{"question": "Why?", "answer": "8", "contexts": [TEXT]}], ""),
    "Chroma": (CHROMA, "a.txt, page 3 · id 1 · distance 0.5"),
    "BEIR": ({"_id": "1", "title": "Pool", "text": TEXT, "metadata": {}}, "Pool · id 1"),
    "pgvector": ([{"uuid": "1", "document": TEXT, "cmetadata": META}], "a.txt, page 3 · id 1"),
}


@pytest.mark.parametrize("product", FILES)
def test_the_chunks_of(product):
    value, known = FILES[product]
    for name, indent in (("a.json", None), ("a.jsonl", 2)):
        [loaded] = read_file(name, json.dumps(value, indent=indent).encode())
        assert loaded.text.endswith(TEXT)
        assert loaded.source == " · ".join(filter(None, [known, name]))


MARKUP = """<html><head><meta charset="windows-1251"><title>T</title><script>x()</script></head>
<body><h1>\u041f\u0443\u043b</h1><p>The <a href="x">pool</a> held 8.</p>
<table><tr><td>a<td>b</table>"""


def test_word_and_html_are_markdown():
    [page] = read_file("a.html", MARKUP.encode("cp1251"))
    assert page == Loaded(
        "# \u041f\u0443\u043b\n\nThe pool held 8.\n\n| a | b |\n| --- | --- |\n", "a.html"
    )
    document, file = docx.Document(), io.BytesIO()
    document.add_heading("Pools", 2)
    document.add_paragraph(TEXT, "List Bullet")
    document.add_table(1, 2).cell(0, 1).text = "b"
    document.save(file)
    text = "## Pools\n\n- The pool held 8.\n\n | b"
    assert read_file("a.docx", file.getvalue()) == [Loaded(text, "a.docx")]


def test_what_a_list_of_unknown_fields_has_is_named_where_it_stands():
    value = {"took": 1, "hits": {"hits": [{"id": 1, "satz": "x"}, {"id": 2, "satz": "y"}]}}
    with pytest.raises(SynthError, match="Its fields are id, satz: give the one with the text"):
        read_file("a.json", json.dumps(value).encode())
