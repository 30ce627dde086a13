"""The report of a comparison as one HTML file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from synth.pictures.shapes import BESIDE
from synth.text.diff import word_diff
from synth.text.wording import counted, listed
from ui.look.escape import answer_html, sentence_html
from ui.look.html import Html, pairs, tag, together
from ui.report.calls import calls_html
from ui.report.compared import Compared
from ui.report.document import (
    box,
    columns_table,
    document,
    fold,
    section,
    sentences,
)
from ui.report.figures import budget_html, flow_html
from ui.report.inputs import chunks, templates
from ui.report.reported import ReportedRun
from ui.text.diff import diff_html


def comparison_html(compared: Compared, made: datetime) -> Html:
    """The whole file; `made` is the time of the report. ValueError if no column has a run."""
    if not compared.runs:
        raise ValueError("A report of a comparison needs a run: run a column first.")
    versions = compared.runs[0][1].versions
    return document("comparison", compared.question, made, _body(compared), versions)


def _body(compared: Compared) -> Iterator[Html]:
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


def _side_by_side(parts: Iterable[Html]) -> Html:
    inside = [tag("div", part) for part in parts]
    return tag("div.runs", *inside) if inside else Html()


def _answers(compared: Compared) -> Iterator[Html]:
    """Each different answer once, that of the reference first, the others as their difference."""
    groups = compared.answers
    base = groups[0][0] if groups else ""
    for text, names in groups:
        head = tag("h3", listed(names))
        if not text:
            yield head + tag("div.muted", "The answer is empty.")
        elif not base or text == base:
            yield head + answer_html(text)
        else:
            diff = word_diff(base, text)
            words = f"{counted(diff.added, 'word')} added, {diff.dropped:,} dropped"
            yield head + tag("div.small.muted.num", words) + diff_html(diff)


def _run(name: str, run: ReportedRun) -> Html:
    return together(
        (
            tag("h3", name),
            sentence_html(run.headline, "note"),
            box(run.ending),
            budget_html(run.trace, BESIDE),
            flow_html(run.trace, BESIDE),
            sentences(run.findings),
        )
    )


def _calls(name: str, run: ReportedRun) -> Html:
    return fold(name, counted(run.trace.call_count, "call"), calls_html(run))
