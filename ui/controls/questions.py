"""The question, and the questions that were saved in this workspace."""

from __future__ import annotations

import streamlit as st

from ui.look import scripts
from ui.session import keys, parts, workspace
from ui.settings import state

_MOST = 100  # saved questions


def draw() -> None:
    """Draw the question, a button to save it, and a menu of the saved questions."""
    st.text_area(
        "Question",
        value=state.setting("question").default,
        height=68,
        placeholder="Ask a question that the chunks can answer.",
        help="Ctrl+Enter applies the question and shows its plan. Outside of text fields,"
        " Ctrl+Enter starts a run.",
        **state.widget("question"),
    )
    scripts.focus("question", st.session_state.pop(keys.ASKS, False))
    parts.part("saved questions", lambda: (state.get("question"), _saved()), _draw_saved)


def _draw_saved(questions: tuple[str, tuple[str, ...]]) -> None:
    question, saved = questions
    with st.container(horizontal=True, vertical_alignment="center", key="questions"):
        if question in saved:
            st.button("Forget this question", type="tertiary", on_click=_forget)
        elif question.strip() and len(saved) < _MOST:
            st.button("Save this question", type="tertiary", on_click=_save)
        if saved:
            st.selectbox(
                "Saved questions",
                saved,
                index=None,
                placeholder=f"Saved questions: {len(saved):,}",
                label_visibility="collapsed",
                key="saved_question",
                on_change=_take,
            )


def _saved() -> tuple[str, ...]:
    saved: tuple[str, ...] = workspace.current().values.get(keys.SAVED_QUESTIONS, ())
    return saved


def _save() -> None:
    workspace.current().values[keys.SAVED_QUESTIONS] = (*_saved(), state.get("question"))


def _forget() -> None:
    rest = tuple(question for question in _saved() if question != state.get("question"))
    workspace.current().values[keys.SAVED_QUESTIONS] = rest


def _take() -> None:
    if (question := st.session_state["saved_question"]) is not None:
        st.session_state["saved_question"] = None
        state.take(question=question)
