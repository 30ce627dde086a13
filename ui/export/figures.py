"""The pictures of a run with their legends, for reports; empty where nothing is to see."""

from collections.abc import Sequence

from synth.html.escape import legend_html
from synth.html.figures import MOST_DRAWN, budget_figure, budget_key, figure, too_many
from synth.html.markup import Html, tag
from synth.pictures.budget import budget_row
from synth.pictures.coverage import coverage_strips
from synth.pictures.timeline import timeline
from synth.pictures.times import timeline_facts
from synth.runs.trace import Trace
from synth.words.coverage_words import coverage_kinds, missing_word

REPORT_WIDE = 900, 700, 480, 330
"""The widths in pixels for which a report draws a figure; more than a page, since only once."""


def budget_html(trace: Trace, widths: Sequence[int] = REPORT_WIDE) -> Html:
    """The budget of each call, with the legend."""
    if not trace.calls:
        return Html()
    if len(trace.calls) > MOST_DRAWN:
        return too_many(trace)
    rows = [budget_row(trace, call) for call in trace.calls]
    return budget_key(rows) + budget_figure(rows, widths)


def coverage_html(trace: Trace) -> Html:
    """What was sent of each chunk, with the legend."""
    chunks, missing = trace.coverage, missing_word(trace)
    if not chunks:
        return Html()
    if len(chunks) > MOST_DRAWN:
        return too_many(trace)
    legend = legend_html(coverage_kinds(trace))
    return legend + figure(lambda width: coverage_strips(chunks, width, missing), REPORT_WIDE)


def timeline_html(trace: Trace) -> Html:
    """The calls over the seconds of the run."""
    if len(trace.calls) > MOST_DRAWN:
        return too_many(trace)
    facts = timeline_facts(trace)
    key = tag("div.small.muted", facts.key)
    return figure(lambda width: timeline(trace, facts, width), REPORT_WIDE) + key
