from hypothesis import given
from hypothesis import strategies as st

from synth.text.spans import Text, join


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
