"""The HTML document of a report, and its parts that a run and a comparison share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from synth.pictures.shapes import HATCHES
from synth.text.wording import short
from ui.look.escape import answer_html, sentence_html
from ui.look.html import Html, table, tag, together
from ui.look.stylesheet import report_css

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


def fold(title: str, detail: str, *parts: Html) -> Html:
    """A line that opens to its parts."""
    more = (" ", tag("span", f"· {detail}")) if detail else ()
    return tag("details", tag("summary.head.num", title, *more), tag("div.inside", *parts))


def sentences(findings: Iterable[Sequence[str]]) -> Html:
    """Sentences one below the other."""
    return together(tag("div.finding", sentence_html(parts)) for parts in findings)


def box(text: str) -> Html:
    """A text in a frame; nothing if it is empty."""
    return tag("div.box", text, dir="auto") if text else Html()


def columns_table(
    corner: str, heads: Iterable[str], rows: Sequence[tuple[str, Sequence[str]]]
) -> Html:
    """A table with a named column for each run, which scrolls where there is no room."""
    if not rows:
        return Html()
    inside = table("num", (corner, *heads), ((name, *values) for name, values in rows))
    return tag("div.scroll", inside, tabindex="0", role="region", aria_label=corner)
