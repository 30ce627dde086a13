"""A trace that is dropped on Runs, and a recording that opens there alone, beside ours."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.errors import SynthError
from synth.html.markup import pairs, tag
from synth.modes.registry import MODES
from synth.text.diff import Change, Diff, word_diff
from synth.text.tokenizer import Tokenizer
from synth.text.wording import Bold, counted, listed, short
from synth.traces import (
    EXAMPLE,
    Difference,
    Fit,
    ImportedRun,
    size_limits,
)
from synth.traces.fitting import say_unexplained
from ui.controls import own_text
from ui.look.elements import (
    box,
    draw_columns,
    label_text,
    lead,
    section,
    sentence,
    small,
)
from ui.pages.runs.actions import draw_ways_on
from ui.pages.runs.recordings import OpenedFile, OpenedRun, opened_file
from ui.session import keys
from ui.views import calls

_TYPES = ("jsonl", "json", "ndjson", "txt", "log", "csv", "parquet", "gz")
_TITLE, _LETTERS = 90, 240  # of a question in the heading, and of texts that were read
_EXAMPLE = "Our recording of the incident sample"


def draw_drop_zone() -> None:
    """Draw the place where a trace is dropped, and the button that opens our example."""
    with st.container(key="drop_trace"):
        own_text.draw_uploader(
            "Open a trace",
            _TYPES,
            size_limits.MOST_BYTES // 1_000_000,
            _read,
            label_visibility="collapsed",
        )
    st.button(
        "Try our example",
        icon=":material/play_circle:",
        on_click=lambda: _read([(_EXAMPLE, EXAMPLE.read_bytes())]),
        help="We recorded it: LlamaIndex's compact over the incident sample. The answers are"
        " those of this app's offline model.",
    )


def draw(file: OpenedFile, run: OpenedRun) -> None:
    """Draw a recording beside what this app computes, and the ways to the other pages."""
    with lead([Bold(f"{run.source}: "), short(run.run.query, _TITLE)]):
        st.button("All runs", icon=":material/arrow_back:", on_click=file.close)
    sentence_column, buttons = draw_columns("trace_head", 7, 4)
    with sentence_column:
        sentence(_sentence(run))
    with buttons:
        draw_ways_on(run)
    left, right = draw_columns("trace_body", 7, 4)
    with left:
        explained = st.container()
        _draw_recording(run)
    with right:
        section("What was read from it")
        st.html(pairs(_facts(run.run)))
        if run.run.notes:
            section("Notes on this recording")
            for note in run.run.notes:
                small(note)
    with explained:  # last, since it may take seconds
        _draw_explanations(file, run)


def _draw_recording(run: OpenedRun) -> None:
    if run.difference is not None:
        _draw_difference(run.difference, run.run.helper.tokenizer)
    if run.request is None and run.run.calls:  # else other pages have them
        section(f"The recorded calls · {len(run.run.calls):,}")
        calls.draw(run.trace)


def _read(files: Sequence[tuple[str, bytes]]) -> None:
    for name, data in files:
        try:
            opened_file().read(name, data)
        except SynthError as problem:
            st.session_state[keys.RUNS_PROBLEM] = "This file was not opened.", str(problem)
        else:
            st.session_state[keys.RUNS_KIND] = "from a file"


def _sentence(run: OpenedRun) -> Iterator[str]:
    if run.run.failure is not None:
        yield Bold("✕ The recorded run failed. ")
        yield f"{short(run.run.failure, _LETTERS).rstrip('.')}. "
    words = run.outcome.words
    yield Bold(f"{run.outcome.sign} {words[:1].upper()}{words[1:]}".strip())
    if not run.verified or not run.run.calls:
        problem = run.verification.problem if run.verification else None
        yield f" ({problem.rstrip('.')})" if problem else ""
        yield ". What was recorded is shown as it is, and nothing is claimed."
        return
    yield " as in the recording, character for character."
    if run.run.losses:
        yield " The notes say what the recording lost."
    if changes := run.changes or run.run.rules:
        yield f" This is so with {listed(changes)}."


def _draw_explanations(file: OpenedFile, run: OpenedRun) -> None:
    """Draw what makes all prompts equal where one differs, each with a button that takes it."""
    if run.difference is None:
        return
    if not run.searches_at_once and not st.button(
        "Try other settings", icon=":material/search:", help="Nothing is sent."
    ):
        chunks, calls = counted(len(run.run.chunks), "chunk"), counted(len(run.run.calls), "call")
        small(
            f"Another overlap, padding or window may explain it. With {chunks} and {calls} trying"
            " them may take up to a minute."
        )
        return
    with st.spinner("Trying other settings; nothing is sent."):
        tried = run.search
    if isinstance(tried, str):
        box("Not all settings were tried.", tried)
    elif tried:
        _draw_fits(file, run, tried)
    else:
        box("No setting explains it.", say_unexplained(run.run))


def _draw_fits(file: OpenedFile, run: OpenedRun, found: Sequence[Fit]) -> None:
    named = [listed(fit.changes) for fit in found]
    if len(found) == 1:
        row = box(f"✓ Explained by {named[0]}.", "All prompts are then equal.")
    else:
        row = box(
            f"All prompts are equal with {' or with '.join(named)}.",
            "They can't tell which of these the application has.",
        )
    buttons = row.container(horizontal=True)
    for number, (fit, words) in enumerate(zip(found, named, strict=True)):
        buttons.button(
            f"Use {label_text(words)}",
            key=f"fit {number}",
            icon=":material/check:",
            type="secondary" if number else "primary",
            on_click=file.replace,
            args=(replace(run, run=fit.run, changes=fit.changes),),
        )


_BEFORE, _LENGTH = 160, 1_200
"""Characters that are shown before the first one that differs, and of both prompts in all."""


def _draw_difference(difference: Difference, tokenizer: Tokenizer) -> None:
    """Draw both prompts from where they differ, side by side."""
    recorded, computed = difference.recorded, difference.prompt
    if recorded is None or computed is None:
        who, other = "The recording", "the computed run"
        if recorded is None:
            who, other = "The computed run", "the recording"
        small(f"{who} makes a call {difference.number:,}; {other} does not. It begins:")
        _pane((recorded or computed or "")[:_LENGTH])
        return
    pairs = zip(recorded, computed, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    before = tokenizer.count(recorded[:same])
    section(f"Call {difference.number:,}, from token {before + 1:,} on")
    start = max(0, same - _BEFORE)
    diff = word_diff(recorded[start : start + _LENGTH], computed[start : start + _LENGTH])
    left, right = draw_columns("prompts", 1, 1)
    sides: tuple[tuple[DeltaGenerator, str, str, Change], ...] = (
        (left, "Recorded", recorded, "dropped"),
        (right, "Computed by this app", computed, "added"),
    )
    for column, label, text, own in sides:
        with column:
            section(f"{label} · {counted(tokenizer.count(text), 'token')}")
            before_it = "…" if start > 0 else ""
            after_it = "…" if len(text) > start + _LENGTH else ""
            _pane(before_it, *_side(diff, own), after_it)


def _side(diff: Diff, own: Change) -> Iterator[str]:
    for piece in diff.pieces:
        if piece.kind in ("kept", own):
            yield piece.text if piece.kind == "kept" else tag("ins", piece.text)


def _pane(*parts: str) -> None:
    st.html(tag("div.prompt.pane.compared", *parts, tabindex="0", dir="auto"))


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
        yield "tokens", f"{helper.tokenizer.counting}"
    yield "templates, variables", listed([*run.templates, *run.variables]) or "none"
    yield "chunks", f"{len(run.chunks):,}"
    yield "prompts, answers", f"{run.prompt_tokens:,} · {run.output_tokens:,} tokens"
    yield "recorded", f"{run.started:%d %B %Y, %H:%M} UTC"
