"""You are the LLM: the prompts that wait, each with a place for its answer."""

from __future__ import annotations

import json

import streamlit as st

from synth.llms.human import Question
from synth.tokens import Tokenizer, get_tokenizer
from ui.look.elements import section, small
from ui.look.escape import prompt_html
from ui.run import person


def draw() -> None:
    """Every prompt that waits for an answer; nothing where no person is asked."""
    model = person.current()
    if model is None:
        return
    for question in model.waiting:
        _draw(question, get_tokenizer(model.metadata.encoding))


def _draw(question: Question, tokenizer: Tokenizer) -> None:
    section(f"Prompt {question.number} waits for your answer")
    with st.container(border=True):
        st.html(prompt_html(question.prompt, tokenizer=tokenizer))
    if question.schema is not None:
        small("Its answer is read as JSON: say whether this text answers the question.")
        st.checkbox("It answers the question", value=True, key=f"human_yes {question.number}")
    st.text_area(f"Your answer to prompt {question.number}", key=_key(question), height=110)
    st.button(
        f"Send answer {question.number}",
        icon=":material/send:",
        type="primary",
        on_click=_send,
        args=(question,),
    )


def _key(question: Question) -> str:
    return f"human_answer {question.number}"


def _send(question: Question) -> None:
    text = st.session_state[_key(question)]
    if question.schema is not None:
        satisfied = st.session_state[f"human_yes {question.number}"]
        text = json.dumps({"query_satisfied": satisfied, "answer": text})
    if person.answer(question.number, text):
        st.session_state[_key(question)] = ""
