"""The figures of a run with their legends and their descriptions; empty where nothing is to see."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from synth.trace import Trace
from synth.wording import counted
from ui.figures import budget_alt, budget_row, coverage_alt, flow_alt, legend_kinds
from ui.figures.timeline import timeline_alt
from ui.look.escape import escape, legend_html
from ui.report.svg import budget_svg, coverage_svg, figure_html, flow_svg, timeline_svg
from ui.report.svg.shapes import ALONE
from ui.trace.states import states_of
from ui.trace.timeline import timeline_facts

_MOST = 2_500  # bars that a figure can show
_FLOWING = 600  # chunks or calls in a flow: of more, each is narrower than its outline


def budget_figure(trace: Trace, widths: Sequence[str] = ALONE) -> str:
    """The budget of each call, with the legend."""
    if not trace.calls:
        return ""
    if len(trace.calls) > _MOST:
        return _too_many(trace)
    rows = [budget_row(trace, call) for call in trace.calls]
    figure = figure_html(partial(budget_svg, rows), budget_alt(rows), widths)
    return legend_html(legend_kinds(rows)) + figure


def flow_figure(trace: Trace, widths: Sequence[str] = ALONE) -> str:
    """Which chunk went into which call."""
    calls, setup = trace.calls, trace.setup
    if not calls:
        return ""
    if max(len(calls), len(setup.chunks)) > _FLOWING:
        return _too_many(trace)
    draw = partial(flow_svg, calls, setup, states=states_of(trace))
    return figure_html(draw, flow_alt(calls, setup), widths)


def coverage_figure(trace: Trace, widths: Sequence[str] = ALONE) -> str:
    """What was sent of each chunk, with the legend."""
    chunks = trace.coverage
    if not chunks:
        return ""
    if len(chunks) > _MOST:
        return _too_many(trace)
    numbers = [len(part.calls) for chunk in chunks for part in chunk.stretches]
    present = {
        "sent": 1 in numbers,
        "twice": any(number > 1 for number in numbers),
        "lost": trace.response is not None and any(chunk.lost for chunk in chunks),
    }
    legend = legend_html([kind for kind, there in present.items() if there])
    draw = partial(coverage_svg, chunks, missing=missing_word(trace))
    return legend + figure_html(draw, coverage_alt(chunks), widths)


def missing_word(trace: Trace) -> str:
    """The word for text of chunks that no call carried; a run that ended early cut off none."""
    return "cut off" if trace.response is not None else "not sent"


def timeline_figure(trace: Trace) -> str:
    """The calls over the seconds of the run."""
    if len(trace.calls) > _MOST:
        return _too_many(trace)
    facts = timeline_facts(trace)
    key = f'<div class="small muted">{escape(facts.key)}</div>'
    return figure_html(partial(timeline_svg, trace), timeline_alt(trace, facts)) + key


def _too_many(trace: Trace) -> str:
    chunks, calls = counted(len(trace.setup.chunks), "chunk"), counted(len(trace.calls), "call")
    return f'<div class="small muted">{chunks} and {calls} are too many to draw.</div>'
