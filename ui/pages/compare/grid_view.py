"""The view Questions: the answers to all of them, and which passed."""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from synth.quality import pass_rate
from synth.runs.trace import Trace
from ui.look.elements import as_csv, box, save_button, small
from ui.pages.compare import one_run, set_editor
from ui.pages.compare.cells import Cell
from ui.pages.compare.comparison import Comparison
from ui.pages.compare.grid_html import LEGEND, grid_html
from ui.pages.compare.judged_runs import (
    PASSING,
    JudgedRun,
    count_passed,
)
from ui.session import keys


def draw(comparison: Comparison, question: int) -> None:
    """The grid with its rates, and the run whose tile is open."""
    if not any(one.facts or one.checks for one in comparison.asked):
        box(
            "Nothing is expected of the answers yet.",
            "Give a set of questions with facts and checks under Edit columns, or type below what"
            " is expected of the answer to a question.",
        )
    set_editor.offer_shipped("grid", beside_another=False)
    scores = comparison.scores(lambda _, run: run.score)
    rates = [pass_rate(found) for found in scores.values()]
    opened = one_run.opened(comparison, question)
    if any(rate.questions for rate in rates):
        small(PASSING)
    shown = _chosen_questions(comparison)
    st.html(grid_html(comparison, rates, opened, shown))
    st.html(LEGEND)
    _download(comparison)
    one_run.draw(comparison, opened)
    set_editor.draw_expected(comparison.asked[question])


def _chosen_questions(comparison: Comparison) -> Sequence[int]:
    """The questions that are shown: all, or those that any column or one fails."""
    found = comparison.failures()
    every = range(len(comparison.asked))
    if len(every) == 1 or not found["any"]:
        return every
    if st.session_state.get(keys.GRID_FAILURES) not in found:
        st.session_state[keys.GRID_FAILURES] = None
    chosen = st.pills(
        "Failures only",
        list(found),
        wrap=True,
        format_func=lambda name: (
            f"Failures only ({len(found[name]):,})"
            if name == "any"
            else f"{name} fails, another passes ({len(found[name]):,})"
        ),
        key=keys.GRID_FAILURES,
        label_visibility="collapsed",
        persist_state="session",
    )
    return found[chosen] if chosen else every


def _download(comparison: Comparison) -> None:
    """The button that saves all runs as CSV, made when it is pressed."""
    if any(cell.judged for cell in comparison.cells.values()):
        save_button(
            "All runs as CSV",
            lambda: as_csv(runs_frame(comparison)),
            "grid.csv",
            help="A row for each run: what passed, what failed, the measures, cost and answer.",
        )


def runs_frame(comparison: Comparison) -> pd.DataFrame:
    """A row for each judged run, question by question; `failed` are the checks that failed.

    `question_passed` is 1 or 0, missing where that can't be said; `passed` of the `expected`
    checks and facts passed.
    Tokens and calls are those of the whole run, `cost` is in US dollars at the price of its model,
    and `seconds` are missing where answers were reused, and of the offline model.
    """
    return pd.DataFrame(
        {
            "question": one.asked.query,
            "column": one.label,
            "repeat": one.slot.repeat + 1,
            **_outcome(one.judged),
            **_taken(one, one.judged.trace),
        }
        for question in range(len(comparison.asked))
        for cell in comparison.row(question)
        for one in comparison.repeated(cell.slot)
        if one.judged is not None
    )


def _outcome(run: JudgedRun) -> dict[str, Any]:
    return {
        "question_passed": run.score,
        "passed": count_passed(run.outcomes),
        "expected": len(run.outcomes),
        "failed": "\n".join(_failed(run)),
        "cannot_answer": run.abstained,
        "in_sent_text": run.supported,
    }


def _failed(run: JudgedRun) -> Iterator[str]:
    for one, outcome in run.results:
        if outcome.state in ("not checkable", "not judged"):
            yield f"{one.name} ({outcome.state})"
        elif outcome.state == "fail":
            yield one.name if one.needed else f"{one.name} (not needed)"


def _taken(cell: Cell, trace: Trace) -> dict[str, Any]:
    return {
        "mode": trace.setup.mode,
        "calls": trace.call_count,
        "prompt_tokens": trace.prompt_tokens,
        "output_tokens": trace.output_tokens,
        "cost": cell.cost(trace),
        "seconds": cell.seconds(trace),
        "answer": trace.response,
    }
