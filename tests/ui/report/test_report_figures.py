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
from ui.export.report_pages import budget_html, coverage_html


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


def test_of_a_run_that_ended_early_the_rest_is_not_sent_yet():
    replies = iter(["fine"])
    trace = reported("refine", FunctionLLM(lambda _: next(replies))).trace
    tokens = trace.coverage[2].tokens
    text = Read(coverage_html(trace)).text
    assert f"not sent {tokens} of {tokens}" in text
    assert "cut off" not in text


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
