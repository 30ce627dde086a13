"""The pictures of a run with their legends, for reports; empty where nothing is to see."""

from collections.abc import Callable, Sequence

from synth.html.escape import legend_html
from synth.html.markup import Html, tag
from synth.pictures.budget import BARS, budget_bars, budget_row, budget_strip, legend_kinds
from synth.pictures.coverage import coverage_strips
from synth.pictures.flow import flow_data, flow_picture
from synth.pictures.shapes import Picture, shown
from synth.pictures.timeline import timeline
from synth.pictures.times import timeline_facts
from synth.pictures.walk import states_of
from synth.runs.trace import Trace
from synth.text.wording import counted
from synth.words.coverage_words import coverage_kinds, missing_word

REPORT_WIDE = 900, 700, 480, 330
"""The widths in pixels for which a report draws a figure; more than a page, since only once."""
REPORT_BESIDE = 540, 430, 330
"""The widths of figures that stand beside one another."""
_MOST = 2_500  # calls or chunks that a figure can show
_FLOWING = 600  # chunks or calls in a flow: of more, each is narrower than its outline


def budget_html(trace: Trace, widths: Sequence[int] = REPORT_WIDE) -> Html:
    """The budget of each call, with the legend."""
    if not trace.calls:
        return Html()
    if len(trace.calls) > _MOST:
        return _too_many(trace)
    rows = [budget_row(trace, call) for call in trace.calls]

    legend = legend_html(legend_kinds(rows))
    if len(rows) > BARS:
        return legend + _html(lambda width: budget_strip(rows, width), widths[-1:])
    return legend + _html(lambda width: budget_bars(rows, width, magnified=True), widths)


def flow_html(trace: Trace, widths: Sequence[int] = REPORT_WIDE) -> Html:
    """Which chunk went into which call."""
    calls, setup = trace.calls, trace.setup
    if not calls:
        return Html()
    if max(len(calls), len(setup.chunks)) > _FLOWING:
        return _too_many(trace)
    data, states = flow_data(calls, setup, trace.unread), states_of(trace)
    return _html(lambda width: flow_picture(data, width, states=states), widths)


def coverage_html(trace: Trace) -> Html:
    """What was sent of each chunk, with the legend."""
    chunks, missing = trace.coverage, missing_word(trace)
    if not chunks:
        return Html()
    if len(chunks) > _MOST:
        return _too_many(trace)
    legend = legend_html(coverage_kinds(trace))
    return legend + _html(lambda width: coverage_strips(chunks, width, missing), REPORT_WIDE)


def timeline_html(trace: Trace) -> Html:
    """The calls over the seconds of the run."""
    if len(trace.calls) > _MOST:
        return _too_many(trace)
    facts = timeline_facts(trace)
    key = tag("div.small.muted", facts.key)
    return _html(lambda width: timeline(trace, facts, width), REPORT_WIDE) + key


def _html(make: Callable[[int], Picture], widths: Sequence[int]) -> Html:
    """A picture at each of these widths, of which the one is seen that has room."""
    return tag("div.pictures", Html(shown([*map(make, widths)]).html))


def _too_many(trace: Trace) -> Html:
    chunks, calls = counted(len(trace.setup.chunks), "chunk"), counted(len(trace.calls), "call")
    return tag("div.small.muted", f"{chunks} and {calls} are too many to draw.")
