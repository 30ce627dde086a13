"""The chunks: what neighbours share, cutting, uploads, the editor, undo."""

from hypothesis import given
from hypothesis import strategies as st

from tests.ui.page import Playground, ticked
from ui.controls.cutting import TOKENS, Cutting, cut
from ui.controls.paste import is_row, readable_texts
from ui.controls.uploads import Loaded, read_file
from ui.session import keys
from ui.settings.chunk_list import from_texts, moved, overlap, overlaps

SIX = tuple(f"This is sentence number {number}." for number in range(1, 7))


@given(st.text("ab", max_size=40), st.text("ab", max_size=40))
def test_an_overlap_is_the_longest_end_that_is_a_start(before, text):
    lengths = range(8, min(len(before), len(text)) + 1)
    longest = max((n for n in lengths if before.endswith(text[:n])), default=0)
    assert overlap(before, text) == longest


def test_overlaps_stand_at_the_later_neighbour():
    assert overlaps(["one two three four", "three four five", "six"]) == [0, 10, 0]
    assert overlaps([]) == []


def test_a_moved_chunk_pushes_the_others():
    letters = from_texts("abcd", "x")
    assert [chunk.text for chunk in moved(letters, 0, 2)] == ["b", "c", "a", "d"]
    assert [chunk.text for chunk in moved(letters, 3, 2)] == ["a", "b", "d", "c"]


def test_split_by_tokens_repeats_the_overlap():
    text = " ".join(f"word{number}" for number in range(200))
    parts = cut(text, Cutting(TOKENS, "", 50, 10, "cl100k_base"))
    assert len(parts) > 5
    assert all(overlaps(parts)[1:])


def test_the_open_chunk_stays_ticked_when_the_order_changes():
    page = Playground(chunks=("rain", "pumps", "why pumps fail"), question="Why do pumps fail?")
    page.set(**{keys.EDITED_CHUNK: 0})
    before, row = ticked(page.at.dataframe[0])
    assert row == 0
    after, row = ticked(page.set(selection="top").at.dataframe[0])
    assert row == 2
    assert before != after


def test_of_several_files_the_good_ones_are_kept():
    files = [("a.txt", b"one"), ("b.pdf", b"no pdf"), ("c.csv", b"text\ntwo\nthree")]
    found, problems = readable_texts(files)
    assert [loaded.text for loaded in found] == ["one", "two", "three"]
    assert [problem[:5] for problem in problems] == ["b.pdf"]


def test_rows_of_tables_are_chunks_as_they_stand():
    [row] = read_file("a.csv", b'text\n"one\n\ntwo"')
    assert is_row(row)
    assert not is_row(Loaded("x", "report, row 1.pdf, page 3"))


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
    page.at.text_area(key="chunk_text").set_value("Something else.")
    page.draw()
    assert page.chunks[2] == "Something else."
    page.press("undo_chunks").set(**{keys.EDITED_CHUNK: 5}).press("Delete")
    assert page.chunks == SIX[:5]
    page.press("undo_chunks")
    assert page.chunks == SIX


def test_a_chunk_that_is_off_is_not_sent():
    page = opened(0).press("Switch off")
    assert list(page.at.dataframe[0].value["on"]) == [False, *[True] * 5]
    page.finish()
    assert page.job.request.chunks == SIX[1:]
    assert page.job.request.positions == (1, 2, 3, 4, 5)


def test_off_chunks_stand_last_among_the_ranked():
    page = opened(3, selection="top", top_k=2).press("Switch off")
    assert list(page.at.dataframe[0].value["sent as"]) == ["1", "2", *["left out"] * 3, "off"]


def test_a_paste_is_split_by_tokens_and_an_impossible_overlap_says_so():
    page = Playground()
    page.at.radio(key="separator").set_value(TOKENS)
    page.draw().paste("many words " * 300)
    assert len(page.chunks) == 4
    assert "overlap" in page.at.dataframe[0].value
    page.at.number_input(key="split_overlap").set_value(500)
    assert "chunk_overlap is 500: give a whole number, 0 to 200." in page.draw().text


def test_files_become_chunks_with_their_sources():
    page = Playground()
    page.at.file_uploader(key="files 0").set_value(
        [("a.md", b"one\n\ntwo", "text/markdown"), ("b.jsonl", b'"three"\n{', "x")]
    )
    page.draw()
    assert page.chunks == ("one", "two")
    assert "b.jsonl, line 2" in page.text
    assert "· a.md" in page.set(**{keys.EDITED_CHUNK: 0}).text
