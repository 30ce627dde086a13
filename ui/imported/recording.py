"""What a recording holds: its settings, documents and calls; a run that only its trace can show."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import streamlit as st

from synth.errors import SynthError
from synth.html.markup import Html, pairs, tag
from synth.modes.registry import MODES, mode_class
from synth.runs.calls import CallRecord
from synth.schema import NodeWithScore
from synth.text.wording import counted, duration, listed, short
from synth.traces import ImportedRun
from ui.imported.opened_file import OpenedFile, OpenedRun, OtherMode
from ui.look.elements import (
    Row,
    error_box,
    rows_html,
    section,
    small,
)
from ui.settings.schema import MOST_TOKENS

_MEASURES = ("calls", "prompt tokens", "tokens cut off")
_LETTERS = 240  # of a question
_PADDING = 500  # tokens, LlamaIndex's own


def draw(file: OpenedFile, run: OpenedRun) -> None:
    """Draw the settings, what was read, and the notes on the recording."""
    if run.run.mode in MODES and run.run.calls:
        _settings(file, run)
    section("What was read from it")
    st.html(pairs(_read(run.run)))
    if run.run.notes:
        section("Notes on this recording")
        for note in run.run.notes:
            small(note)


def _settings(file: OpenedFile, run: OpenedRun) -> None:
    section("Settings of this run")
    helper, key = run.run.helper, f"import {run.form}"
    window, overlap = helper.context_window, helper.chunk_overlap_ratio
    padding = _PADDING if run.run.padding is None else run.run.padding
    shown = (window, overlap, padding)
    with st.container(border=True, gap="xsmall"):
        left, middle, right = st.columns(3, gap="small")
        most = max(MOST_TOKENS, window)
        window = left.number_input("Window", 1, most, window, key=f"{key} window")
        overlap = middle.number_input("Overlap", 0.0, 1.0, overlap, 0.05, key=f"{key} overlap")
        if mode_class(run.run.mode).filters:
            padding = right.number_input("Padding", 0, most, padding, key=f"{key} padding")
        small("They begin with what the trace says, or with LlamaIndex's defaults.")
    if (window, overlap, padding) == shown:
        return
    try:
        other = run.run.with_helper(context_window=window, chunk_overlap_ratio=overlap)
    except SynthError as problem:
        error_box("These settings can't be used.", str(problem))
        return
    if mode_class(run.run.mode).filters:
        other = replace(other, padding=padding)
    file.replace(OpenedRun(other, form=run.form))
    st.rerun()


def _read(run: ImportedRun) -> Iterator[tuple[str, str]]:
    yield "question", short(run.query, _LETTERS)
    if run.response is not None:
        yield "answer", short(run.response, _LETTERS)
    yield "mode", run.mode + " · filtering" * run.filtering + " · streamed" * run.streaming
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
        kind = " as a chat" if len(template.message_templates) > 1 else ""
        beside = " measured as its text" if template.default_template is not None else ""
        yield f"{name}{kind}{',' * bool(kind and beside)}{beside}"


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


_MOST = 60
"""Rows that are drawn."""


def draw_documents(run: ImportedRun) -> None:
    """Draw the documents with their ids and scores, in rows that open."""
    section(f"The documents · {len(run.chunks):,}")
    if not run.chunks:
        small("The trace has none.")
    st.html(rows_html(_document(number, one) for number, one in enumerate(run.chunks[:_MOST], 1)))
    _more(len(run.chunks))


def draw_calls(run: ImportedRun) -> None:
    """Draw the prompt and the answer of each call, in rows that open."""
    section(f"The recorded calls · {len(run.calls):,}")
    st.html(rows_html(row for call in run.calls[:_MOST] for row in _call(call)))
    _more(len(run.calls))


def _more(count: int) -> None:
    if count > _MOST:
        small(f"and {count - _MOST:,} more")


def _document(number: int, chunk: NodeWithScore) -> Row:
    note = "" if chunk.score is None else f"score {chunk.score:.2f}"
    return Row("context", f"{number}", chunk.text, note, chunk.node.id_[:12])


def _call(call: CallRecord) -> Iterator[Row]:
    number, tokens = f"{call.number}", counted(call.sent_tokens, "token")
    yield Row("answer", number, call.prompt.text, tokens, "prompt", muted=True)
    note = f"{counted(call.output_tokens, 'token')} · {duration(call.seconds)}"
    yield Row("answer", number, call.answer or call.error or "", note, "answer")


def draw_other_modes(run: OpenedRun) -> None:
    """Draw the recorded run above the plans of other modes, on one scale for each measure."""
    if run.why_not_held is not None:
        return
    section("The same input in other modes, computed; nothing is sent")
    st.html(_html(run.other_modes))
    tokens = counted(run.mean_answer, "token")
    small(f"Planned with answers of {tokens}, the mean of those recorded.")


def _html(rows: Sequence[OtherMode]) -> Html:
    most = [max(row.numbers[at] for row in rows if row.numbers) for at in range(len(_MEASURES))]
    heads = (tag("b.head", name) for name in _MEASURES)
    body = (cell for at, row in enumerate(rows) for cell in _row(row, most, recorded=not at))
    return tag("div.same-input.num", tag("span"), *heads, *body)


def _row(row: OtherMode, most: Sequence[int], *, recorded: bool) -> Iterator[Html]:
    yield tag("b" if recorded else "span", row.label)
    if row.problem:
        yield tag("span.muted.wide", row.problem)
        return
    for at, number in enumerate(row.numbers):
        yield _cell(number, most[at], _MEASURES[at], recorded)


def _cell(number: int, most: int, measure: str, recorded: bool) -> Html:
    style = "i.bar" + ".k-lost" * (measure == _MEASURES[-1]) + ".recorded" * recorded
    width = 100 * number / most if most else 0
    bar = tag(style, style=f"width: {width:.1f}%") if number else ""
    return tag("span.cell", tag("span.scale", bar), tag("b", f"{number:,}"))
