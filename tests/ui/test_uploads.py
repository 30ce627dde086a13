"""Uploads: what each kind of file gives; none breaks the page, and none takes for ever."""

import io
import json
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llama_index.core.schema import Document, ImageNode, MediaResource, MetadataMode, Node, TextNode
from llama_index.core.schema import NodeWithScore as Scored
from llama_index.core.storage.docstore import SimpleDocumentStore

from synth.documents import MOST_MEGABYTES, TYPES, Loaded, pdf_word_html, read_file
from synth.documents.cutting import WAYS, Cutting, cut
from synth.documents.decoding import MOST_BYTES, MOST_CHUNKS
from synth.errors import SynthError
from tests.calls import calls_of
from tests.hostile import HOSTILE
from tests.ui.page import Playground
from tests.ui.pdf_files import pdf
from ui.controls.own_text import readable_texts


def texts(name, data):
    return [loaded.text for loaded in read_file(name, data)]


def problem(name, data):
    with pytest.raises(SynthError) as raised:
        read_file(name, data)
    return str(raised.value)


@pytest.mark.parametrize("name", ["notes.txt", "README.md", "LOUD.TXT"])
def test_a_text_is_one_text(name):
    assert read_file(name, b"one\r\n\r\ntwo\rthree") == [Loaded("one\n\ntwo\nthree", name)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@given(text=st.text(st.characters(codec="utf-8", exclude_characters="\r\0\ufeff"), min_size=1))
def test_unicode_is_read_whatever_its_form(encoding, text):
    data = text.encode(encoding)
    if text.strip():
        assert texts("a.txt", data) == [text]
    else:
        assert "only white space" in problem("a.txt", data)


@pytest.mark.parametrize(
    ("data", "text"), [(b"caf\xe9 5 \x80", "café 5 €"), (b"na\xefve \x81", "naïve \ufffd")]
)
def test_other_bytes_are_read_as_western_european(data, text):
    assert texts("a.txt", data) == [text]


@pytest.mark.parametrize(
    "data",
    [
        b"id,text\n1,one\n2,two\n",
        b"\xef\xbb\xbfid;Text\r\n1;one\r\n2;two\r\n",
        b"Content \tid\none\t1\ntwo\t2",
        b"anything\none\n\ntwo\n",
        b'passage,body,"a,b;c;d;e"\nx,one,1\ny,two,2\n',
        "id;text\n1;one\n2;two".encode("utf-16"),
        b"sep=;\nid;Chunk Text\n1;one\n2;two\n",
        b"1,one,0.5\n2,two,0.4\n",  # no header
    ],
)
def test_a_table_gives_a_text_a_row(data):
    assert texts("a.csv", data) == ["one", "two"]


def test_cells_may_hold_lines_quotes_and_separators():
    data = b'text,n\n"one,\n""two""",1\n" ",2\nthree,3\n'
    assert read_file("a.csv", data) == [
        Loaded('one,\n"two"', "a.csv, row 1", "document"),
        Loaded("three", "a.csv, row 3", "document"),
    ]


def test_lines_of_json_are_texts_or_have_one():
    data = '"one"\n\n{"n": 1, "Text": "tw\u2028o"}\n{"content": 5, "body": 6}'.encode()
    with pytest.raises(SynthError, match=r"a\.jsonl, line 4 holds no text"):
        read_file("a.jsonl", data)
    assert read_file("a.jsonl", data[: data.rindex(b"\n")]) == [
        Loaded("one", "a.jsonl, line 1", "document"),
        Loaded("tw\u2028o", "a.jsonl, line 3", "document"),
    ]


def test_a_pdf_gives_a_text_a_page_of_one_without_text_and_of_one_that_only_forbids_too():
    assert read_file("a.pdf", pdf("Page one", "", "Page three")) == [
        Loaded("Page one", "a.pdf, page 1", "page"),
        Loaded("", "a.pdf, page 2", "page"),
        Loaded("Page three", "a.pdf, page 3", "page"),
    ]
    assert texts("a.pdf", pdf("Only printing is forbidden", password="")) != []


def unpacked_to(size):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("document.xml", b" " * (size + 1))
    return file.getvalue()


ONE = b'"one"\n'
NO_KIND = "{} can't be read: give .txt, .md, .csv, .json, .jsonl, .pdf, .docx, .html, .htm files."
COLUMNS = ",".join(f"c{at}" for at in range(50)).encode()


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.csv", b"id,title\n1,one\n", "row 1 holds no text. Its fields are id, title: give"),
        ("a.csv", COLUMNS + b"\n" + COLUMNS, "c11 and 38 more:"),
        ("a.csv", b"text,id\none,1\ntwo,2,3\n", "row 2 has 3 columns, the header 2"),
        ("a.csv", b'text,id\n"one,1\ntwo,2\n', "unexpected end of data"),
        ("a.csv", b'text\n"one"two\n', "expected after"),
        ("a.jsonl", ONE + b"{nope", "a.jsonl, line 2 is not JSON: it holds other words"),
        ("a.jsonl", ONE + b"[" * 100_000, "What follows line 1 is no JSON that can be read (max"),
        ("a.jsonl", ONE + b"5", "line 2 holds no text: give a string"),
        ("a.jsonl", ONE + b'{"id": 1, "title": "x"}', "Its fields are id, title: give"),
        ("a.jsonl", ONE + b'{"text": null}', "line 2 holds no text."),
        ("scan.pdf", pdf("", ""), "has no text (pages: 2)"),
        (
            "a.pdf",
            pdf("Secret", password="x"),
            "PDF (FileNotDecryptedError: File",
        ),
        ("a.docx", b"PK", "a.docx can't be read as a Word file (BadZipFile"),
        ("a.docx", unpacked_to(100_000_000), "(ValueError: it unpacks to 100,000,001 bytes"),
        ("a.html", b"<script>1</script>", "a.html holds no text"),
        (
            "a.json",
            b'[{"text": "one"}, {"id": 1, "title": "x"}]',
            "a.json, document 2 holds no text",
        ),
        ("a.json", b"5", "a.json holds no text: give a string"),
        ("a.json", b"[" * 900 + b"]" * 900, "a.json holds no text"),
        ("a.txt", b"PK\x03\x04\0\0", "is not a text file"),
        ("a.txt", b"\xff\xfe\0\0", "is not a text file"),
        *((name, b"text", NO_KIND.format(name)) for name in ("a.odt", "noextension", "", "pdf")),
        *((f"a.{kind}", b"", "is empty: choose a file with text in it.") for kind in TYPES),
    ],
)
def test_what_gives_no_texts_says_why(name, data, words):
    assert words in problem(name, data)


@pytest.mark.slow
def test_too_much_text_is_refused_with_the_numbers():
    assert texts("a.txt", b"x" * MOST_BYTES)
    assert "a.txt holds at least 2.01 MB of text; at most 2 MB" in problem(
        "a.txt", b"x" * (MOST_BYTES + 1)
    )
    half = b"x" * (MOST_BYTES // 2 + 1)
    found, [said] = readable_texts([("a.txt", half), ("b.txt", half)])
    assert [loaded.source for loaded in found] == ["a.txt"]
    assert said.startswith("All files together hold at least 2.01 MB")


def test_too_many_chunks_are_refused_with_the_numbers():
    rows = b'"x"\n' * MOST_CHUNKS
    found, [said] = readable_texts([("a.jsonl", rows), ("b.txt", b"one more")])
    assert len(found) == MOST_CHUNKS
    assert said.startswith("All files together hold at least 2,001 chunks; at most 2,000")


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


@pytest.mark.slow
@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda hostile: hostile.name)
def test_a_hostile_input_comes_to_an_end_that_is_named(hostile, monkeypatch):
    if hostile.is_ended:
        monkeypatch.setattr(pdf_word_html, "PAGES_SECONDS", 0.5)
    assert hostile.outcome in hostile.read(hostile.make())


ROWS = {
    ".csv": lambda n: b"id,text\n" + b"1,noon\n" * n,
    ".jsonl": lambda n: b'{"text": "noon", "metadata": {"source": "a"}}\n' * n,
    ".json": lambda n: b"[" + b'{"text": "noon"},' * n + b'"noon"]',
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ROWS)
def test_reading_grows_with_a_file_and_ends_at_the_first_text_over_the_limit(kind):
    sizes = (1, 400, 800, 10_000, 20_000)
    _, *work = (calls_of(read_file, f"a{kind}", ROWS[kind](n)) for n in sizes)
    assert work[1] < 2.6 * work[0]
    assert work[3] < (1.1 if kind == ".csv" else 2.2) * work[2]
    with pytest.raises(SynthError, match="at least 2,001 chunks; at most 2,000"):
        read_file(f"a{kind}", ROWS[kind](10_000))


def test_a_file_over_the_limit_is_not_decoded():
    data = b"\xff" * (MOST_MEGABYTES * 1_000_000 + 1)
    assert calls_of(read_file, "a.csv", data) < 50
    with pytest.raises(SynthError, match="20,000,001 bytes, and 20,000,000 is the limit"):
        read_file("a.csv", data)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("piece", ["a", "noon ", "# a\n\n", "\n", "- - -\n"])
def test_cutting_takes_twice_as_long_for_twice_as_much(way, piece):
    cutting = Cutting(way, "n", 200, 20, "cl100k_base")
    cut(piece * 10, cutting)
    once, twice = (calls_of(cut, piece * n, cutting) for n in (20_000, 40_000))
    assert twice < 2.6 * once


@pytest.mark.slow
def test_a_paste_over_the_limit_says_so_and_stays_in_its_box():
    page = Playground(chunks=("one",)).paste("noon " * 500_000)
    assert "The text comes to 2.5 MB of text; at most 2 MB can be used at once." in page.text
    assert page.chunks == ("one",)
