"""What goes into runs: templates and chunks, those that several runs share once."""

from __future__ import annotations

from collections.abc import Iterable

from synth.text.wording import counted, listed
from ui.look.escape import chunk_html
from ui.look.html import Html, tag, together
from ui.report.document import fold
from ui.report.reported import ReportedRun

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
    return tag("h3", f"Chunk {number}") + chunk_html([(text, False)])
