"""Coverage: what was sent of each chunk, once or twice, and what was not."""

import pytest

from synth.pictures.coverage import draw_coverage
from synth.runs.coverage import coverage
from tests.pictures.scenes import boxes
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


def test_stretches_add_up_to_the_chunks_on_one_scale(partly):
    drawn = boxes(draw_coverage(partly))
    kinds = [[box.kind for box in drawn if box.target == ("chunk", at)] for at in (1, 2, 3)]
    assert kinds == [["context", "twice"], ["context", "lost"], ["lost"]]
    ends = [max(box.right for box in drawn if box.target == ("chunk", at)) for at in (1, 2, 3)]
    assert ends[1] / ends[2] == pytest.approx(partly[1].tokens / partly[2].tokens)
    assert [box.left for box in drawn if box.left == 0] == [0, 0, 0]


def test_words_say_what_is_missing_of_which_chunk(partly):
    scene = draw_coverage(partly)
    words = ["".join(label.wordings[0]) for label in scene.labels]
    lost = partly[1].lost_tokens
    assert words[1] == f"cut off {lost} of {partly[1].tokens}"
    assert "twice" in words[0]
    total = sum(one.tokens for one in partly)
    assert scene.alt == (
        f"Coverage of 3 chunks: {lost + partly[2].tokens} of {total} tokens are cut off, of"
        " chunks 2 and 3."
    )


def test_thousands_of_chunks_have_a_few_names(partly):
    scene = draw_coverage(partly * 700)
    assert scene.height <= 3 * 2_100
    assert len(scene.rows) <= 2_100 / 4
    assert not scene.labels
