"""The limits: the window and the length of answers, how texts are cut, what a run may use."""

import streamlit as st

from synth.errors import SynthError
from synth.html.glossary import help_of
from synth.modes.base import PLANNED_CALLS
from synth.modes.registry import MODES
from synth.text.tokens import FILE, read_name
from ui.look.elements import error_box, section, small
from ui.plans.page_inputs import PageInputs
from ui.session import browser, keys, parts
from ui.settings import model, state
from ui.settings.records import read_tokenizer
from ui.settings.schema import SHOWN
from ui.settings.state import Place


def draw(inputs: PageInputs) -> None:
    """Draw all limits of a run: those of a call, what a run may use, and what the text goes by."""
    here = inputs.place
    parts.part("limits", inputs, _window_and_answer, _draw_window_and_answer)
    _limits(here)
    section("Stop a run at")
    _cap(here)
    if MODES[inputs.settings.mode].filters:
        state.field(
            "structured_answer_filtering",
            here,
            help="Each call says, in JSON by a schema, whether its text answers the question."
            " Answers that do not are dropped.",
        )


def _window_and_answer(inputs: PageInputs) -> tuple[int, int]:
    """The limits that a handle in the picture changes as well."""
    return inputs.settings.context_window, inputs.settings.num_output


def _draw_window_and_answer(inputs: PageInputs, _: tuple[int, int]) -> None:
    state.field("context_window", inputs.place, help=help_of("context window"))
    state.field("num_output", inputs.place, help=help_of("answer length"))


def _limits(here: Place) -> None:
    margin = "Refine and compact keep it in each prompt: if empty, none; under llama_index 500."
    state.field("response_padding_size", here, help=f"{help_of('safety margin')} {margin}")
    state.field("chunk_overlap_ratio", here, "slider", step=0.01, help=help_of("overlap"))
    state.field("chunk_size_limit", here, help=help_of("chunk size limit"))
    choices = dict.fromkeys([*SHOWN["tokenizer"].choices, here.settings.tokenizer])
    state.field("tokenizer", here, options=list(choices), help=help_of("tokenizer"))
    state.field(
        "count_factor",
        here,
        step=0.01,
        help="Each count is taken so many times, rounded up: for a server that counts more than"
        " the tokenizer. A run says by how much.",
    )
    if browser.is_own_machine():
        kind, name = read_name(here.settings.tokenizer)
        shown = name if kind == FILE else ""
        st.text_input(
            "Path of a tokenizer.json",
            placeholder="the model's own file",
            **state.bind("tokenizer_path", shown, _take_path),
        )
        if problem := st.session_state.pop(keys.TOKENIZER_PROBLEM, None):
            error_box("It was not taken.", problem)


def _take_path() -> None:
    """Have the tokenizer.json at the typed path count; an empty one is the model's own again."""
    path = st.session_state["tokenizer_path"].strip()
    try:
        if path:
            read_tokenizer(path)
    except SynthError as problem:
        st.session_state[keys.TOKENIZER_PROBLEM] = str(problem)
        return
    state.update_and_rerun(tokenizer=f"{FILE} {path}" if path else "")


def _cap(here: Place) -> None:
    left, right = st.columns(2, gap="small")
    with left:
        state.field(
            "cap_calls",
            here,
            placeholder=f"{PLANNED_CALLS:,}",
            help="Requests: one that is sent again counts again. If empty, a run stops after"
            f" {PLANNED_CALLS:,}, and after as many more each time it goes on.",
        )
    with right:
        state.field("cap_tokens", here)
    if here.settings.model_kind.is_free:
        return
    state.field("cap_dollars", here, format="%.4f")
    if here.settings.cap_dollars is not None and model.price(here.settings) is None:
        small(
            "The price of this model is unknown, so a cap in dollars can't be checked, and no run"
            " starts. Cap tokens instead."
        )
