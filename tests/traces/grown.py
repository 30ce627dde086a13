"""Recordings to be sent or grown piece by piece, and when two runs are the same."""

import dataclasses
from typing import Any

from synth.traces import ImportedRun
from synth.traces.containers import read_spans
from synth.traces.spans import TraceSpan
from tests.traces.application import Application, ask, nodes, recording
from tests.traces.applications import APPS, QUESTION
from tests.traces.test_live import CHUNKS


def of_mode(mode: str, **options: Any) -> str:
    """The file of one question, asked in that mode."""
    with recording() as lines:
        ask(Application(is_chat_model=True), mode, QUESTION, nodes(CHUNKS), **options)
    return lines.getvalue()


def of_app(name: str) -> str:
    """The file of one of the applications."""
    with recording() as lines:
        APPS[name].start()
    return lines.getvalue()


def in_order(data: str) -> list[TraceSpan]:
    """The spans as they ended."""
    return sorted(read_spans(data), key=lambda span: (span.end, -span.start))


def told(run: ImportedRun | None) -> dict[str, object]:
    """All that is compared of a run; templates by their messages."""
    assert run is not None
    fields = {
        each.name: getattr(run, each.name) for each in dataclasses.fields(run) if each.compare
    }
    messages = {name: template.message_templates for name, template in run.templates.items()}
    return {**fields, "templates": messages, "identity": run.identity}
