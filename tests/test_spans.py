import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.text.spans import Origin, Text, join


def test_a_chunk_is_its_own_origin():
    assert Text.of("alpha", "chunk", 3).origins == (Origin("chunk", 3, 0, 5),)
    assert Text.of("alpha").origins == ()


def test_strip_and_slice_move_the_offsets():
    text = Text.of("  alpha beta ", "chunk", 1).strip()
    assert str(text) == "alpha beta"
    assert text.origins == (Origin("chunk", 1, 2, 12),)
    assert str(text.slice(6, 99)) == "beta"
    assert text.slice(6, 99).origins == (Origin("chunk", 1, 8, 12),)


def test_a_join_remembers_each_part_and_its_separators_come_from_nowhere():
    joined = join([Text.of("ab", "chunk", 1), Text.of("cd", "answer", 2)], "\n\n")
    assert str(joined) == "ab\n\ncd"
    assert [(at, origin.kind) for at, origin in joined.placed] == [(0, "chunk"), (4, "answer")]
    assert joined.slice(2, 4).origins == ()


def test_one_text_joined_is_itself():
    text = Text.of("alone", "chunk", 1)
    assert join([text], "\n\n") is text


@pytest.mark.parametrize("blank", ["", " \n\t\u3000"])
def test_a_blank_text_strips_to_nothing(blank):
    assert len(Text.of(blank, "chunk", 1).strip()) == 0
    assert Text.of(blank, "chunk", 1).strip().origins == ()


def test_texts_are_equal_by_what_they_say_and_where_it_came_from():
    assert Text.of("a b", "chunk", 1).slice(0, 1) == Text.of("a", "chunk", 1)
    assert Text.of("a", "chunk", 1) != Text.of("a", "chunk", 2)
    assert Text.of("a") != "a"


CHUNKS = st.lists(st.text(max_size=12), min_size=1, max_size=5)


@given(CHUNKS, st.integers(0, 40), st.integers(0, 40), st.integers(0, 20))
def test_origins_survive_joins_of_slices_of_joins(chunks, start, end, middle):
    whole = join([Text.of(chunk, "chunk", at) for at, chunk in enumerate(chunks)], "-")
    start, end = sorted((min(start, len(whole)), min(end, len(whole))))
    again = join([whole.slice(start, end), whole.slice(0, middle).strip()], "+")
    for offset, (_, number, left, right) in again.placed:
        assert str(again)[offset : offset + right - left] == chunks[number][left:right]
