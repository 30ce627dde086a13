"""What leaves the page: the report of all questions and columns, and tables of runs and calls."""

from collections.abc import Iterator, Sequence

import pandas as pd

from synth.runs.trace import Trace
from ui.export import popover
from ui.export.downloads import comparison_files
from ui.export.reported import Compared
from ui.pages.compare.comparison import Comparison
from ui.pages.compare.frame import RunRow, frame_of
from ui.pages.compare.measures import measure_table
from ui.plans.cost import dollars_for
from ui.store.run_json import Run
from ui.store.tables import RunInfo


def draw_files(comparison: Comparison) -> None:
    """Draw the files of these columns, once one of them has a run."""
    if any(row.trace for row in comparison.rows):
        popover.draw_files(
            "This comparison as files", lambda: comparison_files(compared(comparison, 0))
        )


def compared(comparison: Comparison, question: int) -> Compared:
    """The columns as their report tells them."""
    row = comparison.of_question(question)
    labels = {column.name: column.label for column in comparison.columns}
    ran = [(one, trace) for one in row if (trace := one.trace) is not None]
    measures = list(measure_table([one for one, _ in ran]))
    return Compared(
        row[0].request.query_str,
        [(labels[one.column], _reported(one, trace)) for one, trace in ran],
        [(labels[one.column], _reason(one)) for one in row if one.trace is None],
        [*_passed_row([one for one, _ in ran]), *measures],
        labels[row[0].column],
    )


def _passed_row(rows: Sequence[RunRow]) -> list[tuple[str, list[str]]]:
    """How many of the checks and facts that are needed each run passed, if any are expected."""
    if not any(row.needed > 0 for row in rows):
        return []
    return [("passed", [f"{row.passed:.0f} of {row.needed:.0f}" for row in rows])]


def runs_table(comparison: Comparison) -> pd.DataFrame:
    """Make a table of all runs that ended; `score` and `right` are 1 or 0, missing if unknown.

    Tokens and calls are those of the whole run, `cost` is in US dollars at the price of its model,
    and `seconds` are missing where answers were reused, and of the offline model.
    """
    ended = [row for row in comparison.rows if row.trace is not None]
    labels = {column.name: column.label for column in comparison.columns}
    table = frame_of(ended)[list(_IN_TABLE)]
    table["question"] = [comparison.asked[row.question].query for row in ended]
    table["column"] = [labels[row.column] for row in ended]
    table["repeat"] += 1
    table["failed"] = ["\n".join(_failed(comparison, row)) for row in ended]
    table["answer"] = [row.answer for row in ended]
    return table


_SAID = ("question", "column", "repeat", "score", "passed", "needed", "right", "note")
_IN_TABLE = (*_SAID, "calls", "tokens", "cost", "cut_off", "seconds")


def _failed(comparison: Comparison, row: RunRow) -> Iterator[str]:
    """What did not pass of what is expected, and what of that is not needed."""
    for one, outcome in zip(comparison.asked[row.question].expectations, row.outcomes, strict=True):
        if outcome.state != "pass":
            state = "" if outcome.state == "fail" else f" ({outcome.state})"
            yield f"{one.name}{state}{'' if one.needed else ' (not needed)'}"


def _reported(row: RunRow, trace: Trace) -> Run:
    info = RunInfo(dollars=dollars_for(row.request.model, trace.sent))
    return Run(info, row.request, trace)


def _reason(row: RunRow) -> str:
    """Why a column has no run; what a server said is left out."""
    if row.plans.refused is not None:
        return row.plans.refused
    return "The run failed." if row.problem else "It was not run."
