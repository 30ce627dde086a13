"""Uploads: what each kind of file gives, and that no file whatever breaks the page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.documents import TYPES, Loaded, read_file
from synth.documents.decoding import MOST_BYTES, MOST_CHUNKS
from synth.errors import SynthError
from tests.ui.pdf_files import pdf
from ui.controls.own_text import readable_texts


def texts(name, data):
    return [loaded.text for loaded in read_file(name, data)]


def problem(name, data):
    with pytest.raises(SynthError) as raised:
        read_file(name, data)
    return str(raised.value)


def fate(name, data):
    """All the texts as one, or what is wrong, which must name the file."""
    try:
        return "".join(texts(name, data))
    except SynthError as raised:
        return str(raised) if name in str(raised) else ""


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
    ("data", "text"), [(b"caf\xe9 5 \x80", "café 5 €"), (b"na\xefve \x81", "naïve \x81")]
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
    data = '"one"\n\n{"n": 1, "Text": "tw\u2028o"}\n{"content": 5, "body": "three"}'.encode()
    with pytest.raises(SynthError, match=r"a\.jsonl, line 4 holds no text"):
        read_file("a.jsonl", data)
    assert read_file("a.jsonl", data[: data.rindex(b"\n")]) == [
        Loaded("one", "a.jsonl, line 1", "document"),
        Loaded("tw\u2028o", "a.jsonl, line 3", "document"),
    ]


def test_a_pdf_gives_a_text_a_page_of_one_without_text_too():
    assert read_file("a.pdf", pdf("Page one", "", "Page three")) == [
        Loaded("Page one", "a.pdf, page 1", "page"),
        Loaded("", "a.pdf, page 2", "page"),
        Loaded("Page three", "a.pdf, page 3", "page"),
    ]


@pytest.mark.parametrize("kind", TYPES)
@given(data=st.binary(max_size=300) | st.text("{}[]\"',;\t\n\\ux0atext%").map(str.encode))
def test_any_bytes_give_texts_or_a_reason(kind, data):
    assert fate(f"a.{kind}", data)


ONE = b'"one"\n'
NO_KIND = "{} can't be read: give .txt, .md, .csv, .json, .jsonl, .pdf files."
COLUMNS = ",".join(f"c{at}" for at in range(50)).encode()


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.csv", b"id,title\n1,one\n", "row 1 holds no text. Its fields are id, title: give"),
        ("a.csv", COLUMNS + b"\n" + COLUMNS, "c11 and 38 more:"),
        ("a.csv", b"text,id\none,1\ntwo,2,3\n", "row 2 has 3 columns, the header 2"),
        ("a.csv", b'text,id\n"one,1\ntwo,2\n', "unexpected end of data"),
        ("a.csv", b'text\n"one"two\n', "expected after"),
        ("a.jsonl", ONE + b"{nope", "a.jsonl, line 2 is not JSON: Expecting property name"),
        ("a.jsonl", ONE + b"[" * 100_000, "a.jsonl, line 2 is nested too deeply"),
        ("a.jsonl", ONE + b"5", "line 2 holds no text: give a string"),
        ("a.jsonl", ONE + b'{"id": 1, "title": "x"}', "Its fields are id, title: give"),
        ("a.jsonl", ONE + b'{"text": null}', "line 2 holds no text."),
        ("scan.pdf", pdf("", ""), "has no text (pages: 2)"),
        ("a.pdf", pdf("Secret", password="x"), "a.pdf is encrypted"),
        ("a.txt", b"PK\x03\x04\0\0", "is not a text file"),
        ("a.txt", b"\xff\xfea\0b", "breaks off at byte 4"),
        *((name, b"text", NO_KIND.format(name)) for name in ("a.docx", "noextension", "", "pdf")),
        *((f"a.{kind}", b"", "is empty: choose a file with text in it.") for kind in TYPES),
    ],
)
def test_what_gives_no_texts_says_why(name, data, words):
    assert words in problem(name, data)


def test_a_pdf_that_only_forbids_is_read():
    assert texts("a.pdf", pdf("Only printing is forbidden", password="")) != []


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
