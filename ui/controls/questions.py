"""The question and those that were saved in this workspace; all inputs of the Playground."""

import streamlit as st

from ui.controls import chunks, modes, templates
from ui.look import scripts
from ui.look.scripts import REPORTS_TEXT
from ui.plans.page_inputs import PageInputs
from ui.session import keys, parts, workspace
from ui.settings import state

MOST_SAVED = 100  # questions


def draw(inputs: PageInputs) -> None:
    """Draw the heading with the menu of saved questions, and the question."""
    parts.part("saved questions", inputs, _questions, _draw_head)
    parts.part("question", inputs, _asks, _draw_box)


def _questions(inputs: PageInputs) -> tuple[str, tuple[str, ...]]:
    return inputs.settings.query_str, _saved()


def _asks(_: PageInputs) -> int:
    return int(st.session_state.get(keys.ASKS, 0))


def _draw_box(inputs: PageInputs, asks: int) -> None:
    """Draw the box of the question; it gets the focus if the page asks for a question."""
    with st.container(key=f"{REPORTS_TEXT}_question"):  # or a click on Run would come too early
        state.field(
            "query_str",
            inputs.place,
            widget="text_area",
            height=68,
            placeholder="Ask a question that the chunks can answer.",
            label_visibility="collapsed",
        )
        scripts.focus("query_str", asks)


def _draw_head(_: PageInputs, questions: tuple[str, tuple[str, ...]]) -> None:
    question, saved = questions
    with st.container(horizontal=True, vertical_alignment="center", key="question_head"):
        st.html('<div class="section">Question</div>', width="stretch")
        with st.popover("Saved", type="tertiary", icon=":material/bookmark:", key="saved"):
            if question in saved:
                st.button("Forget this question", on_click=_forget, width="stretch")
            elif question.strip() and len(saved) < MOST_SAVED:
                st.button("Save this question", on_click=_save, width="stretch")
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
    return workspace.value(keys.SAVED_QUESTIONS, ())


def _save() -> None:
    workspace.current().values[keys.SAVED_QUESTIONS] = (*_saved(), state.current().query_str)


def _forget() -> None:
    rest = tuple(question for question in _saved() if question != state.current().query_str)
    workspace.current().values[keys.SAVED_QUESTIONS] = rest


def _take() -> None:
    if (question := st.session_state["saved_question"]) is not None:
        st.session_state["saved_question"] = None
        state.update_and_rerun(query_str=question)


def draw_inputs(inputs: PageInputs) -> None:
    """Draw all inputs of the Playground but those in the sidebar."""
    draw(inputs)
    chunks.draw(inputs)
    modes.draw(inputs)
    templates.draw_on_page(inputs)
