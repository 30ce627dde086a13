"""What an answer was made of, in rows that open: the chunks, and the answer of each call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import streamlit as st

from synth.runs.calls import CallRecord
from synth.runs.coverage import ChunkCoverage
from synth.runs.trace import Trace
from synth.text.wording import counted
from ui.look.elements import section, small
from ui.look.rows import Row, rows_html
from ui.look.theme import INK, mixed
from ui.request.request import Request
from ui.text.cut_off import sends_chunks
from ui.trace.reads import reads
from ui.views.shared import RunView

_MOST = 60
"""Rows that are drawn. A chunk that is quoted always has one; the view Data has all chunks."""


def lights(quoted: Iterable[int]) -> str:
    """The styles that light the words of a chunk while a person points at its row."""
    page = ".st-key-two_answer"
    rules = (
        f"{page}:has(.from-{chunk}:is(:hover, :focus-within, [open])) .q-{chunk} .s-context"
        f" {{ background: {mixed('var(--context)', 0.62)}; }}\n"
        f"{page}:has(.q-{chunk}:hover) .from-{chunk}"
        f" {{ border-color: {INK}; box-shadow: inset 0 0 0 1px {INK}; }}"
        for chunk in quoted
    )
    return f"<style>{' '.join(rules)}</style>"


def chunks(view: RunView, trace: Trace, request: Request, quoted: Mapping[int, int] | None) -> None:
    """The chunks of a run; `quoted` has the words of the answer that stand in each of them.

    It is None where there is no answer that could quote one.
    """
    total = len(request.text_chunks)
    head = counted(total, "chunk")
    if quoted is not None:
        head = f"{len(quoted):,} of {head} {'is' if len(quoted) == 1 else 'are'} quoted"
    section(f"Sources · {head}")
    numbers = _shown(total, quoted or ())
    rows = view.remembered(
        "source rows", lambda: [_source(trace, request, number, quoted) for number in numbers]
    )
    st.html(rows_html(rows))
    if len(numbers) < total:
        small(f"and {total - len(numbers):,} more, which the view Data lists")


def _shown(total: int, quoted: Iterable[int]) -> list[int]:
    """The numbers of the chunks that have a row: those quoted, and the first of the others."""
    wanted = set(quoted)
    room = max(0, _MOST - len(wanted))
    others = [number for number in range(1, min(total, _MOST) + 1) if number not in wanted]
    return sorted(wanted.union(others[:room]))


def _source(trace: Trace, request: Request, number: int, quoted: Mapping[int, int] | None) -> Row:
    words = (quoted or {}).get(number, 0)
    score = request.scores[number - 1]
    place = (
        ""
        if score is None
        else f"chunk {request.positions[number - 1] + 1} of the list, score {score:.2f}"
    )
    notes = [counted(words, "word") if words else "not quoted"] if quoted is not None else []
    if sends_chunks(trace):
        notes += _missing(trace.coverage[number - 1], ended=trace.response is not None)
    return Row(
        "context",
        f"{number}",
        request.text_chunks[number - 1],
        note=" · ".join(notes),
        detail=place,
        muted=quoted is not None and not words,
        mark=f"from-{number}",
    )


def _missing(chunk: ChunkCoverage, ended: bool) -> list[str]:
    """What is missing of a chunk, in words; nothing if all of it was sent.

    Before the run has `ended`, the rest may still be sent.
    """
    if not chunk.lost_tokens:
        return []
    word = "cut off" if ended else "not sent yet"
    return [word if chunk.lost_tokens == chunk.tokens else f"partly {word}"]


def calls(view: RunView, trace: Trace) -> None:
    """What each call answered; nothing if the only call gave the answer itself."""
    if len(trace.calls) < 2:
        return
    section("What each call answered")
    shown = trace.calls[:_MOST]
    rows = view.remembered("call rows", lambda: [_call(call) for call in shown])
    st.html(rows_html(rows))
    if len(shown) < len(trace.calls):
        small(f"and {len(trace.calls) - len(shown):,} more, which the view Calls lists")


def _call(call: CallRecord) -> Row:
    note = counted(call.output_tokens, "token")
    if call.answer is None:
        note = "stopped" if call.stopped else "failed"
    elif not call.satisfied:
        note = "filtered"
    text = call.answer or call.error or ""
    return Row("answer", f"{call.number}", text, note, reads(call, brief=True), not call.answer)
