"""The files of two runs that stand side by side."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

from ui.export import (
    Compared,
    ReportedRun,
    compared_calls,
    comparison_html,
    comparison_markdown,
    popover,
)
from ui.export.downloads import Download, calls_file
from ui.history import run_file
from ui.history.differences import differences
from ui.history.run_file import RunFile
from ui.history.saved_run import SavedRun
from ui.plans.plan_range import plan_range
from ui.runs_page.tables import measure_rows
from ui.runs_page.words import difference_sentence


def draw(before: SavedRun, after: SavedRun) -> None:
    """Draw the button that opens the popover with the files of both runs."""
    popover.draw_files("The two runs as files", lambda: downloads(before, after))


def downloads(before: SavedRun, after: SavedRun) -> list[Download]:
    """The files; a table of calls only if there is a call."""
    both = compared(before, after)
    found = [
        Download(
            "Report",
            "One HTML page of both, to keep, send or print.",
            "two_runs_report.html",
            lambda: comparison_html(both, datetime.now(UTC)),
        ),
        Download(
            "Summary", "Markdown, for an issue.", "two_runs.md", partial(comparison_markdown, both)
        ),
    ]
    if before.trace.calls or after.trace.calls:
        found.append(calls_file("two_runs", partial(compared_calls, both)))
    return [*found, _json("A", before), _json("B", after)]


def _json(letter: str, run: SavedRun) -> Download:
    return Download(
        f"Run {letter} as JSON",
        "Everything; Share opens it again.",
        f"run_{letter.lower()}.json",
        partial(run_file.written, RunFile.of(run)),
    )


def compared(before: SavedRun, after: SavedRun) -> Compared:
    """The two runs as their report tells them."""
    found = differences(before, after)
    names = [f"A · {before.request.mode}", f"B · {after.request.mode}"]
    return Compared(
        _question(before.request.query_str, after.request.query_str),
        list(zip(names, (_reported(before), _reported(after)), strict=True)),
        (),
        difference_sentence(found),
        [(name, (old, new)) for name, old, new, _ in measure_rows(found)],
        names[0],
    )


def _question(old: str, new: str) -> str:
    return old if old == new else f"A: {old}\nB: {new}"


def _reported(run: SavedRun) -> ReportedRun:
    bounds = plan_range(run.request).bounds
    return ReportedRun(run.request, run.trace, bounds, run.edited, run.summary.by_person)
