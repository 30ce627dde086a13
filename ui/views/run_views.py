"""The figures that a plan and a run share: budgets and flow."""

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import streamlit as st

from synth.html.escape import section_html
from synth.html.figures import FLOWING, MOST_DRAWN, budget_key
from synth.pictures.budget import (
    BARS,
    BudgetRow,
    budget_bars,
    budget_row,
    budget_strip,
)
from synth.pictures.flow import Mark, flow_data, flow_of, flow_picture
from synth.pictures.shapes import BESIDE, Picture, shown
from synth.pictures.walk import state_of, states_of
from synth.runs.calls import CallRecord
from synth.runs.trace import Plan, Trace
from synth.text.wording import counted
from ui.look.elements import box, small
from ui.look.scripts import Clicked, draw_picture
from ui.session import workspace

T = TypeVar("T")

_RUNNING = 100  # the most that a flow can show that is drawn anew with each answer


class _Same:
    """A plan or a trace as the very object that it is: to compare all its calls takes long."""

    def __init__(self, run: Plan | Trace) -> None:
        self._run = run

    def __hash__(self) -> int:
        return id(self._run)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._run is other._run


def remembered(run: Plan | Trace, kind: str, make: Callable[[], T], number: Hashable = None) -> T:
    """Return what `make` makes, from memory if it was made before of this plan or trace.

    `kind` names the result, `number` the call, the step or the mark that it belongs to, if any.
    """
    return workspace.current().remembered(kind, (_Same(run), number), make)


def budget_rows(run: Plan | Trace) -> list[BudgetRow]:
    """Return the budget of every call."""
    return remembered(run, "rows", lambda: [budget_row(run, call) for call in run.calls])


def draw_sized(
    run: Plan | Trace,
    key: str,
    make: Callable[[int], Picture],
    number: Hashable = None,
    clicked: Clicked | None = None,
    widths: Sequence[int] = BESIDE,
) -> None:
    """Draw what `make` gives for each of these widths in pixels; the page shows what has room.

    It is remembered for the `number` of `remembered`.
    """
    pictures = remembered(run, key, lambda: shown([*map(make, widths)]), (number, *widths))
    draw_picture(pictures, key, clicked)


def legend(rows: Sequence[BudgetRow]) -> None:
    """The legend of the colours and patterns in these budgets."""
    st.html(budget_key(rows))


def unfinished(plan: Plan) -> None:
    """A box with the reason why a plan stops early; nothing if it has an end."""
    if plan.problem:
        answers = counted(plan.answer_tokens, "token")
        box(f"With answers of {answers} this plan stops early.", plan.problem)


def budgets(
    run: Plan | Trace,
    title: str = "Budget of each call, in tokens",
    widths: Sequence[int] = BESIDE,
) -> None:
    """Draw a bar for each call; for many calls, a strip and the bar of the call at the slider."""
    rows = budget_rows(run)
    st.html(section_html(title) + budget_key(rows))  # one message to the browser
    if len(rows) <= BARS:

        def bars(width: int) -> Picture:
            return budget_bars(rows, width, magnified=True)

        draw_sized(run, "budget_bars", bars, widths=widths)
        return
    number = st.slider("Call", 1, len(rows), key="strip_call", persist_state="session")

    def strip(width: int) -> Picture:
        return budget_strip(rows, width, number - 1)

    draw_sized(run, "budget_strip", strip, number, widths=widths[-1:])  # its words fit every width
    call_bar(rows[number - 1], "strip_bar", widths)


def call_bar(row: BudgetRow, key: str, widths: Sequence[int] = BESIDE) -> None:
    """Draw the bar of the budget of one call."""
    draw_picture(shown([budget_bars([row], width) for width in widths]), key)


def flow(
    run: Plan | Trace,
    clicked: Clicked | None = None,
    mark: Mark | None = None,
    widths: Sequence[int] = BESIDE,
) -> None:
    """Draw which chunk goes into which call, with the way of a fact marked."""

    def make(width: int) -> Picture:
        data = remembered(run, "flow data", lambda: flow_of(run))
        states, planned = states_of(run), isinstance(run, Plan)
        return flow_picture(data, width, states=states, planned=planned, mark=mark)

    if drawable(run, FLOWING):
        draw_sized(run, "flow", make, mark, clicked, widths)


def running_flow(plan: Plan, begun: Sequence[CallRecord]) -> None:
    """Draw the flow of a plan while its run goes on; `begun` are the calls that have begun."""
    if not few(plan, _RUNNING):
        return
    setup, states = plan.setup, {call.number: state_of(call) for call in begun}
    ended = {call.number: call for call in begun if states[call.number] != "running"}
    calls = {call.number: call for call in plan.calls} | ended

    def make(width: int) -> Picture:
        data = flow_data([call for _, call in sorted(calls.items())], setup)
        return flow_picture(data, width, states=states, planned=True)

    draw_sized(plan, "running_flow", make, tuple(states.items()))


def drawable(run: Plan | Trace, most: int = MOST_DRAWN) -> bool:
    """Whether there are few enough chunks and calls for a figure; if not, the page says so."""
    if few(run, most):
        return True
    chunks, calls = len(run.setup.chunks), len(run.calls)
    small(
        f"{counted(chunks, 'chunk')} and {counted(calls, 'call')} are too many to draw here: a"
        f" figure shows up to {most:,} of each. The view Calls lists the calls."
    )
    return False


def few(run: Plan | Trace, most: int) -> bool:
    """Whether there are at most so many chunks and calls."""
    return max(len(run.setup.chunks), len(run.calls)) <= most
