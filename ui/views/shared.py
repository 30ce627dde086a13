"""The views that a plan and a run share: budget, flow and data."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import streamlit as st

from synth.calls import CallRecord, PlannedCall
from synth.coverage import coverage_frame
from synth.trace import Plan, Trace
from synth.walk import states_of
from synth.wording import counted
from ui.figures import (
    BARS,
    BudgetRow,
    bar_height,
    budget_alt,
    budget_bars,
    budget_row,
    budget_strip,
    flow_alt,
    flow_figure,
    legend_kinds,
)
from ui.look.elements import WIDE, WIDTHS, box, section, small, table
from ui.look.escape import legend_html, section_html
from ui.look.picture import Picture, picture
from ui.look.picture_element import Clicked, draw_picture
from ui.report.tables import as_csv
from ui.session import workspace

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")

DRAWN = 2_500  # the most chunks or calls that a figure can show
FLOWING = 600  # the most that a flow can show: of more, each is narrower than its outline

_COLUMNS = {
    "depth": "level",
    "prompt_tokens": "prompt tokens",
    "output_tokens": "output tokens",
    "lost_tokens": "tokens cut off",
    "lost_characters": "characters cut off",
    "repeated_tokens": "tokens sent twice",
}


@dataclass(frozen=True)
class RunView:
    """A plan or a trace as a view draws it.

    `key` is different for every other plan or trace. `width` is in pixels. `edited` are the
    numbers of the calls whose answers a person wrote. `recorded` calls are those of another
    application, drawn as its trace has them and without what our engine knows of them.
    """

    run: Plan | Trace
    key: Hashable
    width: int
    edited: frozenset[int] = frozenset()
    recorded: bool = False

    @property
    def widths(self) -> tuple[int, ...]:
        """The widths of its pictures in pixels, of which the page shows one."""
        return WIDTHS if self.width == WIDE else (self.width,)

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

    def remembered(self, kind: str, make: Callable[[], T], number: int | None = None) -> T:
        """The result of `make`, from memory if it was made before for this view.

        `kind` names the result, `number` the call or step that it belongs to, if any.
        """
        key = (self.key, self.planned, self.width, number)
        return workspace.current().remembered(kind, key, make)


def sized(
    view: RunView,
    make: Callable[[RunView], Picture],
    key: str,
    alt: str,
    clicked: Clicked | None = None,
) -> None:
    """Draw what `make` gives for the view at each of its widths."""
    pictures = [make(replace(view, width=width)) for width in view.widths]
    draw_picture(pictures, key, alt, clicked)


def legend(rows: Sequence[BudgetRow]) -> None:
    """The legend of the colours and patterns in these budgets."""
    st.html(_legend_html(rows))


def _legend_html(rows: Sequence[BudgetRow]) -> str:
    estimated = any(row.bound and row.tokens("answer") for row in rows)
    return legend_html(legend_kinds(rows), estimated=estimated)


def unfinished(plan: Plan) -> None:
    """A box with the reason why a plan stops early; nothing if it has an end."""
    if plan.problem:
        answers = counted(plan.answer_tokens, "token")
        box(f"With answers of {answers} this plan stops early.", plan.problem)


def budgets(view: RunView, title: str = "Budget of each call, in tokens") -> None:
    """One bar for each call; for many calls, a strip and the bar of the call at the slider."""
    rows = view.rows
    st.html(section_html(title) + _legend_html(rows))  # one message to the browser
    if len(rows) <= BARS:
        sized(view, lambda at_width: bars(at_width, rows), "budget_bars", budget_alt(rows))
        return
    number = st.slider("Call", 1, len(rows), key="strip_call", persist_state="session")

    def strip() -> Picture:
        return picture(budget_strip(rows, selected=number - 1), "budget_strip")

    draw_picture([view.remembered("strip", strip, number)], "budget_strip", budget_alt(rows))
    call_bar(view, rows[number - 1], "strip_bar", "The chosen call")


def call_bar(view: RunView, row: BudgetRow, key: str, alt: str) -> None:
    """Draw the bar of the budget of one call."""

    def bar(at_width: RunView) -> Picture:
        width = at_width.width
        return picture(budget_bars([row], width), f"{key}-{width}")

    sized(view, bar, key, alt)


def bars(view: RunView, rows: Sequence[BudgetRow]) -> Picture:
    """The bars of the budgets of all calls, of which there are few."""
    height = bar_height(len(rows))

    def drawn() -> Picture:
        figure = budget_bars(rows, view.width, height)
        return picture(figure, f"budget_bars-{view.width}")

    return view.remembered("bars", drawn)


def flow(view: RunView, selected: int | None = None, clicked: Clicked | None = None) -> None:
    """Draw which chunk goes into which call."""
    if not drawable(view, FLOWING):
        return
    sized(view, lambda at_width: flow_of(at_width, selected), "flow", flow_words(view), clicked)


def flow_of(view: RunView, selected: int | None = None) -> Picture:
    """The picture of which chunk goes into which call."""

    def drawn() -> Picture:
        figure = flow_figure(
            view.run.calls,
            view.run.setup,
            width=view.width,
            selected=selected,
            states=states_of(view.run),
            planned=view.planned,
        )
        return picture(figure, f"flow-{view.width}")

    return view.remembered("flow", drawn, selected)


def flow_words(view: RunView) -> str:
    """The same in words, for people who can't see the figure."""
    run = view.run
    return view.remembered("flow alt", lambda: flow_alt(run.calls, run.setup, planned=view.planned))


def drawable(view: RunView, most: int = DRAWN) -> bool:
    """Whether there are few enough chunks and calls for a figure; if not, the page says so."""
    if few(view, most):
        return True
    chunks, calls = len(view.run.setup.chunks), len(view.run.calls)
    small(
        f"{counted(chunks, 'chunk')} and {counted(calls, 'call')} are too many to draw here: a"
        f" figure shows up to {most:,} of each. The view Data lists them."
    )
    return False


def few(view: RunView, most: int) -> bool:
    """Whether there are at most so many chunks and calls."""
    return max(len(view.run.setup.chunks), len(view.run.calls)) <= most


def data(view: RunView) -> None:
    """Draw the tables of calls and chunks, each with a button to download it as CSV.

    The tables have the words of the page; the files have the names of the library.
    """
    download("Calls", view.remembered("calls frame", view.run.to_frame))
    download("Chunks", view.remembered("frame", lambda: coverage_frame(view.run.coverage)))


def download(name: str, frame: pd.DataFrame) -> None:
    """A table under its name, and the button that downloads it as CSV."""
    section(name)
    table(frame, {name: label for name, label in _COLUMNS.items() if name in frame.columns})
    st.download_button(
        f"{name} as CSV",
        lambda: as_csv(frame),
        f"{name.lower()}.csv",
        "text/csv",
        icon=":material/download:",
        on_click="ignore",
    )
