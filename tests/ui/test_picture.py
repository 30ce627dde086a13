"""A figure as SVG: what it shows stands where Plotly would put it, and is safe with any text."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth import get_response_synthesizer
from synth.response_synthesizers.registry import MODES
from synth.walk import steps_of
from tests.ui.report.reported import Read
from ui.figures import (
    budget_bars,
    budget_row,
    budget_strip,
    coverage_strips,
    flow_figure,
)
from ui.figures.steps import steps_figure
from ui.figures.timeline import timeline_figure
from ui.look.escape import plot_text
from ui.look.picture import picture
from ui.look.stylesheet import stylesheet
from ui.look.theme import base_figure, marker, note

CHUNKS = ["The pool was set to 8 instead of 80. " * 9] * 7


def figure(*traces, xs=(0, 100), ys=(0, 10), **layout):
    """A figure 120 pixels high with margins of 30, 50, 10 and 10 pixels."""
    axes = {
        "xaxis": {"range": xs, "showticklabels": False},
        "yaxis": {"range": ys, "showticklabels": False},
    }
    return base_figure(120, (30, 50, 10, 10), traces, **axes | layout)


def bar(**changes):
    trace = {"type": "bar", "x": [2, 5], "y": [4, 6], "width": 1, "marker": {"color": "#111111"}}
    return trace | changes


def rects(drawn):
    """Left and width in per cent, top and height in pixels, of each rectangle."""
    found = [attrs for tag, attrs in Read(drawn.svg).tags if tag == "rect"]
    found = [attrs for attrs in found if "%" in attrs["width"]]  # tiles and plates have pixels
    names = ("x", "width", "y", "height")
    return [tuple(float(one[name].removesuffix("%")) for name in names) for one in found]


def texts(drawn):
    """The lines of each text."""
    found = re.findall("<text.*?</text>", drawn.svg)
    return [re.sub("<.*?>", "", one.replace("<tspan x", "\n<tspan x")) for one in found]


def test_bars_stand_in_the_room_between_the_margins():
    drawn = picture(figure(bar(), xs=(0, 10)), "a")
    assert 'style="margin-left: 30px; width: calc(100% - 80px)" height="120"' in drawn.svg
    assert rects(drawn) == [(15, 10, 70, 40), (45, 10, 50, 60)]


def test_a_note_with_a_width_is_cut_by_it_and_stretches():
    named = note(10, 5, f"<b>{plot_text('a < b', 200)}</b>", width=40)
    drawn = picture(figure(annotations=[named]), "a").svg
    assert '<foreignObject x="10%" y="51" width="40%" height="18">' in drawn
    assert 'class="shortened"' in drawn
    assert '<span class="bold">a &lt; b</span></div></foreignObject>' in drawn


def test_stacked_bars_begin_where_others_end():
    flat = bar(orientation="h", x=[30, 0], y=[1, 2])
    drawn = picture(figure(flat, flat | {"x": [20, 50]}, barmode="stack"), "a")
    assert [(left, width) for left, width, *_ in rects(drawn)] == [(0, 30), (30, 20), (0, 50)]


def test_bars_begin_at_their_base_and_may_go_down():
    drawn = picture(figure(bar(base=[1, 0], y=[2, -3]), xs=(0, 10), ys=(-5, 5)), "a")
    assert [(top, height) for *_, top, height in rects(drawn)] == [(30, 20), (60, 30)]


def test_an_axis_may_run_backwards():
    [one, _] = rects(picture(figure(bar(), xs=(10, 0), ys=(10, 0)), "a"))
    assert one == (75, 10, 10, 40)


def test_each_hatch_is_that_of_its_figure():
    for name in ("a", "b"):
        drawn = picture(figure(bar(marker=marker("reserved")), bar(), bar()), name)
        [hatch] = re.findall('<pattern id="(.*?)"', drawn.svg)
        assert hatch.startswith(name)
        assert f'fill="url(#{hatch})"' in drawn.svg


def test_a_click_tells_the_customdata_of_its_bar():
    drawn = picture(figure(bar(customdata=[["call", 1], ["call", 2]])), "a")
    names = re.findall('data-mark="(.*?)"', drawn.svg)
    assert [drawn.marks[name] for name in names] == [["call", 1], ["call", 2]]


def test_words_have_lines_parts_in_bold_and_the_side_of_their_point():
    label = {
        "type": "scatter",
        "mode": "text",
        "x": [50],
        "y": [5],
        "text": ["<b>lost</b><br>+3 &lt;b&gt;"],
        "textposition": "middle right",
        "textfont": {"size": 12, "color": "#123456"},
    }
    drawn = picture(figure(label), "a")
    assert texts(drawn) == ["lost\n+3 &lt;b&gt;"]
    assert '<tspan class="bold">lost</tspan>' in drawn.svg
    assert 'x="50%"' in drawn.svg
    assert 'fill="#123456"' in drawn.svg
    assert "text-anchor" not in drawn.svg  # it starts at its point


def heights(drawn):
    """The first baseline of each text, in pixels."""
    return [float(y) for y in re.findall(r'<text [^>]*?y="([\d.]+)"', drawn.svg)]


@pytest.mark.parametrize("lines", [1, 2, 3])
def test_words_stand_above_on_or_below_their_point(lines):
    text = "<br>".join(["line"] * lines)
    notes = [note(50, 5, text, yanchor=side) for side in ("bottom", "middle", "top")]
    above, middle, below = heights(picture(figure(annotations=notes), "a"))
    last = 12 * 1.3 * (lines - 1)
    assert above + last < 60
    assert below > 60 + 6
    assert middle + last / 2 == pytest.approx(60 + 4, abs=1)


def test_a_note_on_a_hatch_has_a_plate_as_wide_as_its_words():
    notes = [note(50, 5, text, bgcolor="#ABCDEF", borderpad=0) for text in ("1", "<b>1234</b>")]
    drawn = picture(figure(annotations=notes), "a").svg
    plates = re.findall(
        r'width="([\d.]+)"[^>]*fill="#ABCDEF" transform="translate\(-([\d.]+)', drawn
    )
    (narrow, _), (wide, left) = [tuple(map(float, plate)) for plate in plates]
    assert 4 < narrow < 12 < 20 < wide < 32
    assert left == pytest.approx(wide / 2, abs=0.01)
    assert drawn.index("#ABCDEF") < drawn.index(">1<")


def test_the_pointer_is_told_in_lines_and_without_tags():
    drawn = picture(figure(bar(hovertext=["<b>call 1</b><br>5 &lt; 6", ""])), "a").svg
    assert "<title>call 1\n5 &lt; 6</title>" in drawn


def test_a_line_ends_where_a_point_is_missing():
    line = {"type": "scatter", "mode": "lines", "line": {"color": "#123456", "width": 2}}
    drawn = picture(figure(line | {"x": [0, 50, None, 50, 100], "y": [0, 5, None, 5, 10]}), "a")
    assert 'viewBox="0 0 10000 110"><path d="M0 110L5000 60M5000 60L10000 10"' in drawn.svg
    assert 'fill="none" stroke="#123456" stroke-width="2"' in drawn.svg


def test_an_outline_without_a_line_is_filled():
    area = {"type": "scatter", "mode": "lines", "line": {"width": 0}, "fill": "toself"}
    area |= {"x": [0, 100, 100], "y": [0, 0, 10], "fillcolor": "#123456"}
    drawn = picture(figure(area), "a").svg
    assert 'fill="#123456"' in drawn
    assert "stroke" not in drawn


def test_an_arrow_has_a_head_at_each_point():
    marks = {"type": "scatter", "mode": "markers", "x": [25, 50], "y": [5, 5]}
    marks |= {"marker": {"symbol": "triangle-right", "size": 8, "color": "#123456"}}
    assert re.findall(
        r'<svg x="(\d+)%" y="60"><path [^>]*fill="#123456"', picture(figure(marks), "a").svg
    ) == ["25", "50"]


def test_shapes_are_lines_and_frames_that_leave_clicks_to_what_is_under_them():
    line = {"color": "#123456", "width": 2, "dash": "3px,2px"}
    across = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 5, "y1": 5, "line": line}
    frame = {"type": "rect", "x0": 75, "x1": 25, "y0": 2, "y1": 6, "line": line}
    drawn = picture(figure(shapes=[across, frame]), "a")
    stroke = 'stroke="#123456" stroke-width="2" stroke-dasharray="3,2"'
    assert f'<line x1="0%" y1="60" x2="100%" y2="60" {stroke}/>' in drawn.svg
    assert f'{stroke} class="outline"/>' in drawn.svg
    assert rects(drawn) == [(25, 50, 50, 40)]
    assert ".outline { fill: none; pointer-events: none; }" in stylesheet("text")


def test_names_of_rows_stand_left_of_them_and_titles_beside_the_axes():
    titles = {"title": {"text": "tokens"}}
    rows = {"range": (2, 0), "tickvals": [0, 1], "ticktext": ["first", "second"], **titles}
    across = {"range": (0, 10), "showticklabels": False, "title": {"text": "seconds"}}
    drawn = picture(figure(xaxis=across, yaxis=rows), "a")
    assert texts(drawn) == ["first", "second", "seconds", "tokens"]
    assert re.findall('class="tick" x="0%" dx="-6" y="([^"]+)"[^>]*text-anchor="end"', drawn.svg)
    assert 'rotate(-90)"><text' in drawn.svg


def test_a_note_on_the_paper_keeps_its_pixels_from_the_edge():
    label = note(1, 5, "12 / 34", xref="paper", xanchor="right", xshift=44)
    drawn = picture(figure(annotations=[label]), "a")
    assert 'class="note" x="100%" dx="44"' in drawn.svg
    assert 'text-anchor="end"' in drawn.svg


def test_an_axis_has_round_numbers_on_it():
    layout = {"xaxis": {"range": (0, 1026), "nticks": 6, "ticksuffix": " s", "showgrid": True}}
    drawn = picture(figure(**layout), "a")
    assert texts(drawn) == [f"{number:,} s" for number in range(0, 1026, 200)]
    assert drawn.svg.count("<line") == 6


@given(st.floats(1e-3, 1e7), st.integers(4, 9))
def test_an_axis_has_as_many_numbers_as_it_may(end, most):
    drawn = picture(figure(xaxis={"range": (0, end), "nticks": most}), "a")
    found = texts(drawn)
    assert 1 < len(found) <= most + 1
    assert len({*found}) == len(found)
    assert found[0].startswith("0")


@given(st.text())
def test_any_text_is_shown_as_it_is(text):
    shown = plot_text(text, 500)
    says = bar(hovertext=[shown, ""], text=[shown, ""], insidetextfont={"size": 12, "color": "red"})
    read = Read(picture(figure(says), "a").svg)
    assert {tag for tag, _ in read.tags} <= {"svg", "g", "rect", "title", "text", "tspan"}
    assert read.text == 2 * html.unescape(shown)


def pictures(plan, trace):
    """Every figure that is drawn as a picture, of one plan and its run."""
    if rows := [budget_row(plan, call) for call in plan.calls]:
        yield budget_bars(rows, selected=0)
        yield budget_strip(rows, selected=0)
        yield budget_strip(rows * 90)
    yield flow_figure(plan.calls, plan.setup, planned=True)
    yield flow_figure(trace.calls, trace.setup, selected=1, states={1: "failed"})
    yield coverage_strips(trace.coverage)
    yield timeline_figure(trace)
    steps = steps_of(trace)
    if steps and steps[0].shape == "chain":
        yield steps_figure(steps, current=1)


TRACES = {
    *("type", "mode", "name", "orientation", "x", "y", "base", "width", "marker", "text"),
    *("hovertext", "customdata", "insidetextfont", "textposition", "textfont", "line", "fill"),
    *("fillcolor", "opacity"),
}
NOTES = {
    *("x", "y", "text", "font", "xref", "xanchor", "yanchor", "xshift", "bgcolor", "borderpad"),
    *("showarrow", "align"),
}
SHAPES = {"type", "x0", "x1", "y0", "y1", "xref", "line"}


@pytest.mark.parametrize("mode", MODES)
def test_a_picture_draws_all_that_a_figure_asks_for(mode):
    asked = get_response_synthesizer(mode)
    plan, trace = asked.plan("why so", CHUNKS), asked.run("why so", CHUNKS)
    for one in pictures(plan, trace):
        layout = one["layout"]
        assert {name for trace in one["data"] for name in trace} <= TRACES
        assert {name for note in layout.get("annotations", ()) for name in note} <= NOTES
        assert {name for shape in layout.get("shapes", ()) for name in shape} <= SHAPES
        drawn = picture(one, "a")
        lengths = [
            length
            for trace in one["data"]
            if trace["type"] == "bar"
            for length in trace["x" if trace.get("orientation") == "h" else "y"]
        ]
        shown = rects(drawn)
        assert len(shown) >= sum(length != 0 for length in lengths)
        for left, width, _, height in shown:
            assert left >= -2
            assert left + width <= 102
            assert width >= 0
            assert height >= 0
