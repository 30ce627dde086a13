"""What was read from a recording: its settings, which may be tried, and the notes on it."""

from collections.abc import Iterator
from dataclasses import replace

import streamlit as st

from synth.errors import SynthError
from synth.html.markup import pairs
from synth.modes.registry import MODES, mode_class
from synth.text.wording import counted, listed, short
from synth.traces import ImportedRun
from ui.imported.opened_file import OpenedFile, OpenedRun
from ui.look.elements import error_box, section, small
from ui.settings.schema import MOST_TOKENS

_LETTERS = 240  # of a question
_PADDING = 500  # tokens, LlamaIndex's own


def draw(file: OpenedFile, run: OpenedRun) -> None:
    """Draw the settings, what was read, and the notes on the recording."""
    if run.run.mode in MODES and run.run.calls:
        _settings(file, run)
    section("What was read from it")
    st.html(pairs(_facts(run.run)))
    if run.run.notes:
        section("Notes on this recording")
        for note in run.run.notes:
            small(note)


def _settings(file: OpenedFile, run: OpenedRun) -> None:
    section("Settings of this run")
    helper, key = run.run.helper, f"import {run.form}"
    window, overlap = helper.context_window, helper.chunk_overlap_ratio
    padding = _PADDING if run.run.padding is None else run.run.padding
    before = (window, overlap, padding)
    with st.container(border=True, gap="xsmall"):
        left, middle, right = st.columns(3, gap="small")
        most = max(MOST_TOKENS, window)
        window = left.number_input("Window", 1, most, window, key=f"{key} window")
        overlap = middle.number_input("Overlap", 0.0, 1.0, overlap, 0.05, key=f"{key} overlap")
        if mode_class(run.run.mode).filters:
            padding = right.number_input("Padding", 0, most, padding, key=f"{key} padding")
        small("They begin with what the trace says, or with LlamaIndex's defaults.")
    if (window, overlap, padding) == before:
        return
    try:
        other = run.run.with_helper(context_window=window, chunk_overlap_ratio=overlap)
    except SynthError as problem:
        error_box("These settings can't be used.", str(problem))
        return
    if mode_class(run.run.mode).filters:
        other = replace(other, padding=padding)
    file.replace(OpenedRun(other, run.source, form=run.form))
    st.rerun()


def _facts(run: ImportedRun) -> Iterator[tuple[str, str]]:
    yield "question", short(run.query, _LETTERS)
    if run.response is not None:
        yield "answer", short(run.response, _LETTERS)
    kinds = {"filtering": run.filtering, "streamed": run.streaming}
    yield "mode", " · ".join([run.mode, *(kind for kind, holds in kinds.items() if holds)])
    if run.model:
        yield "model", run.model
    if run.mode in MODES and run.calls:
        yield "window, num_output", f"{run.helper.context_window:,} · {run.helper.num_output:,}"
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
