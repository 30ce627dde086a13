"""The figures of a report show the numbers of the run, at every width, in light and in dark."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.html.figures import FIGURE_BESIDE, flow_html
from synth.llms import FunctionLLM
from synth.pictures.meanings import MEANINGS
from synth.pictures.shapes import BESIDE, STYLES, WIDE
from synth.runs.trace import Trace
from tests.ui.report.reported import Read, reported
from tests.ui.sample_calls import chunk, chunks_of, made, setup_of
from ui.export import report_pages
from ui.export.report_pages import budget_html, coverage_html, timeline_html


def drawn(source):
    """The width in per cent of each bar, by its kind."""
    return [
        (attrs["class"].split()[0].removeprefix("k-"), float(attrs["width"][:-1]))
        for tag, attrs in Read(source).tags
        if tag == "rect"
    ]


@pytest.mark.parametrize("widths", [WIDE, BESIDE, report_pages.REPORT_WIDE, FIGURE_BESIDE], ids=str)
def test_the_styles_show_the_widest_figure_that_has_room(widths):
    for width in widths[:-1]:
        assert f"@container (width < {width}px) {{ .from-{width} {{ display: none; }} }}" in STYLES
        assert (
            f"@container (width >= {width}px) {{ .below-{width} {{ display: none; }} }}" in STYLES
        )


@given(st.lists(st.integers(1, 20), min_size=1, max_size=4))
def test_the_segments_of_a_bar_are_as_wide_as_their_tokens(lengths):
    texts = chunks_of(*lengths)
    call = made(1, 0, *[chunk(text, number) for number, text in enumerate(texts, 1)])
    trace = Trace(setup_of(texts), (call,), "")
    widths = dict(drawn(budget_html(trace, WIDE[:1])))
    whole, budget = sum(widths.values()), trace.budget(call)
    assert set(widths) <= set(MEANINGS)
    for kind, width in widths.items():
        assert width / whole == pytest.approx(budget.tokens(kind) / 100, abs=0.002)


def test_a_call_over_the_window_says_by_how_much():
    texts = chunks_of(95)
    call = made(1, 0, chunk(texts[0], 1))
    trace = Trace(setup_of(texts), (call,), "")
    assert f"▲ {trace.budget(call).over} over" in Read(budget_html(trace)).text
    assert trace.budget(call).over > 0


@pytest.mark.parametrize("mode", ["refine", "tree_summarize", "accumulate"])
def test_a_flow_has_a_box_for_every_call_and_every_answer(mode):
    trace = reported(mode, text_chunks=("One two three. " * 10,) * 6).trace
    source = flow_html(trace, WIDE[:1])
    assert all(f"call {call.number}" in Read(source).text for call in trace.calls)
    assert sum(kind == "answer" for kind, _ in drawn(source)) >= len(trace.calls)


def test_a_call_that_failed_is_drawn_as_failed():
    replies = iter(["fine"])
    trace = reported("refine", FunctionLLM(lambda _: next(replies))).trace
    assert trace.calls[-1].error
    assert f"✕ call {len(trace.calls)}" in Read(flow_html(trace, WIDE[:1])).text


def test_the_text_that_was_cut_off_is_hatched_and_counted():
    run = reported(
        "simple_summarize", text_chunks=("Every word of it. " * 90,) * 2, context_window=300
    )
    source = coverage_html(run.trace)
    tokens = sum(item.lost_tokens for item in run.trace.coverage)
    assert tokens
    widths = drawn(source)
    lost = sum(width for kind, width in widths if kind == "lost")
    whole = sum(item.tokens for item in run.trace.coverage)
    assert lost / sum(width for _, width in widths) == pytest.approx(tokens / whole, abs=0.02)
    assert "cut off" in Read(source).text


def test_of_a_run_that_ended_early_the_rest_is_not_sent_yet():
    replies = iter(["fine"])
    trace = reported("refine", FunctionLLM(lambda _: next(replies))).trace
    tokens = trace.coverage[2].tokens
    text = Read(coverage_html(trace)).text
    assert f"not sent {tokens} of {tokens}" in text
    assert "cut off" not in text


def test_where_nothing_is_lost_nothing_is_hatched():
    assert "k-lost" not in coverage_html(reported().trace)


def test_a_timeline_has_a_bar_for_every_call():
    trace = reported("refine").trace
    bars = [kind for kind, _ in drawn(timeline_html(trace))]
    assert len(bars) == len(report_pages.REPORT_WIDE) * len(trace.calls)
    assert "ink" in bars


@given(st.integers(1, 300))
def test_many_calls_have_a_figure_that_ends(count):
    [text] = chunks_of(5)
    calls = tuple(made(number, 0, chunk(text, 1)) for number in range(1, count + 1))
    trace = Trace(setup_of([text]), calls, "")
    [height] = re.findall(r'<svg style="[^"]+" height="(\d+)"', budget_html(trace, WIDE[:1]))
    assert int(height) < 1300


def test_where_there_is_nothing_to_draw_there_is_no_figure():
    trace = Trace(setup_of([]), (), "")
    assert (budget_html(trace), flow_html(trace, WIDE), coverage_html(trace)) == ("", "", "")
