"""What goes into runs: templates and chunks, those that several runs share once."""

from __future__ import annotations

from collections.abc import Iterable

from synth.wording import counted, listed
from ui.look.escape import chunk_html, escape
from ui.report.document import fold
from ui.report.reported import ReportedRun

Named = Iterable[tuple[str, ReportedRun]]


def templates(runs: Named) -> str:
    """Each different template with the names of the runs that use it."""
    users: dict[tuple[str, tuple[tuple[str, str], ...]], list[str]] = {}
    for run_name, run in runs:
        for template in run.request.templates:
            users.setdefault(template, []).append(run_name)
    return "".join(
        fold(name, listed(names), f'<div class="prompt">{"".join(map(_message, messages))}</div>')
        for (name, messages), names in users.items()
    )


def _message(message: tuple[str, str]) -> str:
    role, text = message
    return f'<div class="role">{escape(role)}</div><span dir="auto">{escape(text)}</span>'


def chunks(runs: Named) -> str:
    """Each different list of chunks with the names of the runs that were given it."""
    users: dict[tuple[str, ...], list[str]] = {}
    for name, run in runs:
        users.setdefault(run.request.chunks, []).append(name)
    return "".join(
        fold(counted(len(texts), "chunk"), listed(names), *map(_chunk, enumerate(texts, 1)))
        for texts, names in users.items()
        if texts
    )


def _chunk(numbered: tuple[int, str]) -> str:
    number, text = numbered
    return f"<h3>Chunk {number}</h3>{chunk_html([(text, False)])}"
