"""The pictures of plans and runs with their keys, as reports and notebooks have them."""

from collections.abc import Callable, Sequence

from synth.html.escape import legend_html
from synth.html.markup import Html, tag
from synth.pictures.budget import BARS, BudgetRow, budget_bars, budget_strip, legend_kinds
from synth.pictures.flow import flow_data, flow_picture
from synth.pictures.shapes import Picture, shown
from synth.pictures.walk import states_of
from synth.runs.trace import Plan, Trace
from synth.text.wording import counted

MOST_DRAWN = 2_500
"""The most calls or chunks that a figure can show."""
FLOWING = 600
"""The most that a flow can show: of more, each is narrower than its outline."""
FIGURE_BESIDE = 540, 430, 330
"""The widths in pixels of figures that stand beside one another."""


def budget_key(rows: Sequence[BudgetRow]) -> Html:
    """The key of the colours and patterns in these budgets."""
    estimated = any(row.bound and row.budget.tokens("answer") for row in rows)
    return legend_html(legend_kinds(rows), estimated=estimated)


def budget_figure(rows: Sequence[BudgetRow], widths: Sequence[int]) -> Html:
    """The budget of each call: a bar each, or for many calls a strip."""
    if len(rows) > BARS:
        return figure(lambda width: budget_strip(rows, width), widths[-1:])
    return figure(lambda width: budget_bars(rows, width, magnified=True), widths)


def flow_html(run: Plan | Trace, widths: Sequence[int]) -> Html:
    """Which chunk goes into which call; nothing where no call is made."""
    calls, setup = run.calls, run.setup
    if not calls:
        return Html()
    if max(len(calls), len(setup.chunks)) > FLOWING:
        return too_many(run)
    data, states = flow_data(calls, setup, run.unread), states_of(run)
    planned = isinstance(run, Plan)
    return figure(lambda width: flow_picture(data, width, states=states, planned=planned), widths)


def figure(make: Callable[[int], Picture], widths: Sequence[int]) -> Html:
    """A picture at each of these widths, of which the one is seen that has room."""
    return tag("div.pictures", Html(shown([*map(make, widths)]).html))


def too_many(run: Plan | Trace) -> Html:
    """The sentence in place of a figure."""
    chunks, calls = counted(len(run.setup.chunks), "chunk"), counted(run.call_count, "call")
    return tag("div.small.muted", f"{chunks} and {calls} are too many to draw.")
