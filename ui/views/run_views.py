"""The figures that a plan and a run share: budgets and flow."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
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
from synth.pictures.shapes import BESIDE, WIDE, Picture, shown
from synth.pictures.walk import state_of, states_of
from synth.runs.calls import CallRecord, PlannedCall
from synth.runs.trace import Plan, Trace
from synth.text.wording import counted
from ui.look.elements import box, small
from ui.look.scripts import Clicked, draw_picture
from ui.session import workspace

T = TypeVar("T")

_RUNNING = 100  # the most that a flow can show that is drawn anew with each answer


@dataclass(frozen=True)
class RunView:
    """A plan or a trace as a view draws it.

    `key` is different for every other plan or trace. `widths` are those in pixels for which its
    pictures are drawn, of which the page shows the one that has room. `edited` are the numbers of
    the calls whose answers a person wrote. `recorded` calls are those of another application,
    drawn as its trace has them and without what synth knows of them.
    """

    run: Plan | Trace
    key: Hashable
    widths: tuple[int, ...] = BESIDE
    edited: frozenset[int] = frozenset()
    recorded: bool = False

    @property
    def trace(self) -> Trace:
        """The run of a view that is of no plan."""
        assert isinstance(self.run, Trace)
        return self.run

    @property
    def alone(self) -> bool:
        """Whether it has the whole page to itself."""
        return self.widths == WIDE

    @property
    def planned(self) -> bool:
        """Whether this is a plan, whose answers are assumed."""
        return isinstance(self.run, Plan)

    @property
    def rows(self) -> list[BudgetRow]:
        """The budget of every call."""
        return self.remembered("rows", lambda: [self.row(call) for call in self.run.calls])

    def row(self, call: PlannedCall | CallRecord) -> BudgetRow:
        """The budget of one call."""
        return budget_row(self.run, call)

    def remembered(self, kind: str, make: Callable[[], T], number: Hashable = None) -> T:
        """The result of `make`, from memory if it was made before for this view.

        `kind` names the result, `number` the call, the step or the mark that it belongs to, if any.
        """
        key = (self.key, self.planned, self.widths, number)
        return workspace.current().remembered(kind, key, make)


def draw_sized(
    view: RunView,
    key: str,
    make: Callable[[int], Picture],
    number: Hashable = None,
    clicked: Clicked | None = None,
) -> None:
    """Draw what `make` gives for each width, remembered for the `number` of `remembered`."""
    pictures = view.remembered(key, lambda: shown([*map(make, view.widths)]), number)
    draw_picture(pictures, key, clicked)


def legend(rows: Sequence[BudgetRow]) -> None:
    """The legend of the colours and patterns in these budgets."""
    st.html(budget_key(rows))


def unfinished(plan: Plan) -> None:
    """A box with the reason why a plan stops early; nothing if it has an end."""
    if plan.problem:
        answers = counted(plan.answer_tokens, "token")
        box(f"With answers of {answers} this plan stops early.", plan.problem)


def budgets(view: RunView, title: str = "Budget of each call, in tokens") -> None:
    """One bar for each call; for many calls, a strip and the bar of the call at the slider."""
    rows = view.rows
    st.html(section_html(title) + budget_key(rows))  # one message to the browser
    if len(rows) <= BARS:

        def bars(width: int) -> Picture:
            return budget_bars(rows, width, magnified=True)

        draw_sized(view, "budget_bars", bars)
        return
    number = st.slider("Call", 1, len(rows), key="strip_call", persist_state="session")
    narrowest = replace(view, widths=view.widths[-1:])  # it has the same words at every width
    draw_sized(narrowest, "budget_strip", lambda at: budget_strip(rows, at, number - 1), number)
    call_bar(view, rows[number - 1], "strip_bar")


def call_bar(view: RunView, row: BudgetRow, key: str) -> None:
    """Draw the bar of the budget of one call."""
    draw_picture(shown([budget_bars([row], width) for width in view.widths]), key)


def flow(view: RunView, clicked: Clicked | None = None, mark: Mark | None = None) -> None:
    """Draw which chunk goes into which call, with the way of a fact marked."""
    run = view.run

    def make(width: int) -> Picture:
        data = view.remembered("flow data", lambda: flow_of(run))
        states = states_of(run)
        return flow_picture(data, width, states=states, planned=view.planned, mark=mark)

    if drawable(view, FLOWING):
        draw_sized(view, "flow", make, mark, clicked)


def running_flow(view: RunView, begun: Sequence[CallRecord]) -> None:
    """Draw the flow of a plan while its run goes on; `begun` are the calls that have begun."""
    if not few(view, _RUNNING):
        return
    setup, states = view.run.setup, {call.number: state_of(call) for call in begun}
    ended = {call.number: call for call in begun if states[call.number] != "running"}
    calls = {call.number: call for call in view.run.calls} | ended

    def make(width: int) -> Picture:
        data = flow_data([call for _, call in sorted(calls.items())], setup)
        return flow_picture(data, width, states=states, planned=True)

    draw_sized(view, "running_flow", make, tuple(states.items()))


def drawable(view: RunView, most: int = MOST_DRAWN) -> bool:
    """Whether there are few enough chunks and calls for a figure; if not, the page says so."""
    if few(view, most):
        return True
    chunks, calls = len(view.run.setup.chunks), len(view.run.calls)
    small(
        f"{counted(chunks, 'chunk')} and {counted(calls, 'call')} are too many to draw here: a"
        f" figure shows up to {most:,} of each. The view Calls lists the calls."
    )
    return False


def few(view: RunView, most: int) -> bool:
    """Whether there are at most so many chunks and calls."""
    return max(len(view.run.setup.chunks), len(view.run.calls)) <= most
