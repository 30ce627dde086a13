"""The fact funnel: a bar is as long as the fact lived, and says where it ended."""

import pytest

from synth.pictures.fates import Fate, Funnel, FunnelFact, Panel
from synth.pictures.funnel import funnel_picture
from synth.pictures.shapes import Cut
from tests.pictures.reading import boxes, clicks, collisions, words

FACTS = (
    FunnelFact("<b>$1 & 2</b>", True, (2,), True),
    FunnelFact("nobody was hurt", False, (3,), True),
    FunnelFact("the moon", False, (), False),
    FunnelFact("the fourth chunk", False, (4, 5, 6, 7), False),
)
FOUND = Fate((True, True, True), "", "It arrived.")
LOST = Fate((True, False, False), "left out, call 3", "It was left out.")
NEVER = Fate((False, False, False), "", "It was never sent.")
REFINE = Panel("refine", False, (FOUND, LOST, NEVER, NEVER))
TREE = Panel("tree_summarize", True, (LOST, NEVER, NEVER, NEVER))
FUNNEL = Funnel(FACTS, (REFINE, TREE))


def cut(picture):
    """The words that may be cut."""
    return ["".join(one.words) for one in picture.shapes if isinstance(one, Cut)]


@pytest.mark.parametrize(("width", "before"), [(1100, 3 + 2 + 2), (490, 0), (340, 0)])
def test_a_bar_is_drawn_for_each_station_that_a_fact_passed(width, before):
    picture = funnel_picture(FUNNEL, width)
    assert len(boxes(picture, "k-context")) == before + 2 + 1 + 1 + 1  # with the counts above them
    assert len(boxes(picture, "k-answer")) == 2 * 2
    assert len(boxes(picture, "k-answer plain")) == 2
    for box in picture.boxes:
        assert 0 <= box.start <= box.end <= width
        assert 0 <= box.top <= box.top + box.high <= picture.height
    assert clicks(picture) == [(fact, panel) for panel in range(2) for fact in range(4)]
    assert boxes(picture, "clear")[1].says == "It was left out."


@pytest.mark.parametrize("width", [1100, 490])
def test_words_say_where_a_fact_was_lost(width):
    picture = funnel_picture(FUNNEL, width)
    said = {*words(picture), *cut(picture)}
    assert {"✓", "✕ left out, call 3", "✕ in no chunk", "✕ not retrieved"} <= said
    assert {"◆ 1 of 1 arrived", "4 facts; ◆ must arrive", "<b>$1 & 2</b>", "refine"} <= said
    assert "<b>$1" not in picture.html()


def test_chunks_that_hold_a_fact_are_named():
    assert {"2", "4, 5, 6…"} <= set(words(funnel_picture(FUNNEL, 1100)))


@pytest.mark.parametrize("width", [1000, 340])
def test_words_are_apart(width):
    assert collisions(funnel_picture(Funnel(FACTS, (REFINE, TREE) * 2), width)) == []


def test_the_funnel_in_words():
    assert funnel_picture(FUNNEL, 1100).alt == (
        "Where 4 facts went. refine: 2 sent, 1 in an answer, 1 in the final answer;"
        " tree_summarize: 1 sent."
    )
