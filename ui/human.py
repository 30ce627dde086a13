"""You are the LLM: the prompts that wait, each with a place for its answer."""

from __future__ import annotations

import json
import time

import streamlit as st

from synth.errors import SynthError
from synth.llms import HumanLLM
from synth.llms.human import PendingPrompt
from synth.tokens import Tokenizer, get_tokenizer
from ui import workspace
from ui.safe import prompt_html
from ui.words import section, small

_NAME = "human"  # in the workspace: the model of the run that goes on
_LEFT_SECONDS = 3600  # without a look at the page


def begin(window: int, num_output: int, encoding: str) -> HumanLLM:
    """The model for a new run; an earlier one waits no longer."""
    values = workspace.current().values
    _close(values.get(_NAME))
    values[_NAME] = HumanLLM(window, num_output, encoding)
    return values[_NAME]


def tidy() -> None:
    """Let no run wait that was stopped, or whose person has left.

    Done whenever anybody's page is drawn; until then a waiting run is in nobody's way.
    """
    space = workspace.current()
    if space.job is None or not space.job.running:
        _close(space.values.pop(_NAME, None))
    oldest = time.monotonic() - _LEFT_SECONDS
    for other in list(workspace.registry().spaces.values()):
        if other.seen < oldest:
            _close(other.values.pop(_NAME, None))


def _close(model: HumanLLM | None) -> None:
    if model is not None:
        model.close()


def draw_waiting() -> None:
    """Every prompt that waits for an answer; nothing where no person is asked."""
    model: HumanLLM | None = workspace.current().values.get(_NAME)
    if model is None:
        return
    for question in model.waiting:
        _draw(question, get_tokenizer(model.metadata.encoding))


def _draw(question: PendingPrompt, tokenizer: Tokenizer) -> None:
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


def _key(question: PendingPrompt) -> str:
    return f"human_answer {question.number}"


def _send(question: PendingPrompt) -> None:
    text = st.session_state[_key(question)]
    if question.schema is not None:
        satisfied = st.session_state[f"human_yes {question.number}"]
        text = json.dumps({"query_satisfied": satisfied, "answer": text})
    try:
        workspace.current().values[_NAME].answer(question.number, text)
    except (KeyError, SynthError):  # sent from another tab, or the run has ended
        return
    st.session_state[_key(question)] = ""
