"""Coverage strips: what was sent of each chunk, once or twice, and what was not."""

import pytest

from synth.pictures.coverage import coverage_strips, strips
from synth.runs.coverage import coverage
from tests.pictures.reading import boxes, clicks, collisions, words
from tests.ui.sample_calls import chunk, chunks_of, planned, setup_of


@pytest.fixture
def partly():
    """Chunk 1 sent whole and its second half twice; of chunk 2 the first half; of 3 nothing."""
    setup = setup_of(chunks_of(10, 20, 30))
    first, second = chunk(setup.chunks[0], 1), chunk(setup.chunks[1], 2)
    half = len(first) // 2 + 1
    calls = [
        planned(1, 0, first, second.slice(0, len(second) // 2)),
        planned(2, 0, first.slice(half, len(first))),
    ]
    return coverage(setup, calls)


def test_strips_add_up_to_the_chunks(partly):
    for chunk_ in partly:
        found = strips(chunk_)
        assert found[0].start == 0
        assert found[-1].end == pytest.approx(chunk_.tokens)
        assert "".join(strip.text for strip in found) == chunk_.text
    assert [[strip.kind for strip in strips(one)] for one in partly] == [
        ["context", "twice"],
        ["context", "lost"],
        ["lost"],
    ]


def test_each_fate_is_hatched_in_its_own_way_and_a_click_tells_the_chunk(partly):
    picture = coverage_strips(partly, 880)
    counts = [len(boxes(picture, f"k-{kind}")) for kind in ("context", "twice", "lost")]
    assert counts == [2, 1, 2]
    assert set(clicks(picture)) == {("chunk", 1), ("chunk", 2), ("chunk", 3)}
    assert boxes(picture, "k-twice")[0].says.startswith("chunk 1\nsent twice: tokens 5 to 10\nw5")


def test_the_end_of_a_strip_says_what_was_sent(partly):
    said = words(coverage_strips(partly, 880))
    assert {"10 sent, 5 twice", "cut off 9 of 20", "cut off 30 of 30", "chunk 3"} <= set(said)
    assert "not sent 30 of 30" in words(coverage_strips(partly, 880, missing="not sent"))


def test_a_blank_chunk_is_not_cut_off():
    setup = setup_of(["   ", "a b"])
    picture = coverage_strips(coverage(setup, [planned(1, 0, chunk("a b", 2))]), 880)
    assert not boxes(picture, "k-lost")
    assert "blank" in words(picture)


def test_many_chunks_are_low_strips_with_few_names():
    setup = setup_of(chunks_of(*[5] * 600))
    picture = coverage_strips(coverage(setup, []), 880)
    assert picture.height < 2_000
    assert len(boxes(picture, "k-lost bare")) == 600
    names = [word for word in words(picture) if word.startswith("chunk ")]
    assert names[:3] == ["chunk 1", "chunk 10", "chunk 20"]


@pytest.mark.parametrize("width", [880, 340])
def test_words_are_apart(partly, width):
    assert collisions(coverage_strips(partly, width)) == []
