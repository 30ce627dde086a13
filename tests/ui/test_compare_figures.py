"""A comparison drawn: bars as long as their numbers, and small flows, light and dark."""

import re
from dataclasses import replace

import pytest

from tests.ui.compare_columns import chain_of, fan_of, plan_of, trace_of
from tests.ui.sample_calls import made, planned
from ui.pages.compare.measures import CUT_OFF, MeasureRow, Value
from ui.pages.compare.side_by_side import measures_html, small_flow

ROWS = (
    MeasureRow("calls", (Value("1", 1), Value("3", 3), Value("12", 12))),
    MeasureRow(
        "cost",
        (Value("≤ $0.0012", 0.0012, True), Value("unknown", None, True), Value("$0", 0.0)),
    ),
    MeasureRow(CUT_OFF, (Value("0", 0), Value("40–450", 450, True), Value("<none>"))),
)


# ---- the bars


def bars(position):
    """The classes and the width in percent of each bar of a column."""
    return [
        (set(classes.split()), float(width))
        for classes, width in re.findall(
            r'<i class="([^"]+)" style="width: ([\d.]+)%">', measures_html(ROWS, position)
        )
    ]


def test_a_bar_is_as_long_as_its_number_beside_the_largest_of_all_columns():
    assert bars(0) == [({"bar"}, 8.3), ({"bar", "estimate"}, 100.0)]
    assert bars(1) == [({"bar"}, 25.0), ({"bar", "k-lost", "estimate"}, 100.0)]
    assert bars(2) == [({"bar"}, 100.0)]


def test_a_word_stands_where_nobody_knows_a_number_and_is_text():
    assert '<span class="muted">unknown</span>' in measures_html(ROWS, 1)
    assert '<span class="muted">&lt;none&gt;</span>' in measures_html(ROWS, 2)
    assert '<span class="number">12</span>' in measures_html(ROWS, 2)


# ---- the small flow


@pytest.mark.parametrize(
    ("run", "kind"),
    [
        (plan_of(chain_of(planned, [0], [1], [2])), "k-context"),
        (plan_of(fan_of(planned, [0])), "assumed"),
        (plan_of(fan_of(planned, [0, 1])), "k-lost"),
        (trace_of(fan_of(made, [0], [1], [2])), "k-answer"),
        (plan_of([]), "k-lost"),
    ],
    ids=["chain", "assumed", "lost", "fan", "no calls"],
)
def test_a_small_flow_has_boxes_and_no_words(run, kind):
    picture = small_flow(run, 300)
    assert any(kind in box.kind.split() for box in picture.boxes)
    assert not picture.texts
    assert picture.height == small_flow(plan_of(fan_of(planned, [0])), 300).height


def test_a_small_flow_shows_what_failed():
    good, bad = fan_of(made, [0], [1])
    run = trace_of([good, replace(bad, answer=None, error="no key")], None)
    failed = [box.click for box in small_flow(run, 300).boxes if box.kind == "failed"]
    assert failed == [("call", 2)]
