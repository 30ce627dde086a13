"""The HTML document of a report, and its parts that a run and a comparison share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from synth.pictures.shapes import HATCHES
from synth.wording import short
from ui.look.escape import answer_html, escape, sentence_html
from ui.look.stylesheet import report_css

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_TITLE, _HEADING = 80, 240  # characters of a question in the title of the window, and in large


def document(kind: str, question: str, made: datetime, body: Iterable[str], versions: str) -> str:
    """The whole file; it loads nothing and runs nothing, and its policy forbids both.

    `kind` is what it reports on, `made` the time of the report.
    """
    shown = question.strip() or "No question"
    day = f"{made.day} {made:%B %Y, %H:%M} {made.tzname() or ''}".strip()
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(short(shown, _TITLE))} · report of a {kind}</title>"
        f"<style>{report_css()}</style></head><body>{HATCHES}<main>"
        f'<div class="small muted">Report of a {kind} · {day} · Synthesis playground</div>'
        f"{_heading(shown)}{''.join(body)}"
        f"<footer>{escape(versions)}. This file holds no key and no address of a model, loads"
        " nothing, and runs no script.</footer></main></body></html>"
    )


def _heading(question: str) -> str:
    """The question; of a long one the beginning, and all of it below."""
    if len(question) <= _HEADING:
        return f'<h1 dir="auto">{escape(question)}</h1>'
    return f'<h1 dir="auto">{escape(short(question, _HEADING))}</h1>{answer_html(question)}'


def section(title: str, *parts: str) -> str:
    """A heading and what stands under it; nothing if that is empty."""
    inside = "".join(parts)
    return f"<h2>{escape(title)}</h2>{inside}" if inside else ""


def fold(title: str, detail: str, *parts: str) -> str:
    """A line that opens to its parts."""
    more = f" <span>· {escape(detail)}</span>" if detail else ""
    return (
        f'<details><summary class="head num">{escape(title)}{more}</summary>'
        f'<div class="inside">{"".join(parts)}</div></details>'
    )


def sentences(findings: Iterable[Sequence[str]]) -> str:
    """Sentences one below the other."""
    return "".join(f'<div class="finding">{sentence_html(parts)}</div>' for parts in findings)


def box(text: str) -> str:
    """A text in a frame; nothing if it is empty."""
    return f'<div class="box" dir="auto">{escape(text)}</div>' if text else ""


def pairs(rows: Iterable[tuple[str, str]]) -> str:
    """Names with one value each, in as many columns as there is room for."""
    inside = "".join(
        f'<div><dt>{escape(name)}</dt><dd dir="auto">{escape(value)}</dd></div>'
        for name, value in rows
    )
    return f'<dl class="num">{inside}</dl>' if inside else ""


def columns_table(
    corner: str, heads: Iterable[str], rows: Iterable[tuple[str, Sequence[str]]]
) -> str:
    """A table with a named column for each run, which scrolls where there is no room."""
    top = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    cells = "".join(_row(name, values) for name, values in rows)
    if not cells:
        return ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(corner)}">'
        f'<table class="num"><thead><tr><th scope="col">{escape(corner)}</th>{top}</tr></thead>'
        f"<tbody>{cells}</tbody></table></div>"
    )


def _row(name: str, values: Iterable[str]) -> str:
    cells = "".join(f'<td dir="auto">{escape(value)}</td>' for value in values)
    return f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>'
