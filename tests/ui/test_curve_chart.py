"""The figure of By window: its lines, names and axis."""

import pytest

from synth.modes.advice.what_if import Totals
from tests.ui.plotly_figures import checked, texts
from ui.plans import curve_chart
from ui.plans.curve_chart import CurveView, curves_alt, measures
from ui.plans.curves import AXES, AxisSpan, Curve, Point

CALLS = measures(None)["calls"]
XS = 400, 1000, 2000


def of_calls(calls):
    return Totals(calls, 100 * calls, 10 * calls, calls) if calls else Totals.refuse("no room")


def curve(mode, *calls, xs=XS):
    """The curve of a mode with these calls at these places: a number, or those with both ends."""
    pairs = [one if isinstance(one, tuple) else (one, one) for one in calls]
    points = [
        Point(x, of_calls(low), of_calls(high)) for x, (low, high) in zip(xs, pairs, strict=True)
    ]
    return Curve(mode, tuple(points), ())


COMPACT = curve("compact", (3, 4), 2, 1)


def view(*others, focus=COMPACT, span=(400, 2000)):
    others = others or (curve("refine", 12, 12, 12), curve("tree_summarize", None, 3, 1))
    curves = {one.mode: one for one in (*others, focus)}
    return CurveView(AXES["window"], AxisSpan(*span, 1024), curves, focus.mode, 1024)


@checked
def drawn(seen):
    return curve_chart.curves_figure(seen, CALLS, "context window, tokens", 190)


def test_each_mode_has_a_line_of_its_own_values_hold_until_the_next_and_a_gap_stays_one():
    named = {one.name: one for one in drawn(view()).data if one.name}
    assert {one.line.shape for one in named.values()} == {"hv"}
    assert list(named["tree_summarize"].y) == [None, 3, 1]
    assert named["refine"].line.dash != named["tree_summarize"].line.dash
    assert named["compact"].line.width > named["refine"].line.width


def test_a_band_only_where_short_and_long_answers_differ():
    low, high = [one for one in drawn(view()).data if one.fillcolor]
    assert (low.fill, high.fill) == (None, "tonexty")
    assert (low.y, high.y) == ((3, 2, 1), (4, 2, 1))


@pytest.mark.parametrize("low", [400, 40])
def test_the_place_of_the_page_and_the_axis_are_written(low):
    figure = drawn(view(span=(low, 2000)))
    assert "<b>you are here: 1,024</b>" in texts(figure)
    assert figure.layout.xaxis.title.text == "context window, tokens"
    assert figure.layout.xaxis.type == ("log" if low < 125 else None)


def test_a_spike_leaves_the_picture_but_no_right_end():
    spiky = curve("tree_summarize", 900, *[2] * 19, xs=range(400, 420))
    assert 12 < drawn(view(spiky, curve("refine", 12, 12, 12))).layout.yaxis.range[1] < 20
    assert drawn(view(COMPACT, focus=spiky)).layout.yaxis.range[1] < 60


def test_the_figure_in_a_sentence():
    assert curves_alt(view(), CALLS) == (
        "Calls of each mode from 400 to 2,000; at the right end: refine 12, tree_summarize 1,"
        " compact 1."
    )
    none = curve("compact", None, None, None)
    assert drawn(view(none, focus=none))
    assert "no mode has a plan" in curves_alt(view(none, focus=none), CALLS)
