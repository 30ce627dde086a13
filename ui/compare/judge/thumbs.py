"""The answers to one question without their names, in shuffled order, each with a thumb."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import streamlit as st

from synth.trace import Trace
from ui.compare.analysis.judgements import Answers, Thumbs
from ui.look.elements import section, small
from ui.look.escape import answer_html
from ui.session import keys, workspace

_TALLEST = 260  # pixels of an answer, beyond which it scrolls
_LONG = 700  # characters


def draw(question: str, traces: Sequence[Trace | None]) -> None:
    """Each different answer once; nothing tells which column gave it."""
    answers = {trace.response for trace in traces if trace is not None and trace.response}
    shuffled = sorted(answers, key=lambda answer: _key(workspace.current().id, question, answer))
    if not shuffled:
        small("There is no answer to this question yet.")
        return
    with st.container(key="two_blind"):
        containers = st.columns(len(shuffled), gap="medium")
    for number, (answer, container) in enumerate(zip(shuffled, containers, strict=True), 1):
        with container, st.container(border=True):
            section(f"Answer {number}")
            long = len(answer) > _LONG
            with st.container(height=_TALLEST if long else "content", border=False):
                st.html(answer_html(answer))
            _thumb(question, answer)


def given(questions: Sequence[str], answers: Answers) -> Thumbs:
    """The thumbs of all answers, by question and column."""
    thumbs = _thumbs()
    return [
        [
            thumbs.get(_key(question, trace.response)) if trace and trace.response else None
            for trace in traces
        ]
        for question, traces in zip(questions, answers, strict=True)
    ]


def _thumb(question: str, answer: str) -> None:
    name = _key(question, answer)
    key = f"blind {name}"
    if key not in st.session_state and name in _thumbs():
        st.session_state[key] = int(_thumbs()[name])
    st.feedback("thumbs", key=key, on_change=_store, args=(key, name))


def _store(key: str, name: str) -> None:
    thumb: int | None = st.session_state[key]
    thumbs = {other: up for other, up in _thumbs().items() if other != name}
    workspace.current().values[keys.BLIND_THUMBS] = (
        thumbs if thumb is None else thumbs | {name: bool(thumb)}
    )


def _thumbs() -> dict[str, bool]:
    thumbs: dict[str, bool] = workspace.current().values.get(keys.BLIND_THUMBS, {})
    return thumbs


def _key(*texts: str) -> str:
    """A short name of texts, under which nobody can read them."""
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:20]
