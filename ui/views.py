"""The views that a plan and a finished run share: budget, flow and data."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import streamlit as st

from synth.budget import budget
from synth.calls import CallRecord, PlannedCall
from synth.coverage import coverage_frame
from synth.trace import Plan, Trace
from synth.wording import counted
from ui import workspace
from ui.figures import (
    BudgetRow,
    budget_alt,
    budget_bars,
    budget_strip,
    flow_alt,
    flow_figure,
)
from ui.figures.flow.view import states_of
from ui.safe import key_html
from ui.theme import MEANINGS, Figure, Look
from ui.words import WIDE, Clicked, at_two_widths, chart, section, small, table

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")

DRAWN = 2_500  # chunks or calls that a figure can still show
FLOWING = 600  # of them that a flow can: with more, each is narrower than the line around it
BARS = 40  # calls that are shown as bars; more are a strip with a slider


@dataclass(frozen=True)
class Shown:
    """A plan or a trace to look at; `key` tells it from others, `width` is in pixels.

    `edited` are the calls whose answers a person wrote.
    """

    run: Plan | Trace
    key: Hashable
    look: Look
    width: int
    edited: frozenset[int] = frozenset()

    @property
    def planned(self) -> bool:
        """Whether its answers are assumed."""
        return isinstance(self.run, Plan)

    @property
    def rows(self) -> list[BudgetRow]:
        """The budget of every call."""
        return self.kept("rows", lambda: [self.row(call) for call in self.run.calls])

    def row(self, call: PlannedCall | CallRecord) -> BudgetRow:
        """The budget of one call."""
        name = call.template.removesuffix("_template")
        bound = self.planned and call.depth > 0
        return BudgetRow(f"{call.number} · {name}", budget(call, self.run.setup), bound)

    def kept(self, what: str, make: Callable[[], T], number: int | None = None) -> T:
        """A figure or a count of this run (of one call or step of it), made once."""
        key = (self.key, self.planned, self.look.dark, self.width, number)
        return workspace.current().remembered(what, key, make)


def sized(
    shown: Shown,
    make: Callable[[int], Figure],
    key: str,
    alt: str,
    clicked: Clicked | None = None,
) -> None:
    """The figure that `make` gives for the width of what is shown; alone on a page, for two."""
    if shown.width == WIDE:
        at_two_widths(make, key, alt, clicked)
    else:
        chart(make(shown.width), key, alt, clicked)


def key_of(rows: Sequence[BudgetRow]) -> None:
    """The key of what these budgets hold."""
    kinds = [kind for kind in MEANINGS if any(row.tokens(kind) for row in rows)]
    kinds = [kind for kind in kinds if kind not in ("padding", "free")] + ["free"]
    st.html(key_html(kinds, estimated=any(row.bound and row.tokens("answer") for row in rows)))


def budgets(shown: Shown, title: str = "Budget of each call, in tokens") -> None:
    """A bar a call; of many, a strip and the call that the slider is at."""
    rows, look = shown.rows, shown.look
    section(title)
    key_of(rows)
    if len(rows) <= BARS:
        row = 34 if len(rows) <= 12 else 26
        figure = shown.kept("bars", lambda: budget_bars(rows, look, shown.width, row))
        chart(figure, "budget_bars", budget_alt(rows))
        return
    number = st.slider("Call", 1, len(rows), key="strip_call", persist_state="session")
    strip = shown.kept("strip", lambda: budget_strip(rows, look, selected=number - 1), number)
    chart(strip, "budget_strip", budget_alt(rows))
    chart(budget_bars([rows[number - 1]], look, shown.width), "strip_bar", "The call chosen")


def flow(shown: Shown, selected: int | None = None, clicked: Clicked | None = None) -> None:
    """Which chunk goes into which call."""
    if not drawable(shown, FLOWING):
        return
    calls, setup, width = shown.run.calls, shown.run.setup, shown.width

    def make() -> tuple[Figure, str]:
        figure = flow_figure(
            calls,
            setup,
            shown.look,
            width=width,
            selected=selected,
            states=states_of(shown.run),
            planned=shown.planned,
        )
        return figure, flow_alt(calls, setup, planned=shown.planned)

    figure, alt = shown.kept("flow", make, selected)
    chart(figure, "flow", alt, clicked)


def drawable(shown: Shown, most: int = DRAWN) -> bool:
    """Whether there are few enough chunks and calls for a figure; if not, say so."""
    chunks, calls = len(shown.run.setup.chunks), len(shown.run.calls)
    if max(chunks, calls) <= most:
        return True
    small(
        f"{counted(chunks, 'chunk')} and {counted(calls, 'call')} are too many to draw here: up to"
        f" {most:,} are. The view Data lists them."
    )
    return False


def data(shown: Shown) -> None:
    """The tables of the figures; each downloads as CSV."""
    download("Calls", shown.kept("calls frame", shown.run.to_frame))
    download("Chunks", shown.kept("frame", lambda: coverage_frame(shown.run.coverage)))


def download(name: str, frame: pd.DataFrame) -> None:
    """A table under its name, and the button that downloads it as CSV."""
    section(name)
    table(frame)
    st.download_button(
        f"{name} as CSV",
        lambda: frame.to_csv(index=False).encode("utf-8", "backslashreplace"),
        f"{name.lower()}.csv",
        "text/csv",
        icon=":material/download:",
        on_click="ignore",
    )
