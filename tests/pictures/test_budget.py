"""Budget bars and the strip: the numbers that they draw."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.pictures.budget import (
    BudgetRow,
    budget_alt,
    budget_bars,
    budget_row,
    budget_strip,
    legend_kinds,
)
from synth.pictures.meanings import SEGMENTS
from synth.pictures.shapes import Path
from synth.runs.budget import Budget, budget
from synth.runs.trace import Plan
from tests.pictures.reading import boxes, collisions, words
from tests.ui.sample_calls import answer, chunk, chunks_of, made, planned, setup_of


def parts(*tokens):
    names = ("template", "query", "variable", "context", "answer", "frame")
    return dict(zip(names, tokens, strict=False))


FITS = Budget(parts(28, 10, 46, 640, 0), 128, 128, 44, 0, 1024)
OVER = Budget(parts(71, 10, 46, 690, 128), 128, 0, 0, 49, 1024)


def row(values=FITS, bound=False, label="1 · text_qa"):
    return BudgetRow(label, values, bound)


def segments(picture):
    """Start and end in tokens of each segment."""
    return [(box.start, box.end) for box in picture.boxes if box.kind.startswith("k-")]


def test_segments_stand_side_by_side_in_the_order_of_the_prompt_up_to_the_window():
    picture = budget_bars([row()], 880)
    kinds = [box.kind.removeprefix("k-") for box in picture.boxes]
    assert kinds == [kind for kind in SEGMENTS if FITS.tokens(kind)] == legend_kinds([row()])
    spans = segments(picture)
    assert [end for _, end in spans[:-1]] == [start for start, _ in spans[1:]]
    assert (spans[0][0], spans[-1][1]) == (0, 1024)


@given(st.lists(st.integers(1, 20), min_size=1, max_size=4))
def test_the_budget_of_a_real_call_fills_its_window(sizes):
    setup = setup_of(chunks_of(*sizes))
    call = planned(1, 0, *[chunk(text, at) for at, text in enumerate(setup.chunks, 1)])
    found = budget(call, setup)
    picture = budget_bars([row(found)], 880)
    assert segments(picture)[-1][1] == setup.context_window + found.over
    [chunks] = boxes(picture, "k-context")
    assert chunks.end - chunks.start == sum(sizes)


def test_each_row_has_the_line_of_its_own_window_where_two_runs_alternate():
    rows = [row(), row(replace(FITS, window=900)), row()]
    [rule] = [shape for shape in budget_bars(rows, 880).shapes if isinstance(shape, Path)]
    assert [line[0][0] for line in rule.lines] == [1024, 900, 1024]
    assert "900 and 1,024 tokens" in budget_alt(rows)


def test_an_over_full_bar_crosses_the_line_and_says_by_how_much():
    picture = budget_bars([row(), row(OVER)], 880, row=26)
    assert "1,073 / 1,024\n▲ 49 over" in words(picture)
    assert segments(picture)[-1][1] == 1024 + 49 < picture.ends[1]
    assert picture.height - budget_bars([row()] * 2, 880, row=26).height >= 2 * 8


def test_reasoning_stands_below_the_sum_of_its_call():
    thought = [row(replace(held, reasoning=32_345)) for held in (FITS, OVER)]
    picture = budget_bars([row(), *thought], 880, row=26)
    assert "852 / 1,024\n32,345 reasoning" in words(picture)
    assert "1,073 / 1,024\n▲ 49 over\n32,345 reasoning" in words(picture)
    assert collisions(budget_bars([row(), *thought], 340)) == []


def test_assumed_answers_are_dashed_and_at_most():
    picture = budget_bars([row(OVER, bound=True)], 1200)
    assert len(boxes(picture, "k-answer bound")) == 1
    assert {"answer ≤ 128", "≤ 1,073 / 1,024\n▲ 49 over"} <= set(words(picture))
    assert not boxes(budget_bars([row(OVER)], 1200), "bound")


FRAMED = Budget(parts(31, 16, 0, 3_758, 0, 30), 256, 0, 5, 0, 4096)


def test_the_chat_template_is_first_and_magnified_where_it_is_too_thin_to_be_seen():
    picture = budget_bars([row(FRAMED), row(FRAMED)], 540, magnified=True)
    drawn = [(box.kind, box.start, box.end) for box in picture.boxes][:4]
    scale = drawn[-1][2] / 96
    assert [(kind, start / scale, end / scale) for kind, start, end in drawn] == [
        ("k-frame", 0, 30),
        ("k-template", 30, 61),
        ("k-query", 61, 77),
        ("k-context", 77, 96),
    ]
    assert words(picture)[:4] == ["30", "template 31", "16", "…"]
    assert len(boxes(picture, "k-frame")) == 3
    assert picture.height == budget_bars([row(FRAMED)] * 2, 540).height + 24


@pytest.mark.parametrize("width", [1100, 560, 340])
def test_words_are_apart(width):
    rows = [row(), row(OVER, bound=True, label="12 · refine_template_of_mine")]
    assert collisions(budget_bars(rows, width)) == []
    assert collisions(budget_strip(rows * 30, width)) == []
    assert collisions(budget_bars([row(FRAMED), *rows], width, magnified=True)) == []


def test_a_call_of_a_plan_that_waits_for_another_is_a_bound():
    setup = setup_of(chunks_of(10, 10))
    calls = [planned(1, 0, chunk(setup.chunks[0], 1)), planned(2, 1, answer(1))]
    assert [budget_row(Plan(setup, calls, 10), call).bound for call in calls] == [False, True]
    assert budget_row(Plan(setup, calls, 10), calls[0]).label == "1 · text_qa"
    assert made(1, 0).template == "text_qa_template"


@pytest.mark.parametrize("count", [41, 80, 300, 2_500])
def test_a_strip_has_a_column_for_each_call_and_says_its_sum(count):
    picture = budget_strip([row(OVER)] * count, 560, selected=3)
    assert len([box for box in picture.boxes if box.says]) == count
    assert len(picture.html()) < 1_300_000
    [frame] = boxes(picture, "frame")
    assert (frame.start, frame.end) == (3.5, 4.5)
    assert "window\n1,024" in words(picture)
