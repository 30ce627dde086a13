"""The grid as a table: a row for each run, with what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from ui.compare.analysis.column_data import ColumnData
from ui.compare.analysis.judged_runs import Expected, Judged, JudgedRun


def judged_frame(
    questions: Sequence[str],
    expected: Sequence[Expected],
    names: Sequence[str],
    data: Sequence[ColumnData],
    columns: Sequence[Judged],
) -> pd.DataFrame:
    """A row for each run that ended, question by question; `failed` are the expected that failed,
    with those that aren't needed marked so.

    `question_passed` is 1 or 0, missing where that can't be said; `passed` of the `expected`
    checks and facts passed.
    Tokens and calls are those of the whole run, `cost` is in US dollars at the list price, and
    `seconds` are missing where answers were reused, and of the offline model.
    """
    rows: list[dict[str, Any]] = []
    for at, question in enumerate(questions):
        for name, own, column in zip(names, data, columns, strict=True):
            for repeat, run in enumerate(column[at], 1):
                if run is not None:
                    place = {"question": question, "column": name, "repeat": repeat}
                    rows.append(place | _outcome(run, expected[at]) | _taken(run, own))
    return pd.DataFrame(rows)


def _outcome(run: JudgedRun, expected: Expected) -> dict[str, Any]:
    return {
        "question_passed": run.score,
        "passed": run.passed,
        "expected": len(run.outcomes),
        "failed": "\n".join(_failed(run, expected)),
        "cannot_answer": run.abstained,
        "in_sent_text": run.supported,
        "chrf": run.likeness.chrf if run.likeness else None,
        "token_f1": run.likeness.f1 if run.likeness else None,
    }


def _failed(run: JudgedRun, expected: Expected) -> Iterator[str]:
    for outcome, name, needed in zip(run.outcomes, expected.names(), run.required, strict=True):
        if outcome.state == "not checkable":
            yield f"{name} (not checkable)"
        elif outcome.state == "fail":
            yield name if needed else f"{name} (not needed)"


def _taken(run: JudgedRun, column: ColumnData) -> dict[str, Any]:
    trace = run.trace
    return {
        "mode": trace.setup.mode,
        "calls": trace.call_count,
        "prompt_tokens": trace.prompt_tokens,
        "output_tokens": trace.output_tokens,
        "cost": column.cost(trace),
        "seconds": column.seconds(trace),
        "answer": trace.response,
    }
