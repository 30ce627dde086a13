"""The files that leave the page: the report of a comparison, and tables of its runs and calls."""

from datetime import UTC, datetime

import pandas as pd

from synth.text.wording import counted
from ui.export import share
from ui.export.share import Download, calls_table
from ui.look.elements import as_csv
from ui.pages.compare.columns import current_columns
from ui.pages.compare.comparison import Comparison, comparison_of
from ui.pages.compare.frame import frame_of
from ui.pages.compare.report import report_html
from ui.settings import state

_SAID = ("question", "column", "repeat", "score", "passed", "needed", "right", "note")
_IN_TABLE = (*_SAID, "calls", "tokens", "cost", "cut_off", "seconds")


def draw() -> None:
    """Draw, for Share, the files of the columns, once one of them has a run."""
    settings = state.current()
    comparison = comparison_of(settings, current_columns(settings))
    if any(row.trace for row in comparison.rows):
        share.draw_files("This comparison", downloads(comparison))


def downloads(comparison: Comparison) -> list[Download]:
    """List the files; of the calls only where there is one, with what is not in it."""
    page = "One HTML page of all questions and columns, without a key or an address."
    name = "comparison"
    made = datetime.now(UTC)
    files = [
        Download("Report", page, f"{name}_report.html", lambda: report_html(comparison, made)),
        Download(
            "Runs as CSV",
            "A row for each run that ended: what passed, thumbs, measures, the answer.",
            f"{name}_runs.csv",
            lambda: as_csv(runs_table(comparison)),
        ),
    ]
    ran = [row for row in comparison.rows if row.trace and row.trace.calls]
    if ran:
        lacking = len(comparison.rows) - len(ran)
        meaning = f"A row for each call of {counted(len(ran), 'run')}, with prompt and answer."
        if lacking:
            meaning += f" Not in it: {counted(lacking, 'run')} without a call."
        meaning += " A run that serves two columns is in both."

        def table() -> bytes:
            return as_csv(calls_of_runs(comparison))

        files.append(Download("Calls as CSV", meaning, f"{name}_calls.csv", table))
    return files


def runs_table(comparison: Comparison) -> pd.DataFrame:
    """Make a table of all runs that ended; what is missing is unknown, `cost` in US dollars."""
    ended = [row for row in comparison.rows if row.trace is not None]
    table = frame_of(ended)[list(_IN_TABLE)]
    table["question"] = [comparison.asked[row.question].query for row in ended]
    table["column"] = [comparison.column(row.column).label for row in ended]
    table["repeat"] += 1
    table["answer"] = [row.answer for row in ended]
    return table


def calls_of_runs(comparison: Comparison) -> pd.DataFrame:
    """Make a table of the calls of all runs that ended, question by question."""
    frames = {}
    for row in comparison.rows:
        if row.trace is not None and row.trace.calls:
            label = comparison.column(row.column).label
            at = comparison.asked[row.question].query, label, row.repeat + 1
            frames[at] = calls_table(row.trace)
    names = ["question", "column", "repeat"]
    return pd.concat(frames, names=names).reset_index(names)
