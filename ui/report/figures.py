"""The figures of a run with their legends and their descriptions; empty where nothing is to see.

They are those of the pages, at several widths: a report runs no script that could make their
words give way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from zlib import crc32

from synth.times import timeline_facts
from synth.trace import Trace
from synth.walk import states_of
from synth.wording import counted
from ui.figures import (
    BARS,
    bar_height,
    budget_alt,
    budget_bars,
    budget_row,
    budget_strip,
    coverage_alt,
    coverage_strips,
    flow_alt,
    flow_figure,
    legend_kinds,
)
from ui.figures.timeline import timeline_alt, timeline_figure
from ui.look.escape import escape, legend_html
from ui.look.picture import picture
from ui.look.theme import Figure
from ui.trace.coverage_sentence import coverage_kinds, missing_word

WIDTHS = {"wide": 1064, "middle": 680, "half": 500, "narrow": 340}
"""Widths in pixels for which a figure is drawn; the page shows the one for which it has room."""
ALONE = ("wide", "middle", "narrow")
"""The widths of a figure that has a row of its own."""
_MOST = 2_500  # calls or chunks that a figure can show
_FLOWING = 600  # chunks or calls in a flow: of more, each is narrower than its outline


def budget_html(trace: Trace, widths: Sequence[str] = ALONE) -> str:
    """The budget of each call, with the legend."""
    if not trace.calls:
        return ""
    if len(trace.calls) > _MOST:
        return _too_many(trace)
    rows = [budget_row(trace, call) for call in trace.calls]

    def figure(width: int) -> Figure:
        if len(rows) > BARS:
            return budget_strip(rows)
        return budget_bars(rows, width, bar_height(len(rows)))

    return legend_html(legend_kinds(rows)) + _html(figure, budget_alt(rows), widths)


def flow_html(trace: Trace, widths: Sequence[str] = ALONE) -> str:
    """Which chunk went into which call."""
    calls, setup = trace.calls, trace.setup
    if not calls:
        return ""
    if max(len(calls), len(setup.chunks)) > _FLOWING:
        return _too_many(trace)

    def figure(width: int) -> Figure:
        return flow_figure(calls, setup, width=width, states=states_of(trace))

    return _html(figure, flow_alt(calls, setup), widths)


def coverage_html(trace: Trace) -> str:
    """What was sent of each chunk, with the legend."""
    chunks = trace.coverage
    if not chunks:
        return ""
    if len(chunks) > _MOST:
        return _too_many(trace)
    legend, missing = legend_html(coverage_kinds(trace)), missing_word(trace)

    def figure(width: int) -> Figure:
        return coverage_strips(chunks, width, missing)

    return legend + _html(figure, coverage_alt(chunks, missing))


def timeline_html(trace: Trace) -> str:
    """The calls over the seconds of the run."""
    if len(trace.calls) > _MOST:
        return _too_many(trace)
    facts = timeline_facts(trace)
    key = f'<div class="small muted">{escape(facts.key)}</div>'

    def figure(width: int) -> Figure:
        return timeline_figure(trace, width)

    return _html(figure, timeline_alt(trace, facts)) + key


def _html(make: Callable[[int], Figure], alt: str, widths: Sequence[str] = ALONE) -> str:
    """A figure at each of these widths, of which the stylesheet shows one; `alt` describes it."""
    label = escape(alt)
    parts = []
    for name in widths:
        figure = make(WIDTHS[name])
        # Figures with the same hatches may share them, those that are shown with hidden ones not.
        hatches = f"{name}-{crc32(repr(figure).encode(errors='replace')):08x}"
        drawn = picture(figure, hatches).svg
        parts.append(f'<div class="figure {name}" role="img" aria-label="{label}">{drawn}</div>')
    return "".join(parts)


def _too_many(trace: Trace) -> str:
    chunks, calls = counted(len(trace.setup.chunks), "chunk"), counted(len(trace.calls), "call")
    return f'<div class="small muted">{chunks} and {calls} are too many to draw.</div>'
