"""The figure of By window: its lines, names and marks."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.ui.plotly_figures import checked, texts
from ui.plans import curve_chart
from ui.plans.chart_data import Line, Panel, PointLabel, apart
from ui.plans.curve_chart import curves_alt

curves_figure = checked(curve_chart.curves_figure)


def panel(**changes):
    lines = (
        Line("refine", (400, 1000, 2000), (12, 12, 12), (12, 12, 12)),
        Line("compact", (400, 1000, 2000), (3, 2, 1), (4, 2, 1)),
        Line("tree_summarize", (400, 1000, 2000), (None, 3, 1), (None, 3, 1)),
    )
    return Panel(
        **{
            "title": "calls",
            "lines": lines,
            "focus": "compact",
            "ends": (400, 2000),
            "here": 1024,
            "here_text": "you are here: 1,024",
            "what": "context window, tokens",
            **changes,
        }
    )


def test_each_other_mode_has_signs_of_its_own_on_its_line_and_before_its_name():
    drawn = curves_figure(panel())
    refine, tree = [one for one in drawn.data if str(one.marker.symbol).endswith("open")]
    assert refine.marker.symbol != tree.marker.symbol
    assert not {*refine.x} & {*tree.x}
    assert {*refine.y} == {12}
    assert {*tree.y} <= {3, 1}
    assert {"○ refine", "<b>━ compact</b>", "△ tree_summarize"} <= {*texts(drawn)}


def test_values_hold_until_the_next_and_a_gap_stays_one():
    named = {one.name: one for one in curves_figure(panel()).data if one.name}
    assert {one.line.shape for one in named.values()} == {"hv"}
    assert list(named["tree_summarize"].y) == [None, 3, 1]


def test_a_band_only_where_short_and_long_answers_differ():
    low, high = [one for one in curves_figure(panel()).data if one.fillcolor]
    assert (low.fill, high.fill) == (None, "tonexty")
    assert (low.y, high.y) == ((3, 2, 1), (4, 2, 1))


def test_here_marks_and_names_are_written():
    drawn = curves_figure(panel(marks=(PointLabel(1000, 2, "2 calls from 1,000"),)))
    assert "<b>you are here: 1,024</b>" in texts(drawn)
    [mark] = [one for one in drawn.layout.annotations if one.text == "2 calls from 1,000"]
    assert (mark.x, mark.y, mark.showarrow) == (1000, 2, True)
    assert drawn.layout.xaxis.title.text == "context window, tokens"
    assert not curves_figure(panel(what="")).layout.xaxis.showticklabels


def test_a_wide_axis_is_logarithmic_and_its_marks_stand_on_their_values():
    drawn = curves_figure(panel(wide=True, marks=(PointLabel(1000, 2, "a"),)))
    assert drawn.layout.xaxis.type == "log"
    assert next(note.x for note in drawn.layout.annotations if note.text == "a") == 3


def test_a_spike_leaves_the_picture_but_no_right_end():
    spiky = Line("tree_summarize", tuple(range(20)), (900, *[2] * 19), (900, *[2] * 19))
    lines = (spiky, *panel().lines)
    assert panel(lines=lines).top < 20
    assert panel(lines=lines, focus="tree_summarize").top < 60
    assert panel().top > 12


def test_no_curve_at_all():
    empty = Line("compact", (400, 2000), (None, None), (None, None))
    assert curves_figure(panel(lines=(empty,)))
    assert "no mode has a plan" in curves_alt(panel(lines=(empty,)))


@given(st.lists(st.floats(0, 100), max_size=9), st.floats(0.1, 10))
def test_names_never_lie_on_one_another(values, step):
    places = apart(values, step)
    assert all(place >= 0 for place in places)
    assert all(after - before > step * 0.999 for before, after in pairwise(sorted(places)))


def test_the_figure_in_a_sentence():
    assert curves_alt(panel()) == (
        "Calls of each mode from 400 to 2,000; at the right end: refine 12, compact 1,"
        " tree_summarize 1."
    )


def test_of_marks_too_near_for_words_the_first_is_kept():
    marks = (PointLabel(1000, 2, "a"), PointLabel(1030, 2, "b"), PointLabel(1100, 2, "c"))
    assert [mark.text for mark in panel(marks=marks).named] == ["a", "c"]
    assert [mark.text for mark in panel(marks=marks, ends=(990, 1110)).named] == ["a", "b", "c"]
