import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth import TokenTextSplitter
from synth.errors import SynthError
from synth.spans import Text


def words(size, overlap=0, **options):
    """A splitter for which every word, and every blank, is a token of its own."""
    return TokenTextSplitter(size, overlap, tokenizer=str.split, **options)


def test_pieces_fill_a_chunk_and_the_separator_goes_to_the_next():
    assert words(2).split_text("a b c d e") == ["a b", "c d", "e"]
    assert words(2, keep_whitespaces=True).split_text("a b c d e") == ["a b", " c d", " e"]


def test_overlap_is_whole_pieces():
    assert words(3, 1).split_text("a b c d e") == ["a b c", "c d e"]
    assert words(3, 3).split_text("a b c d e") == ["a b c", "b c d", "c d e"]


def test_what_is_too_large_is_cut_at_the_next_separator_and_then_anywhere():
    letters = TokenTextSplitter(4, 0, tokenizer=list)
    assert letters.split_text("abcdef\ngh") == ["abcd", "ef", "gh"]
    assert TokenTextSplitter(1, 0, tokenizer=str.encode).split_text("é") == ["é"]


def test_a_text_that_fits_is_one_chunk_and_an_empty_one_too():
    assert words(9).split_text("  a b  ") == ["a b"]
    assert words(9).split_text("") == [""]
    assert words(9).split_text(" \n ") == []


def test_chunks_are_views_that_know_their_place():
    text = Text.of("one two three four", "chunk", 7)
    parts = words(2).split(text)
    assert [part.origins[0][1:] for part in parts] == [(7, 0, 7), (7, 8, 18)]


@pytest.mark.parametrize(
    ("size", "overlap", "message"),
    [(0, 0, "A chunk size of 0"), (5, 6, "An overlap of 6"), (5, -1, "An overlap of -1")],
)
def test_sizes_that_make_no_sense_are_refused(size, overlap, message):
    with pytest.raises(SynthError, match=message):
        TokenTextSplitter(size, overlap)


@given(
    st.text(st.sampled_from("ab \n字🚀."), max_size=200),
    st.integers(1, 20),
    st.floats(0, 1),
)
def test_nothing_but_white_space_is_lost_and_order_is_kept(text, size, share):
    parts = TokenTextSplitter(size, int(share * size)).split(Text.of(text, "chunk", 1))
    reached = 0
    for part in parts:
        for _, _, start, end in part.origins:
            assert not text[reached:start].strip()
            assert end >= reached
            reached = end
    assert not text[reached:].strip()
