"""The comparison on the page: its columns, questions and repeats, with a cell for each slot."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import streamlit as st

from synth.quality import Check, Scores
from synth.quality.rubric import Ruling
from ui.pages.compare.cells import Cell, named, with_leaders
from ui.pages.compare.columns import Column, settings_of, templates_words
from ui.pages.compare.judged_runs import Asked, JudgedRun, judge
from ui.pages.compare.ratings import rulings_on
from ui.pages.compare.run_slots import RunSlot, slot_runs
from ui.plans.plan_range import plan_range
from ui.session import keys, workspace
from ui.settings import expected, hosts
from ui.settings.request import Model, Request
from ui.settings.schema import Settings

MOST_RUNS = 4_000
"""The most runs of a comparison, whose calls stay in memory: the largest set in four columns."""
MOST_REPEATS = 10
"""How often each column is asked each question at most."""


INPUTS = (keys.COLUMNS, keys.TEMPLATE_SETS, keys.QUESTIONS, keys.REPEATS, keys.QUESTION_SET)
"""The values of the workspace that a comparison is made of, beside the settings."""


@dataclass(frozen=True)
class Comparison:
    """Columns that are asked each of the questions, each so many times.

    `cells` go question by question, and a column that serves others precedes them. `reference` is
    the position of the column with whose answers those of the others are compared. `page` are the
    settings that the columns override.
    """

    columns: tuple[Column, ...]
    asked: tuple[Asked, ...]
    repeats: int
    reference: int
    cells: Mapping[RunSlot, Cell]
    page: Settings

    def row(self, question: int) -> list[Cell]:
        """The cells of a question, that of the first repeat for each column."""
        return [self.cells[RunSlot(column.name, question)] for column in self.columns]

    def cells_of(self, column: str) -> list[Cell]:
        """The cells of a column, question by question."""
        return [cell for slot, cell in self.cells.items() if slot.column == column]

    def columns_of(self, row: Sequence[Cell]) -> list[Sequence[Cell]]:
        """The cells of each column; where one question is asked, that of this row alone."""
        if len(self.asked) == 1:
            return [[cell] for cell in row]
        return [self.cells_of(cell.slot.column) for cell in row]

    def repeated(self, slot: RunSlot) -> list[Cell]:
        """The cells of the column and the question of this slot, one for each repeat."""
        return [self.cells[slot._replace(repeat=repeat)] for repeat in range(self.repeats)]

    def scores(self, of: Callable[[Cell, JudgedRun], float | None]) -> dict[str, Scores]:
        """A number for each judged cell: by its column, its question and its repeat."""
        return {
            first.slot.column: [
                [
                    None if cell.judged is None else of(cell, cell.judged)
                    for cell in self.repeated(first.slot._replace(question=question))
                ]
                for question in range(len(self.asked))
            ]
            for first in self.row(0)
        }

    def failures(self) -> dict[str, list[int]]:
        """The questions that any column fails, as "any"; by column those that another passes."""
        scores = self.scores(lambda _, run: run.score)
        beside: dict[str, list[int]] = {name: [] for name in scores}
        failed = []
        for question in range(len(self.asked)):
            known = {
                name: min(given)
                for name, one in scores.items()
                if (given := [score for score in one[question] if score is not None])
            }
            losers = [name for name, score in known.items() if score < 1]
            if losers:
                failed.append(question)
            if len(losers) < len(known):
                for name in losers:
                    beside[name].append(question)
        return {"any": failed} | {name: found for name, found in beside.items() if found}

    def column(self, name: str) -> Column:
        """The column of that name."""
        [column] = [column for column in self.columns if column.name == name]
        return column

    def settings(self, slot: RunSlot) -> Settings:
        """The settings of a slot, to be looked up by name."""
        asked = self.asked[slot.question]
        return settings_of(self.page, self.column(slot.column), asked.query, asked.variables)

    @cached_property
    def judge_settings(self) -> Settings:
        """The settings of the model that judges by rubrics: the page's, whatever columns have."""
        return self.page.with_({"temperature": 0.0, "num_output": 400})

    @cached_property
    def lookups(self) -> list[Settings]:
        """The settings of each column, and those of the model that judges by rubrics."""
        own = [settings_of(self.page, column, "") for column in self.columns]
        asks = self.page.model_kind.needs_address and any(one.rubrics for one in self.asked)
        return [*own, self.judge_settings] if asks else own

    @property
    def unconfirmed(self) -> tuple[str, ...]:
        """The hosts of its columns that the person did not choose in this session."""
        return hosts.unconfirmed(self.lookups)


def comparison_of(page: Settings, columns: tuple[Column, ...]) -> Comparison:
    """These columns with the questions and repeats that the editors hold, and their runs."""
    asked = _asked_now(page)
    names = [column.name for column in columns]
    chosen = st.session_state.get(keys.REFERENCE)
    repeats = workspace.value(keys.REPEATS, 1)
    reference = names.index(chosen) if chosen in names else 0
    cells = _cells(page, columns, asked, repeats)
    return Comparison(columns, asked, repeats, reference, cells, page)


def _asked_now(page: Settings) -> tuple[Asked, ...]:
    """The questions of the set, else those that are listed, else that of the Playground.

    Facts that were typed for a question take the place of those of the set; rubrics are added.
    """
    if given := expected.questions():
        return tuple(_asked(one.query, one.variables, one.checks) for one in given)
    lines = workspace.value(keys.QUESTIONS, "").splitlines()
    listed = dict.fromkeys(filter(None, (line.strip() for line in lines)))
    return tuple(_asked(query, {}, ()) for query in listed or [page.query_str])


def _asked(query: str, variables: Mapping[str, str], checks: tuple[Check, ...]) -> Asked:
    facts, _ = expected.facts_of(query)
    return Asked(query, variables, facts, (*checks, *expected.rubrics_of(query)))


def _cells(
    page: Settings, columns: tuple[Column, ...], asked: tuple[Asked, ...], repeats: int
) -> dict[RunSlot, Cell]:
    settings = {
        RunSlot(column.name, number): settings_of(page, column, one.query, one.variables)
        for number, one in enumerate(asked)
        for column in columns
    }
    requests = {slot: Request.of(own) for slot, own in settings.items()}
    # A list of questions has more plans than `remembered` keeps.
    plans = workspace.current().remembered_together(
        "compared plans", dict.fromkeys(requests.values()), plan_range
    )
    templates = {column.name: templates_words(page, column) for column in columns}
    missing = {name: hosts.why_not(settings[RunSlot(name, 0)]) for name in templates}
    cells: dict[RunSlot, Cell] = {}
    for number, question in enumerate(asked):
        slots = [RunSlot(column.name, number) for column in columns]
        row = with_leaders(
            [
                Cell(
                    slot,
                    question,
                    requests[slot],
                    plans[requests[slot]],
                    slot,
                    missing[slot.column],
                )
                for slot in slots
            ]
        )
        for repeat in range(repeats):
            again = named([_repeated(cell, repeat) for cell in row], templates)
            cells |= {cell.slot: cell for cell in again}
    return cells


def _repeated(cell: Cell, repeat: int) -> Cell:
    """The cell of this repeat with its run: not one of a question that stood there before."""
    slot = cell.slot._replace(repeat=repeat)
    run = slot_runs().get(slot)
    if run is not None and run.request.query_str != cell.asked.query:
        run = None
    return replace(cell, slot=slot, leader=cell.leader._replace(repeat=repeat), run=run)


def judged(comparison: Comparison) -> Comparison:
    """The comparison with what is judged of each run that ended, from memory while it is that."""
    model = Model.of(comparison.judge_settings).name

    def shown(cell: Cell) -> tuple[Any, Asked, tuple[tuple[str, Ruling], ...]]:
        said = rulings_on(model, cell.asked.query, cell.answer or "", cell.asked.rubrics)
        return cell.version, cell.asked, tuple(said.items())

    ended = {
        shown(cell): (trace, cell.price)
        for cell in comparison.cells.values()
        if (trace := cell.trace) is not None
    }

    def make(key: tuple[Any, Asked, tuple[tuple[str, Ruling], ...]]) -> JudgedRun:
        trace, price = ended[key]
        return judge(trace, key[1], price, dict(key[2]))

    found = workspace.current().remembered_together("judged runs", ended, make)
    cells = {
        slot: replace(cell, judged=found.get(shown(cell)))
        for slot, cell in comparison.cells.items()
    }
    return replace(comparison, cells=cells)
