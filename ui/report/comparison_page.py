"""The report of a comparison as one HTML file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from synth.pictures.shapes import BESIDE
from synth.word_diff import word_diff
from synth.wording import counted, listed
from ui.look.escape import answer_html, escape, sentence_html
from ui.report.calls import calls_html
from ui.report.compared import Compared
from ui.report.document import (
    box,
    columns_table,
    document,
    fold,
    pairs,
    section,
    sentences,
)
from ui.report.figures import budget_html, flow_html
from ui.report.inputs import chunks, templates
from ui.report.reported import ReportedRun
from ui.text.diff import diff_html


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
    yield section("Settings in common", pairs(compared.shared_settings))
    yield section("Every call, as it was sent", *(_calls(*one) for one in compared.runs))
    yield section("What went in", chunks(compared.runs), templates(compared.runs))


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
            words = f"{counted(diff.added, 'word')} added, {diff.dropped:,} dropped"
            yield f'{head}<div class="small muted num">{words}</div>{diff_html(diff)}'


def _run(name: str, run: ReportedRun) -> str:
    return (
        f"<h3>{escape(name)}</h3>{sentence_html(run.headline, 'note')}{box(run.ending)}"
        f"{budget_html(run.trace, BESIDE)}{flow_html(run.trace, BESIDE)}"
        f"{sentences(run.findings)}"
    )


def _calls(name: str, run: ReportedRun) -> str:
    return fold(name, counted(run.trace.call_count, "call"), calls_html(run))
