"""The HTML document of a report: its frame, its inputs and its calls."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from synth.html.calls import call_html, fold
from synth.html.escape import answer_html, chunk_html, sentence_html
from synth.html.markup import Html, table, tag, together
from synth.pictures.shapes import HATCHES
from synth.text.wording import counted, listed, short
from synth.words.call_words import call_facts
from ui.export.reported import ReportedRun
from ui.look.theme import report_css

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_NOTHING_ELSE = (
    ". This file holds no key and no address of a model, loads nothing, and runs no script."
)
_TITLE, _HEADING = 80, 240  # characters of a question in the title of the window, and in large


def document(kind: str, question: str, made: datetime, body: Iterable[Html], versions: str) -> Html:
    """The whole file; it loads nothing and runs nothing, and its policy forbids both.

    `kind` is what it reports on, `made` the time of the report.
    """
    shown = question.strip() or "No question"
    day = f"{made.day} {made:%B %Y, %H:%M} {made.tzname() or ''}".strip()
    head = Html(
        '<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
    ).format(policy=_POLICY)
    main = tag(
        "main",
        tag("div.small.muted", f"Report of a {kind} · {day} · Synthesis playground"),
        *_heading(shown),
        *body,
        tag("footer", versions, _NOTHING_ELSE),
    )
    title = tag("title", f"{short(shown, _TITLE)} · report of a {kind}")
    style = tag("style", Html(report_css()))
    page = tag("html", tag("head", head, title, style), tag("body", Html(HATCHES), main), lang="en")
    return Html("<!doctype html>") + page


def _heading(question: str) -> Iterator[Html]:
    """The question; of a long one the beginning, and all of it below."""
    yield tag("h1", short(question, _HEADING) if len(question) > _HEADING else question, dir="auto")
    if len(question) > _HEADING:
        yield answer_html(question)


def section(title: str, *parts: Html) -> Html:
    """A heading and what stands under it; nothing if that is empty."""
    inside = together(parts)
    return tag("h2", title) + inside if inside else Html()


def sentences(findings: Iterable[Sequence[str]]) -> Html:
    """Sentences one below the other."""
    return together(tag("div.finding", sentence_html(parts)) for parts in findings)


def columns_table(
    corner: str, heads: Iterable[str], rows: Sequence[tuple[str, Sequence[str]]]
) -> Html:
    """A table with a named column for each run, which scrolls where there is no room."""
    if not rows:
        return Html()
    inside = table("num", (corner, *heads), ((name, *values) for name, values in rows))
    return tag("div.scroll", inside, tabindex="0", role="region", aria_label=corner)


Named = Iterable[tuple[str, ReportedRun]]


def templates(runs: Named) -> Html:
    """Each different template with the names of the runs that use it."""
    users: dict[tuple[str, tuple[tuple[str, str], ...]], list[str]] = {}
    for run_name, run in runs:
        for template in run.request.templates:
            users.setdefault(template, []).append(run_name)
    return together(
        fold(name, listed(names), tag("div.prompt", *map(_message, messages)))
        for (name, messages), names in users.items()
    )


def _message(message: tuple[str, str]) -> Html:
    role, text = message
    return tag("div.role", role) + tag("span", text, dir="auto")


def chunks(runs: Named) -> Html:
    """Each different list of chunks with the names of the runs that were given it."""
    users: dict[tuple[str, ...], list[str]] = {}
    for name, run in runs:
        users.setdefault(run.request.text_chunks, []).append(name)
    return together(
        fold(counted(len(texts), "chunk"), listed(names), *map(_chunk, enumerate(texts, 1)))
        for texts, names in users.items()
        if texts
    )


def _chunk(numbered: tuple[int, str]) -> Html:
    number, text = numbered
    return tag("h3", f"Chunk {number}") + chunk_html([(text, "context")])


def calls_html(run: ReportedRun) -> Html:
    """All calls in order, closed; on paper they are open."""
    folds = [
        call_html(call, run.trace.setup.tokenizer, call_facts(call, run.timed, run.edited))
        for call in run.trace.calls
    ]
    return tag("div.calls", *folds) if folds else Html()
