"""The chunks: cutting, uploads, their list, undo."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.documents.cutting import BLANK_LINE, TOKENS, Cutting, cut
from synth.quality.samples import SAMPLES
from tests.ui.page import Playground
from tests.ui.pdf_files import pdf
from ui.controls.input_changes import split
from ui.session import keys
from ui.settings.schema import Chunk

pytestmark = pytest.mark.slow

SIX = tuple(f"This is sentence number {number}." for number in range(1, 7))


def test_a_chunk_is_split_where_a_browser_counts_the_cursor():
    halves = split(Chunk("a\r\nb c", "x"), 3)
    assert [chunk.text for chunk in halves] == ["a\nb", "c"]


def marked(page, what):
    return page.given("chunk_marks")[what]


@pytest.mark.parametrize(
    ("acts", "texts"),
    [
        ([("move", 1, 0)], (SIX[1], SIX[0], *SIX[2:])),
        ([("edit", 2, "Else.")], (*SIX[:2], "Else.", *SIX[3:])),
        ([("edit", 2, "Els"), ("edit", 2, "Else."), ("open", 4)], (*SIX[:2], "Else.", *SIX[3:])),
        ([("delete", 5)], SIX[:5]),
        ([("split", 0, 7)], ("This is", SIX[0][8:], *SIX[1:])),
        ([("split", 0, 0), ("split", 1, 99)], SIX),
        ([("delete", 6), ("move", 6, 0), ("edit", 6, "Else.")], SIX),
        ([("move", 0, "1"), ("fly", 0)], SIX),
        ([("edit", 0, "x" * 100_001)], SIX),
    ],
)
def test_what_is_done_in_the_list_is_undone_and_what_can_not_be_does_nothing(acts, texts):
    page = Playground(chunks=SIX).do(*acts)
    assert page.chunks == texts
    if texts != SIX:
        assert page.press("undo_chunks").chunks == SIX


def test_a_chunk_is_open_until_it_is_closed_wherever_it_goes():
    page = Playground(chunks=SIX).do(("open", 1)).do(("move", 4, 0))
    assert marked(page, "open")["text"] == SIX[1]
    page.do(("move", 2, 5)).do(("switch", 5))
    assert (marked(page, "open")["place"], marked(page, "open")["text"]) == (5, SIX[1])
    assert marked(page.do(("close", 5)), "open") is None


def test_a_new_chunk_is_empty_and_open_and_goes_with_its_text():
    page = Playground(chunks=SIX).press("Add a chunk")
    assert (page.chunks, marked(page, "open")["text"]) == ((*SIX, ""), "")
    assert page.do(("edit", 6, "A")).do(("edit", 6, "A new one.")).chunks[6] == "A new one."
    assert page.press("undo_chunks").chunks == SIX


def test_a_chunk_that_is_off_is_not_sent():
    page = Playground(chunks=SIX).do(("switch", 0))
    assert page.given("chunk_list")["numbers"] == [[0, None], *([n, n] for n in range(1, 6))]
    page.finish()
    assert page.job.request.text_chunks == SIX[1:]
    assert page.job.request.positions == (1, 2, 3, 4, 5)


def test_each_badge_shows_how_much_the_plan_or_the_run_sends():
    page = Playground(mode="compact")
    assert marked(page, "sent") == [100] * 12
    page.set(mode="simple_summarize").do(("switch", 0))
    first, *whole, part, lost, _, _ = marked(page, "sent")
    assert (first, whole, lost) == (-1, [100] * 7, 0)
    assert 0 < part < 100
    page.enter(keys.EXPECTED, SAMPLES[0].cause)
    assert marked(page, "followed") == [8]
    page.finish()
    assert marked(page, "followed") == [8]
    page.set(mode="compact").press("Show the last answer")
    assert marked(page, "sent")[:10] == [first, *whole, part, lost]


def test_more_chunks_can_be_looked_for_by_all_their_words():
    texts = tuple(f"{'It rained. ' * 40}Then pump {number} failed." for number in range(30))
    page = Playground(chunks=texts).enter("chunk_search", " PUMP 17 ")
    assert page.given("chunk_list")["numbers"] == [[17, 18]]
    assert "chunk_search" not in Playground(chunks=texts[:20]).keys


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
    for position, source in enumerate(("a.md", "a.md", "c.json")):
        assert f"· {source}<" in marked(page.do(("open", position)), "open")["foot"]


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


def test_a_text_that_can_not_be_cut_stays_in_its_box():
    page = Playground(chunks=SIX).enter("separator", TOKENS).enter("split_overlap", 500)
    page.paste("one two three")
    assert "chunk_overlap is 500" in page.text
    assert page.at.session_state["pasted"] == "one two three"
    assert page.chunks == SIX
    assert page.enter("separator", "Blank line").press("use_text").chunks == ("one two three",)
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
