"""The report of a comparison as one HTML file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from synth.wording import listed
from ui.look.escape import answer_html, escape, sentence_html
from ui.report.calls import calls_html
from ui.report.compared import Compared
from ui.report.document import (
    box,
    columns_table,
    document,
    name_value_table,
    section,
    sentences,
)
from ui.report.figures import budget_figure, flow_figure
from ui.report.reported import ReportedRun
from ui.report.run_page import inputs
from ui.text.diff import diff_html, word_diff

_BESIDE = ("narrow",)  # the width of a figure that has others beside it


def comparison_html(compared: Compared, made: datetime) -> str:
    """The whole file; `made` is the time of the report. ValueError if no column has a run."""
    if not compared.runs:
        raise ValueError("A report of a comparison needs a run: run a column first.")
    versions = compared.runs[0][1].versions
    return document("comparison", compared.question, made, _body(compared), versions)


def _body(compared: Compared) -> Iterator[str]:
    names = [name for name, _ in compared.runs]
    if compared.findings:
        yield sentence_html(compared.findings)
    yield from (box(f"{name}: {reason}") for name, reason in compared.without)
    yield section("Measures", columns_table("measure", names, compared.measures))
    yield section("Answers", _side_by_side(_answers(compared)))
    yield section("Runs", _side_by_side(_run(name, run) for name, run in compared.runs))
    yield section("Settings that differ", columns_table("setting", names, compared.settings))
    yield section("Settings in common", name_value_table(compared.shared_settings))
    for name, run in compared.runs:
        yield section(f"Every call of {name}, as it was sent", calls_html(run))
    yield section("What went in", *_inputs(compared))


def _side_by_side(parts: Iterable[str]) -> str:
    inside = "".join(f"<div>{part}</div>" for part in parts)
    return f'<div class="runs">{inside}</div>' if inside else ""


def _answers(compared: Compared) -> Iterator[str]:
    """Each different answer once, that of the reference first, the others as their difference."""
    groups = compared.answers
    base = groups[0][0] if groups else ""
    for text, names in groups:
        head = f"<h3>{escape(listed(names))}</h3>"
        if not text:
            yield f'{head}<div class="muted">The answer is empty.</div>'
        elif not base or text == base:
            yield head + answer_html(text)
        else:
            diff = word_diff(base, text)
            words = f"{diff.added:,} words added, {diff.dropped:,} dropped"
            yield f'{head}<div class="small muted num">{words}</div>{diff_html(diff)}'


def _run(name: str, run: ReportedRun) -> str:
    return (
        f"<h3>{escape(name)}</h3>{sentence_html(run.headline, 'note')}{box(run.ending)}"
        f"{budget_figure(run.trace, _BESIDE)}{flow_figure(run.trace, _BESIDE)}"
        f"{sentences(run.findings)}"
    )


def _inputs(compared: Compared) -> Iterator[str]:
    """The chunks and templates, once where all runs have the same."""
    [(_, run), *others] = compared.runs
    same = ("chunks", "templates")
    if all(
        getattr(other.request, name) == getattr(run.request, name)
        for _, other in others
        for name in same
    ):
        yield from inputs(run)
        return
    for name, one in compared.runs:
        yield f"<h3>{escape(name)}</h3>"
        yield from inputs(one)
