"""The files of a comparison: the report, and a table of all calls."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import pandas as pd

from synth.html.escape import answer_html, sentence_html
from synth.html.markup import Html, pairs, table, tag, together
from synth.html.notebook import alarm_html, box, figure, fold
from synth.html.provenance import diff_html
from synth.pictures.run_picture import draw_run
from synth.text.diff import word_diff
from synth.text.wording import Bold, counted
from synth.words.run_words import ending
from ui.export import run_files
from ui.export.report_pages import (
    list_settings,
    make_chunks,
    make_document,
    make_section,
    make_templates,
    name_versions,
)
from ui.export.run_files import Download, as_csv, calls_table
from ui.pages.compare.columns import current_columns, listed_columns
from ui.pages.compare.comparison import Comparison, RunRow, comparison_of, sign_of, verdict_words
from ui.pages.compare.figures import answer_beside, headline, totals
from ui.settings import state


def report_html(comparison: Comparison, made: datetime) -> Html:
    """Make the whole file; `made` is the time of the report."""
    queries = [asked.query for asked in comparison.asked]
    title = queries[0] if len(queries) == 1 else counted(len(queries), "question")
    versions = name_versions(comparison.columns[0].request)
    return make_document("comparison", title, made, _body(comparison), versions)


def _body(comparison: Comparison) -> Iterator[Html]:
    line, detail = headline(comparison.rows)
    yield sentence_html([Bold(line)]) + tag("div.small.muted", detail)
    yield from _without_runs(comparison)
    labels = [column.label for column in comparison.columns]
    yield make_section("Columns", _scrolled("all runs", labels, totals(comparison.rows)))
    if len(comparison.asked) > 1:
        yield make_section("Questions", _questions(comparison))
    yield make_section("Answers", *_answers(comparison))
    ran = [(row.column, row.request) for row in comparison.of_question(0) if row.trace]
    of = ", question 1" if len(comparison.asked) > 1 else ""
    yield make_section(f"Which chunk went into which call{of}", _pictures(comparison))
    yield make_section("Templates that differ", *_template_diffs(comparison))
    differing, common = _settings(comparison)
    yield make_section("Settings that differ", _scrolled("setting", labels, differing))
    yield make_section("Settings in common", pairs(common))
    yield make_section("What went in", make_chunks(ran), make_templates(ran))


def _scrolled(corner: str, heads: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> Html:
    if not rows:
        return Html()
    inside = table("num", (corner, *heads), ((name, *values) for name, values in rows))
    return tag("div.scroll", inside, tabindex="0", role="region", aria_label=corner)


def _without_runs(comparison: Comparison) -> Iterator[Html]:
    """Why runs are missing: each reason once, with how many of a column it concerns."""
    lacking = (row for row in comparison.rows if row.answer is None)
    reasons = Counter((comparison.column(row.column).label, _reason(row)) for row in lacking)
    for (label, reason), count in reasons.items():
        runs = f" ({counted(count, 'run')})" if len(comparison.asked) > 1 else ""
        yield box(f"{label}{runs}: {reason}")


def _reason(row: RunRow) -> str:
    """Why there is no answer; what a server said is left out."""
    if row.trace is not None:
        return ending(row.trace)
    if row.plans.refused is not None:
        return row.plans.refused
    return "The run failed." if row.problem else "It was not run."


def _questions(comparison: Comparison) -> Html:
    """A line for each question: what passed in each column, and what a person said."""
    rows = [
        (
            f"{number + 1} · {asked.query}",
            [_verdict(row) for row in comparison.of_question(number)],
        )
        for number, asked in enumerate(comparison.asked)
    ]
    return _scrolled("question", [column.name for column in comparison.columns], rows)


def _verdict(row: RunRow) -> str:
    """ "✓ passed, 2/2 right", "– not run"."""
    sign, name = sign_of(row)
    return ", ".join(filter(None, [f"{sign} {name}", verdict_words(row)]))


def _answers(comparison: Comparison) -> Iterator[Html]:
    """Each different answer to a question once, that of the first column before the others."""
    for number, asked in enumerate(comparison.asked):
        rows = [row for row in comparison.by_question[number] if row.answer is not None]
        if len(comparison.asked) == 1:
            yield tag("div.runs", *(tag("div", one) for one in _different(comparison, rows)))
        elif rows:
            yield fold(f"{number + 1} · {asked.query}", "", *_different(comparison, rows))


def _different(comparison: Comparison, rows: Sequence[RunRow]) -> Iterator[Html]:
    by_answer: dict[str, list[RunRow]] = {}
    for row in rows:
        by_answer.setdefault(row.answer or "", []).append(row)
    base = next(iter(by_answer), "")
    for answer, gave in by_answer.items():
        labels = [comparison.column(row.column).label for row in gave]
        yield tag("h3", listed_columns(list(dict.fromkeys(labels))))
        words, written = answer_beside(base, answer)
        yield tag("div.small.muted.num", words) + written
        yield _said_of(comparison, gave[0])


def _said_of(comparison: Comparison, row: RunRow) -> Html:
    expected = comparison.asked[row.question].expectations
    lines = [_verdict(row)]
    for one, outcome in zip(expected, row.outcomes, strict=False):
        if one.needed and outcome.state == "fail":
            lines.append(f"✕ {one.name}")
    if row.note:
        lines.append(f"Note: {row.note}")
    return together(tag("div.small.muted", line, dir="auto") for line in lines)


def _pictures(comparison: Comparison) -> Html:
    rows = [(row, trace) for row in comparison.of_question(0) if (trace := row.trace)]
    parts = []
    for row, trace in rows:
        head = tag("h3", comparison.column(row.column).label)
        picture = figure(draw_run(trace)) if trace.calls else ""
        parts.append(tag("div", head, alarm_html(trace), picture))
    return tag("div.runs", *parts) if parts else Html()


def _template_diffs(comparison: Comparison) -> Iterator[Html]:
    """Each template whose texts differ: that of the first column, then what others change."""
    users: dict[str, dict[str, list[str]]] = {}
    for column in comparison.columns:
        for name, messages in column.request.templates:
            text = "\n\n".join(f"{role}: {text}" for role, text in messages)
            users.setdefault(name, {}).setdefault(text, []).append(column.name)
    for name, texts in users.items():
        if len(texts) == 1:
            continue
        base, *others = texts
        parts = [tag("h3", listed_columns(texts[base])), answer_html(base)]
        for text in others:
            parts += [tag("h3", listed_columns(texts[text])), diff_html(word_diff(base, text))]
        yield fold(name, counted(len(texts), "wording"), *parts)


Settings = list[tuple[str, list[str]]]


def _settings(comparison: Comparison) -> tuple[Settings, list[tuple[str, str]]]:
    """The settings in which columns differ, with the value of each, and those in common."""
    values = [dict(list_settings(column.request)) for column in comparison.columns]
    names = dict.fromkeys(name for one in values for name in one)
    rows = [(name, [one.get(name, "") for one in values]) for name in names]
    differing = [(name, texts) for name, texts in rows if len(set(texts)) > 1]
    return differing, [(name, texts[0]) for name, texts in rows if len(set(texts)) == 1]


def draw_files() -> None:
    """Draw, for Share, the files of the columns, once one of them has a run."""
    settings = state.current()
    comparison = comparison_of(settings, current_columns(settings))
    if any(row.trace for row in comparison.rows):
        run_files.draw_files("This comparison", downloads(comparison))


def downloads(comparison: Comparison) -> list[Download]:
    """List the files; of the calls only where there is one, with what is not in it."""
    page = "One HTML page of all questions and columns, without a key or an address."
    name = "comparison"
    made = datetime.now(UTC)
    files = [Download("Report", page, f"{name}_report.html", lambda: report_html(comparison, made))]
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
