"""The chunks: what neighbours share, cutting, uploads, the editor, undo."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.documents.cutting import BLANK_LINE, TOKENS, Cutting, cut
from tests.ui.page import Playground
from tests.ui.pdf_files import pdf
from ui.session import keys
from ui.settings.chunk_list import from_texts, moved, overlap

pytestmark = pytest.mark.slow

SIX = tuple(f"This is sentence number {number}." for number in range(1, 7))


@given(st.text("ab", max_size=40), st.text("ab", max_size=40))
def test_an_overlap_is_the_longest_end_that_is_a_start(before, text):
    lengths = range(8, min(len(before), len(text)) + 1)
    longest = max((n for n in lengths if before.endswith(text[:n])), default=0)
    assert overlap(before, text) == longest


def test_a_moved_chunk_pushes_the_others():
    letters = from_texts("abcd", "x")
    assert [chunk.text for chunk in moved(letters, 0, 2)] == ["b", "c", "a", "d"]
    assert [chunk.text for chunk in moved(letters, 3, 2)] == ["a", "b", "d", "c"]


def opened(place, **settings):
    page = Playground(chunks=SIX, **settings)
    return page.set(**{keys.EDITED_CHUNK: place})


def test_a_chunk_is_edited_moved_switched_off_deleted_and_each_is_undone():
    page = opened(1)
    page.press("Up")
    assert page.chunks[:2] == (SIX[1], SIX[0])
    page.press("undo_chunks")
    assert page.chunks == SIX
    page.set(**{keys.EDITED_CHUNK: 2})
    page.enter("chunk_text", "Something else.")
    assert page.chunks[2] == "Something else."
    page.press("undo_chunks").set(**{keys.EDITED_CHUNK: 5}).press("Delete")
    assert page.chunks == SIX[:5]
    page.press("undo_chunks")
    assert page.chunks == SIX


def test_a_chunk_that_is_off_is_not_sent():
    page = opened(0).press("Switch off")
    assert list(page.table("on")["on"]) == [False, *[True] * 5]
    page.finish()
    assert page.job.request.text_chunks == SIX[1:]
    assert page.job.request.positions == (1, 2, 3, 4, 5)


def test_off_chunks_stand_last_among_the_ranked():
    page = opened(3, selection="top", similarity_top_k=2).press("Switch off")
    assert list(page.table("sent as")["sent as"]) == ["1", "2", *["left out"] * 3, "off"]


def test_a_paste_is_split_by_tokens_and_an_impossible_overlap_says_so():
    page = Playground()
    page.enter("separator", TOKENS).paste("many words " * 300)
    assert len(page.chunks) == 4
    assert "overlap" in page.table("chunk")
    page.enter("split_overlap", 500).enter("pasted", "many words")
    assert "chunk_overlap is 500: give a whole number, 0 to 200." in page.text


def uploaded(page, *files):
    """Give files, each a name and its bytes, to the uploader that is drawn now."""
    [uploader] = page.at.file_uploader
    uploader.set_value([(name, data, "application/octet-stream") for name, data in files])
    return page.draw()


def test_files_become_chunks_with_their_sources():
    page = uploaded(
        Playground(),
        ("a.md", b"one\n\ntwo"),
        ("b.jsonl", b'"three"\n{'),
        ("c.json", b'["x\\n\\ny"]'),
    )
    assert page.chunks == ("one", "two", "x\n\ny")
    assert "b.jsonl, line 2" in page.text
    assert "became 3 chunks" in page.text
    for position, source in enumerate(("a.md", "a.md", "c.json, document 1")):
        assert f"· {source}<" in page.set(**{keys.EDITED_CHUNK: position}).text


def test_a_page_of_a_pdf_is_a_chunk_until_pages_are_cut_too():
    page = uploaded(Playground(), ("a.pdf", pdf("many words " * 20, "few words", "")))
    assert len(page.chunks) == 2
    assert "Left out, without text: a.pdf, page 3." in page.text
    page.enter("separator", TOKENS).enter("split_size", 20).enter("cuts_pages", True)
    assert len(uploaded(page, ("a.pdf", pdf("many words " * 20, "few words", ""))).chunks) > 3
    assert {chunk.source for chunk in page.settings.chunks} == {
        "a.pdf, page 1",
        "a.pdf, page 2",
    }


def test_a_chunk_that_is_read_from_the_right_begins_in_sight_of_the_table():
    arabic, english = "شكرا جزيلا على كل شيء، " * 20, "Thanks for everything. " * 20
    page = Playground(chunks=(arabic, "1. שלום", english))
    first, second, third = page.table("chunk")["chunk"]
    assert (first, second) == (f"\u200e{arabic[:44]}", "\u200e1. שלום")
    assert english.startswith(third)


WRONG = ("wrong.jsonl", b"{")


def test_what_was_wrong_with_a_file_goes_with_the_next_text():
    page = uploaded(Playground(chunks=SIX), WRONG)
    assert "wrong.jsonl, line 1" in page.text
    assert page.chunks == SIX
    assert "wrong.jsonl" not in page.paste("A good text.").text
    uploaded(page, WRONG, ("good.txt", b"good"))
    assert "wrong.jsonl" in page.text
    assert "4 characters became 1 chunk." in page.text
    assert "wrong.jsonl" not in uploaded(page, ("other.txt", b"other")).text


def test_what_was_wrong_with_a_file_goes_when_the_chunks_change():
    page = Playground(chunks=SIX)
    for change in ("Switch off", "Delete", "undo_chunks"):
        uploaded(page.set(**{keys.EDITED_CHUNK: 0}), WRONG)
        assert "wrong.jsonl" in page.text
        assert "wrong.jsonl" not in page.press(change).text


def test_a_text_that_can_not_be_cut_stays_in_its_box():
    page = Playground(chunks=SIX).enter("separator", TOKENS).enter("split_overlap", 500)
    page.paste("one two three")
    assert "chunk_overlap is 500" in page.text
    assert page.at.session_state["pasted"] == "one two three"
    assert page.chunks == SIX
    assert "1 chunk · 3 tokens" in page.enter("separator", "Blank line").text
    page.enter("pasted", "")
    assert page.enter("separator", TOKENS).chunks == SIX
    assert "chunk_overlap" not in page.text


def cut_at_blank_lines(text):
    return cut(text, Cutting(BLANK_LINE, "", 200, 20, "cl100k_base"))


def test_markdown_headings_stay_with_their_paragraph():
    text = "# A\n\none\n\ntwo\n\n## B\n\nthree\n\n# End"
    assert cut_at_blank_lines(text) == ("# A\n\none", "two", "## B\n\nthree\n\n# End")


@given(st.lists(st.sampled_from(["# A", "## ", "B\n==", "one", "two\nthree", " "])))
def test_no_chunk_is_a_heading_alone_and_nothing_is_lost(paragraphs):
    chunks = cut_at_blank_lines("\n\n".join(paragraphs))
    assert "".join(chunks).split() == "".join(f"{one}\n\n" for one in paragraphs).split() or (
        " ".join(chunks).split() == " ".join(paragraphs).split()
    )
    texts = {"one", "two"}
    if texts & set(" ".join(paragraphs).split()):
        assert all(texts & set(chunk.split()) for chunk in chunks)
