"""Budget bars and coverage strips: the numbers that they draw, not their pixels."""

from dataclasses import replace
from itertools import pairwise

import pytest

from synth.budget import Budget, budget
from synth.coverage import coverage
from tests.ui.plotly_figures import checked, rectangles, texts, trace
from tests.ui.sample_calls import answer, chunk, chunks_of, planned, setup_of
from ui import figures
from ui.figures import BudgetRow, budget_alt, coverage_alt
from ui.figures.coverage import strips
from ui.look.elements import STACKED

budget_bars = checked(figures.budget_bars)
budget_strip = checked(figures.budget_strip)
coverage_strips = checked(figures.coverage_strips)


def parts(*tokens):
    return dict(zip(("template", "query", "variable", "context", "answer"), tokens, strict=True))


FITS = Budget(parts(28, 10, 46, 640, 0), 128, 128, 44, 0, 1024)
OVER = Budget(parts(71, 10, 46, 690, 128), 128, 0, 0, 49, 1024)


def row(values=FITS, bound=False, label="1 · text_qa"):
    return BudgetRow(label, values, bound)


def test_segments_add_up_to_the_window():
    figure = budget_bars([row(), row(OVER)])
    sums = [sum(one.x[at] for one in figure.data) for at in range(2)]
    assert sums == [1024, 1024 + 49]


def test_segments_stand_in_the_order_of_the_prompt():
    names = [one.name for one in budget_bars([row(OVER)]).data]
    assert names == [
        "template",
        "query",
        "variables",
        "chunks",
        "answers",
        "room for the answer",
    ]


def test_the_budget_of_a_real_call_fills_its_window():
    setup = setup_of(chunks_of(20))
    call = planned(1, 0, chunk(setup.chunks[0], 1))
    figure = budget_bars([row(budget(call, setup))])
    assert sum(one.x[0] for one in figure.data) == setup.context_window
    assert trace(figure, "chunks").x[0] == 20


def test_the_window_is_a_line_with_its_number():
    figure = budget_bars([row()])
    line = figure.layout.shapes[0]
    assert (line.type, line.x0, line.x1) == ("line", 1024, 1024)
    assert texts(figure)[0] == "<b>window 1,024</b>"


def test_each_row_has_the_line_of_its_own_window_where_two_runs_alternate():
    rows = [row(), row(label="2 · refine"), row()]
    rows[1] = replace(rows[1], budget=replace(rows[1].budget, window=900))
    figure = budget_bars(rows)
    lines = [shape for shape in figure.layout.shapes if shape.type == "line"]
    assert [line.x0 for line in lines] == [one.budget.window for one in rows]
    assert [(line.y0, line.y1) for line in lines] == [(-0.5, 0.5), (0.5, 1.5), (1.5, 2.5)]
    assert "900 and 1,024 tokens" in budget_alt(rows)


def test_an_over_full_bar_crosses_the_line_and_says_by_how_much():
    figure = budget_bars([row(), row(OVER)])
    assert figure.layout.xaxis.range[1] >= 1073
    assert "<b>1,073</b> / 1,024<br><b>▲ 49 over</b>" in texts(figure)
    assert not any("over" in text for text in texts(budget_bars([row()])))


def test_rows_that_are_over_have_room_for_their_second_line():
    heights = [budget_bars([row(one)] * 3, row=26).layout.height for one in (FITS, OVER)]
    assert heights[1] - heights[0] >= 3 * 8


def test_assumed_answers_are_dashed_and_at_most():
    figure = budget_bars([row(OVER, bound=True)], width=1200)
    assumed = rectangles(figure)[0]
    assert assumed.line.dash == "3px,2px"
    assert (assumed.x0, assumed.x1) == (817, 945)
    found = texts(figure)
    assert "answer ≤ 128" in found
    assert any(text.startswith("≤ <b>1,073</b>") for text in found)
    assert not rectangles(budget_bars([row(OVER)]))


def test_words_shrink_with_their_segment_and_vanish():
    wide = trace(budget_bars([row()], width=1200), "chunks").text[0]
    narrow = trace(budget_bars([row()], width=300), "chunks").text[0]
    assert (wide, narrow) == ("chunks 640", "640")
    assert trace(budget_bars([row()]), "query").text[0] == ""


def test_words_never_lie_on_a_hatch():
    for one in budget_bars([row(OVER)]).data:
        assert not one.marker.pattern.shape or set(one.text) == {""}


def test_the_selected_row_has_a_frame():
    frame = rectangles(budget_bars([row(), row(), row()], selected=1))[0]
    assert (frame.y0, frame.y1) == (0.5, 1.5)
    assert frame.line.width >= 2


def test_labels_of_others_stay_text():
    figure = budget_bars([row(label="1 · <b>$x$</b>")])
    assert figure.layout.yaxis.ticktext[0].startswith("1 · &lt;b&gt;&#36;x")
    assert "<b>$" not in figure.to_json()


def test_the_hover_shows_the_arithmetic():
    shown = trace(budget_bars([row(OVER)]), "chunks").hovertext[0]
    assert shown.startswith("chunks 690<br>1 · text_qa: ")
    assert "template 71 + query 10 + variables 46 + chunks 690" in shown
    assert shown.endswith("= window 1,024 + 49 over")


def test_the_strip_has_a_column_a_call():
    figure = budget_strip([row()] * 50)
    assert list(trace(figure, "chunks").x) == list(range(1, 51))
    assert trace(figure, "room for the answer").marker.pattern.shape == "x"


def test_the_strip_of_many_calls_is_an_area_a_meaning():
    rows = [row(label=f"{number} · refine") for number in range(1, 200)] + [row(OVER)]
    *areas, calls = budget_strip(rows).data
    assert {(min(area.x), max(area.x)) for area in areas} == {(0.5, 200.5)}
    for below, area in pairwise(areas):
        assert area.y[400:] == tuple(reversed(below.y[:400]))
    assert [areas[-1].y[edge] for edge in (0, 397, 398, 399)] == [852, 852, 1073, 1073]
    assert list(calls.y[-2:]) == [852, 1073]
    assert calls.hovertext[9].startswith("10 · refine: template 28 + query 10")


def test_the_strip_of_many_calls_leaves_out_what_none_has():
    names = [one.name for one in budget_strip([row()] * 200).data]
    assert "chunks" in names
    assert "answers" not in names


def test_the_strip_frames_the_selected_call():
    frame = rectangles(budget_strip([row()] * 50, selected=9))[0]
    assert (frame.x0 + frame.x1) / 2 == 10


def test_budgets_are_told_in_a_sentence():
    assert budget_alt([row()]) == (
        "Budget of 1 call in a window of 1,024 tokens; the fullest needs 852."
    )
    assert budget_alt([row(), row(OVER, bound=True)]).endswith("needs at most 1,073, 49 over.")


@pytest.fixture
def partly():
    """Three chunks of which the first goes twice, the second half, the third not at all."""
    setup = setup_of(chunks_of(10, 20, 30))
    one, two = chunk(setup.chunks[0], 1), chunk(setup.chunks[1], 2)
    half = len(two) // 2
    calls = [planned(1, 0, one), planned(2, 0, one, two.slice(0, half))]
    return coverage(setup, calls)


def test_strips_cover_each_chunk_from_end_to_end(partly):
    for sent in partly:
        parts = strips(sent)
        assert parts[0].start == 0
        assert parts[-1].end == pytest.approx(sent.tokens, abs=0.1)
        assert all(a.end == b.start for a, b in pairwise(parts))


def test_strips_say_what_became_of_the_text(partly):
    assert [[part.fate for part in strips(sent)] for sent in partly] == [
        ["twice"],
        ["once", "lost"],
        ["lost"],
    ]


def test_each_fate_has_its_own_sign(partly):
    figure = coverage_strips(partly)
    shapes = [one.marker.pattern.shape for one in figure.data]
    assert [one.name for one in figure.data] == ["sent once", "sent twice", "cut off"]
    assert shapes == [None, "|", "\\"]
    assert trace(figure, "cut off").customdata == (2, 3)


def test_each_strip_says_its_tokens(partly):
    found = texts(coverage_strips(partly))[1:]
    assert found[0] == "10 sent, 10 twice"
    assert found[1].endswith("of 20")
    assert found[2] == "<b>cut off 30</b> of 30"


def test_white_space_is_not_missed():
    setup = setup_of(["one two   ", "  "])
    text = chunk(setup.chunks[0], 1).strip()
    first, blank = coverage(setup, [planned(1, 0, text)])
    assert [part.fate for part in strips(first)] == ["once"]
    assert "blank" in texts(coverage_strips([first, blank]))


def test_many_chunks_make_a_picture_that_still_fits():
    setup = setup_of(chunks_of(*[5] * 500))
    figure = coverage_strips(coverage(setup, []))
    assert figure.layout.height < 1700
    assert len(figure.layout.annotations) == 1
    assert len(figure.layout.yaxis.ticktext) <= 25


def test_coverage_is_told_in_a_sentence(partly):
    assert coverage_alt(partly).endswith("are cut off, of chunks 2 and 3.")
    assert coverage_alt(partly[:1]) == "Coverage of 1 chunk: all 10 tokens are sent."


def test_no_chunks_are_no_error():
    assert len(coverage_strips([]).data) == 0


def test_answers_are_not_chunks():
    setup = setup_of(chunks_of(10))
    assert coverage(setup, [planned(1, 1, answer(1))])[0].lost_tokens == 10


def test_an_answer_of_128_tokens_has_its_number_on_a_page_of_800_pixels():
    answer = row(Budget(parts(53, 10, 0, 662, 128), 128, 0, 0, 43, 1024), bound=True)
    assert "≤ 128" in texts(budget_bars([answer], width=STACKED))
