"""The documents and calls of a recording of which nothing is computed."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from synth.runs.calls import CallRecord
from synth.schema import NodeWithScore
from synth.text.wording import counted, duration
from synth.traces import ImportedRun
from ui.look.elements import section, small
from ui.look.rows import Row, rows_html

_MOST = 60
"""Rows that are drawn."""


def draw(run: ImportedRun) -> None:
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
