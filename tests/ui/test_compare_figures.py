"""The figures of a comparison: every bar is its number, every word has room, light and dark."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth import get_response_synthesizer
from synth.response_synthesizers.registry import MODES
from synth.trace import Trace
from tests.ui.compare_entries import CHUNKS, chain_of, fan_of, made, plan_of, planned, trace_of
from tests.ui.plotly_figures import checked
from ui import figures
from ui.compare import column_view
from ui.compare import measures_figure as measures_module
from ui.compare.analysis.measures import MeasureRow
from ui.compare.measure_panels import LETTER, PanelGrid
from ui.compare.measures_figure import measures_alt
from ui.look.theme import DARK, LIGHT

flow_figure = checked(figures.flow_figure)
measures_figure = checked(measures_module.measures_figure)
small_flow = checked(column_view.small_flow)

LABELS = ("A · compact", "B · refine", "C · <b>x</b>")
ROWS = (
    MeasureRow("calls", ("1", "3", "12"), (1, 3, 12), False, (False, False, False)),
    MeasureRow(
        "dollars",
        ("≤ $0.0012", "unknown", "$0.0000"),
        (0.0012, None, 0.0),
        False,
        (True, False, False),
    ),
    MeasureRow("tokens lost", ("0", "40–450", "0"), (0, 450, 0), False, (False, True, False)),
)


def figure(rows=ROWS, labels=LABELS, look=LIGHT, width=1300, reference=0):
    return measures_figure(rows, labels, look, width, reference)


def axis(shown, at):
    return shown.layout[f"xaxis{at + 1 if at else ''}"]


def test_a_bar_is_as_long_as_its_number_and_says_it():
    for trace, row in zip(figure().data, ROWS, strict=True):
        assert list(trace.x) == [amount or 0 for amount in row.amounts]
        assert [text.replace("&#36;", "$") for text in trace.text] == list(row.values)
        assert trace.constraintext == "none"
        assert all(row.name in text for text in trace.hovertext)


@pytest.mark.parametrize("look", [LIGHT, DARK])
def test_the_reference_is_in_ink_and_lost_text_is_hatched(look):
    calls, _, lost = figure(look=look, reference=1).data
    assert [colour == look.ink for colour in calls.marker.color] == [False, True, False]
    assert calls.marker.pattern.shape is None
    assert lost.marker.pattern.shape == "\\"
    names = figure(look=look, reference=1).layout.yaxis.ticktext
    assert [name.startswith("<b>") for name in names] == [False, True, False]


def test_what_is_estimated_is_pale_in_dashes():
    shown = figure()
    dashed = [shape for shape in shown.layout.shapes if shape.type == "rect"]
    assert [(shape.xref, shape.x1) for shape in dashed] == [("x2", 0.0012), ("x3", 450)]
    assert all(shape.line.dash for shape in dashed)
    assert shown.data[1].marker.color[0].startswith("rgba")
    assert shown.data[1].marker.line.width[0] == 0


def test_every_panel_has_its_own_scale_from_zero():
    shown = figure()
    assert [axis(shown, at).range[0] for at in range(3)] == [0, 0, 0]
    assert axis(shown, 0).range[1] > 12
    assert axis(shown, 1).range[1] < 1
    zeros = [shape for shape in shown.layout.shapes if shape.type == "line"]
    assert [shape.xref for shape in zeros] == ["x", "x2", "x3"]
    assert {shape.x0 for shape in zeros} == {0}


def test_a_word_stands_where_nobody_knows_a_number():
    dollars = figure().data[1]
    assert dollars.text[1] == "unknown"
    assert dollars.textfont.color[1] == LIGHT.muted != dollars.textfont.color[0]


def test_names_are_text_and_not_tags():
    shown = figure()
    assert shown.layout.yaxis.ticktext[2] == "C · &lt;b&gt;x&lt;/b&gt;"
    assert all("<b>x" not in text for trace in shown.data for text in trace.hovertext)


def test_too_many_panels_for_a_line_stand_in_two():
    seven = [replace(ROWS[0], name=f"measure {number}") for number in range(7)]
    wide, narrow = figure(seven), figure(seven, width=640)
    assert [trace.yaxis for trace in wide.data] == ["y"] * 7
    assert [trace.yaxis for trace in narrow.data] == ["y"] * 4 + ["y2"] * 3
    assert narrow.layout.height == 2 * wide.layout.height
    assert narrow.layout.yaxis.domain[0] > narrow.layout.yaxis2.domain[1]


def test_fonts_can_be_read():
    shown = figure(width=640)
    sizes = [note.font.size for note in shown.layout.annotations]
    sizes += [trace.textfont.size for trace in shown.data]
    assert min([*sizes, shown.layout.yaxis.tickfont.size]) >= 11


AMOUNT = st.none() | st.integers(0, 10**7)


@given(
    st.lists(st.lists(AMOUNT, min_size=4, max_size=4), min_size=1, max_size=9),
    st.sampled_from([420, 640, 800, 1100, 1300]),
)
def test_values_have_room_behind_their_bars(table, width):
    rows = [
        MeasureRow(
            "calls",
            tuple("–" if n is None else f"{n:,}" for n in line),
            tuple(line),
            False,
            (False,) * 4,
        )
        for line in table
    ]
    labels = ["A · compact_accumulate"] * 4
    grid, shown = PanelGrid(len(rows), labels, width), figure(rows, labels, width=width)
    assert grid.lines * grid.per_line >= len(rows) > (grid.lines - 1) * grid.per_line
    ends = {}
    for at, row in enumerate(rows):
        scale = axis(shown, at)
        begin, end = scale.domain
        assert 0 <= begin < end <= 1
        line = at // grid.per_line
        assert begin > ends.get(line, -1)
        ends[line] = end
        for amount, value in zip(row.amounts, row.values, strict=True):
            bar = (amount or 0) / scale.range[1] * grid.panel
            assert 0 <= bar <= grid.panel
            if len(value) <= 7:
                assert bar + LETTER * len(value) <= grid.panel


def test_no_rows_or_columns_make_an_empty_figure():
    assert not figure([]).data
    assert list(figure([replace(ROWS[0], values=(), amounts=(), estimated=())], []).data[0].x) == []


def test_the_alt_text_says_every_value():
    assert measures_alt(ROWS[:2], ("A", "B", "C")) == (
        "A bar for each of A, B, C. calls: A 1, B 3, C 12."
        " dollars: A ≤ $0.0012, B unknown, C $0.0000."
    )


# ---- the small flow


def kinds(shown):
    """The kind and number of every box."""
    return sorted(
        tuple(data) for trace in shown.data if trace.type == "bar" for data in trace.customdata
    )


@pytest.mark.parametrize("look", [LIGHT, DARK])
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
def test_a_small_flow_has_the_boxes_of_the_big_one_and_no_words(look, run):
    shown = small_flow(run, look, 300)
    big = flow_figure(run.calls, run.setup, look, planned=not isinstance(run, Trace))
    assert kinds(shown) == kinds(big)
    assert not shown.layout.annotations
    assert not [trace for trace in shown.data if trace.type == "scatter" and trace.mode == "text"]
    beside = small_flow(plan_of(fan_of(planned, [0])), look, 300)
    assert shown.layout.height == beside.layout.height


def test_a_small_flow_shows_what_failed():
    good, bad = fan_of(made, [0], [1])
    run = trace_of([good, replace(bad, answer=None, error="no key")], None)
    patterns = {
        trace.marker.pattern.shape
        for trace in small_flow(run, LIGHT, 300).data
        if trace.type == "bar"
    }
    assert "x" in patterns


def test_assumed_answers_are_dashed():
    assert small_flow(plan_of(fan_of(planned, [0])), LIGHT, 300).layout.shapes
    assert not small_flow(trace_of(fan_of(made, [0])), LIGHT, 300).layout.shapes


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_has_a_small_flow(mode):
    plan = get_response_synthesizer(mode).plan("why so", CHUNKS)
    assert len([kind for kind, _ in kinds(small_flow(plan, DARK, 280)) if kind == "call"]) == len(
        plan.calls
    )
