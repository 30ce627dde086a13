"""A comparison drawn: bars as long as their numbers, and small flows, light and dark."""

import re
from dataclasses import replace

import pytest

from synth import get_response_synthesizer
from synth.response_synthesizers.registry import MODES
from synth.trace import Trace
from tests.ui.compare_columns import CHUNKS, chain_of, fan_of, made, plan_of, planned, trace_of
from tests.ui.plotly_figures import checked
from ui import figures
from ui.compare import side_by_side
from ui.compare.analysis.measures import CUT_OFF, MeasureRow, Value
from ui.compare.side_by_side import measures_html

flow_figure = checked(figures.flow_figure)
small_flow = checked(side_by_side.small_flow)

ROWS = (
    MeasureRow("calls", (Value("1", 1), Value("3", 3), Value("12", 12))),
    MeasureRow(
        "dollars",
        (Value("≤ $0.0012", 0.0012, True), Value("unknown", None, True), Value("$0.0000", 0.0)),
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


def test_numbers_have_one_width_in_all_columns():
    widths = {re.search(r"--letters: (\d+)ch", measures_html(ROWS, at))[1] for at in range(3)}
    assert widths == {str(len("≤ $0.0012"))}


# ---- the small flow


def kinds(shown):
    """The kind and number of every box."""
    return sorted(
        tuple(data) for trace in shown.data if trace.type == "bar" for data in trace.customdata
    )


@pytest.mark.parametrize(
    "run",
    [
        plan_of(chain_of(planned, [0], [1], [2])),
        plan_of(fan_of(planned, [0, 1])),
        trace_of(fan_of(made, [0], [1], [2])),
        plan_of([]),
    ],
    ids=["chain", "lost", "fan", "no calls"],
)
def test_a_small_flow_has_the_boxes_of_the_big_one_and_no_words(run):
    shown = small_flow(run, 300)
    big = flow_figure(run.calls, run.setup, planned=not isinstance(run, Trace))
    assert kinds(shown) == kinds(big)
    assert not shown.layout.annotations
    assert not [trace for trace in shown.data if trace.type == "scatter" and trace.mode == "text"]
    beside = small_flow(plan_of(fan_of(planned, [0])), 300)
    assert shown.layout.height == beside.layout.height


def test_a_small_flow_shows_what_failed():
    good, bad = fan_of(made, [0], [1])
    run = trace_of([good, replace(bad, answer=None, error="no key")], None)
    patterns = {
        trace.marker.pattern.shape for trace in small_flow(run, 300).data if trace.type == "bar"
    }
    assert "x" in patterns


def test_assumed_answers_are_dashed():
    assert small_flow(plan_of(fan_of(planned, [0])), 300).layout.shapes
    assert not small_flow(trace_of(fan_of(made, [0])), 300).layout.shapes


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_has_a_small_flow(mode):
    plan = get_response_synthesizer(mode).plan("why so", CHUNKS)
    assert len([kind for kind, _ in kinds(small_flow(plan, 280)) if kind == "call"]) == len(
        plan.calls
    )
