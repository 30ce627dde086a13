"""What was read from a recording: its settings, and the notes on it."""

from collections.abc import Iterator

import streamlit as st

from synth.html.markup import pairs
from synth.modes.registry import MODES
from synth.text.wording import counted, listed, short
from synth.traces import ImportedRun
from ui.imported.opened_file import OpenedRun
from ui.look.elements import section, small

_LETTERS = 240  # of a question


def draw(run: OpenedRun) -> None:
    """Draw what was read, and the notes on the recording."""
    section("What was read from it")
    st.html(pairs(_facts(run.run)))
    if run.run.notes:
        section("Notes on this recording")
        for note in run.run.notes:
            small(note)


def _facts(run: ImportedRun) -> Iterator[tuple[str, str]]:
    yield "question", short(run.query, _LETTERS)
    if run.response is not None:
        yield "answer", short(run.response, _LETTERS)
    kinds = {"filtering": run.filtering, "streamed": run.streaming}
    yield "mode", " · ".join([run.mode, *(kind for kind, holds in kinds.items() if holds)])
    if run.model:
        yield "model", run.model
    if run.mode in MODES and run.calls:
        helper = run.helper
        yield "window, num_output", f"{helper.context_window:,} · {helper.num_output:,}"
        yield "overlap", f"{helper.chunk_overlap_ratio:g}"
    if run.templates:
        yield "templates", ", ".join(_templates(run))
    if run.variables:
        yield "variables", listed(list(run.variables))
    yield "chunks", _chunks(run)
    yield "tokens", f"{run.prompt_tokens:,} sent, {run.output_tokens:,} back{_reported(run)}"
    yield "recorded", f"{run.started:%d %B %Y, %H:%M} UTC"


def _templates(run: ImportedRun) -> Iterator[str]:
    for name, template in run.templates.items():
        notes = []
        if len(template.message_templates) > 1:
            notes.append("as a chat")
        if template.default_template is not None:
            notes.append("measured as its text")
        yield f"{name} {', '.join(notes)}".rstrip()


def _chunks(run: ImportedRun) -> str:
    scored = sum(chunk.score is not None for chunk in run.chunks)
    scores = "all" if scored == len(run.chunks) else f"{scored:,}" if scored else "none"
    names = {name for chunk in run.chunks for name in chunk.node.metadata}
    metadata = f" · metadata {listed(sorted(names))}" if names else ""
    return f"{len(run.chunks):,}, {scores} with a score{metadata}"


def _reported(run: ImportedRun) -> str:
    reported = sum(call.reported_prompt_tokens is not None for call in run.calls)
    if not run.calls or not reported:
        return f", {run.helper.tokenizer.counting}"
    return f", as the server reported in {reported:,} of {counted(len(run.calls), 'call')}"
