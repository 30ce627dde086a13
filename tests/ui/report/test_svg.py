"""The figures of a report show the numbers of the run."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.llms import FunctionLLM
from synth.trace import Trace
from tests.ui.report.reported import Read, reported
from tests.ui.sample_calls import chunk, chunks_of, made, setup_of
from ui.figures import budget_row
from ui.look.theme import DARK, LIGHT, MEANINGS
from ui.report.css import report_css
from ui.report.figures import budget_figure, coverage_figure, flow_figure
from ui.report.svg import budget_svg, coverage_svg, flow_svg, svg_css, svg_patterns, timeline_svg
from ui.report.svg.shapes import svg_variables

WIDTH = 680


def sizes(source, style, name="width"):
    return [float(attrs[name]) for attrs in Read(source).of(style)]


@given(st.lists(st.integers(1, 20), min_size=1, max_size=4))
def test_the_segments_of_a_bar_are_as_wide_as_their_tokens(lengths):
    texts = chunks_of(*lengths)
    call = made(1, 0, *[chunk(text, number) for number, text in enumerate(texts, 1)])
    row = budget_row(Trace(setup_of(texts), (call,), ""), call)
    source = budget_svg([row], WIDTH)
    drawn = {kind: sum(sizes(source, f"m-{kind}")) for kind in MEANINGS if row.tokens(kind)}
    whole = sum(drawn.values())
    for kind, width in drawn.items():
        assert width / whole == pytest.approx(row.tokens(kind) / 100, abs=0.002)


def test_a_call_over_the_window_says_by_how_much():
    texts = chunks_of(95)
    call = made(1, 0, chunk(texts[0], 1))
    trace = Trace(setup_of(texts), (call,), "")
    text = Read(budget_svg([budget_row(trace, call)], WIDTH)).text
    assert f"▲ {trace.budget(call).over} over" in text
    assert trace.budget(call).over > 0


@pytest.mark.parametrize("mode", ["refine", "tree_summarize", "accumulate"])
def test_a_flow_has_a_box_for_every_call_and_every_answer(mode):
    trace = reported(mode, chunks=("One two three. " * 10,) * 6).trace
    read = Read(flow_svg(trace.calls, trace.setup, 1064))
    calls = [f"call {call.number}" for call in trace.calls]
    assert all(name in read.text for name in calls)
    assert len(read.of("m-answer")) >= len(trace.calls)


def test_a_call_that_failed_is_drawn_as_failed():
    replies = iter(["fine"])
    trace = reported("refine", FunctionLLM(lambda _: next(replies))).trace
    assert trace.calls[-1].error
    assert len(Read(flow_figure(trace, ("wide",))).of("failed")) == 1


def test_the_text_that_was_cut_off_is_hatched_and_counted():
    run = reported("simple_summarize", chunks=("Every word of it. " * 90,) * 2, window=300)
    source = coverage_svg(run.trace.coverage, WIDTH, "cut off")
    tokens = sum(item.lost_tokens for item in run.trace.coverage)
    assert tokens
    lost, sent = sum(sizes(source, "m-lost")), sum(sizes(source, "m-context"))
    whole = sum(item.tokens for item in run.trace.coverage)
    assert lost / (lost + sent) == pytest.approx(tokens / whole, abs=0.02)
    assert "cut off" in Read(source).text


def test_of_a_run_that_ended_early_the_rest_is_not_sent_yet():
    replies = iter(["fine"])
    trace = reported("refine", FunctionLLM(lambda _: next(replies))).trace
    tokens = trace.coverage[2].tokens
    text = Read(coverage_figure(trace, ("wide",))).text
    assert f"{tokens} of {tokens} not sent" in text
    assert "cut off" not in text


def test_where_nothing_is_lost_nothing_is_hatched():
    assert not Read(coverage_svg(reported().trace.coverage, WIDTH, "cut off")).of("m-lost")


def test_a_timeline_has_a_bar_for_every_call():
    trace = reported("refine").trace
    read = Read(timeline_svg(trace, WIDTH))
    assert len(read.of("solid")) + len(read.of("m-template")) == len(trace.calls)


@given(st.integers(1, 300))
def test_many_calls_have_a_figure_that_ends(count):
    [text] = chunks_of(5)
    calls = tuple(made(number, 0, chunk(text, 1)) for number in range(1, count + 1))
    trace = Trace(setup_of([text]), calls, "")
    [height] = re.findall(r'<svg viewBox="0 0 [\d.]+ ([\d.]+)"', budget_figure(trace, ("wide",)))
    assert float(height) < 1300


def test_where_there_is_nothing_to_draw_there_is_no_figure():
    trace = Trace(setup_of([]), (), "")
    assert (budget_figure(trace), flow_figure(trace), coverage_figure(trace)) == ("", "", "")


def test_the_window_ends_every_figure():
    """No mark stands outside the figure, at any width."""
    trace = reported("refine", chunks=("One two three. " * 10,) * 6).trace
    rows = [budget_row(trace, call) for call in trace.calls]
    for width in (1064, 680, 500, 340):
        for source in (budget_svg(rows, width), coverage_svg(trace.coverage, width, "cut off")):
            for _, attrs in Read(source).tags:
                if "x" in attrs:
                    assert 0 <= float(attrs["x"]) <= width
                    assert float(attrs["x"]) + float(attrs.get("width", 0)) <= width + 0.1


def test_every_colour_of_the_figures_has_a_value_in_light_and_dark():
    used = set(re.findall(r"var\(--([\w-]+)\)", svg_css() + report_css()))
    for look in (LIGHT, DARK):
        assert used <= set(re.findall(r"--([\w-]+):", svg_variables(look)))
    ids = re.findall(r'id="(p-\w+)"', svg_patterns())
    assert set(re.findall(r"url\(#([\w-]+)\)", svg_css())) == set(ids)
