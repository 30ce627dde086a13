"""The limits: the window and the length of answers, how texts are cut, what a run may use."""

import streamlit as st

from synth.html.escape import help_of
from synth.modes.base import PLANNED_CALLS
from synth.modes.registry import MODES
from ui.look.elements import section
from ui.plans.plan_range import PageInputs
from ui.session import parts
from ui.settings import state
from ui.settings.schema import MOST_TOKENS, SHOWN, TOKENIZERS, Settings

_TERMS = {"context_window": "context window", "num_output": "answer length"}


def draw(inputs: PageInputs) -> None:
    """Draw all limits of a run: those of a call, what a run may use, and what the text goes by."""
    settings = inputs.settings
    parts.part("limits", inputs, _sizes, _draw_sizes)
    if MODES[inputs.settings.mode].filters:
        state.field(
            "structured_answer_filtering",
            settings,
            help="Each call says, in JSON by a schema, whether its text answers the question."
            " Answers that do not are dropped.",
        )
    with st.expander("More limits", key="more_limits"):
        _limits(settings)
        section("Stop a run at")
        _cap(settings)


def _sizes(inputs: PageInputs) -> dict[str, tuple[int, int]]:
    """The limits that a handle in the picture changes as well, and how far their sliders go."""
    window, answer = inputs.settings.context_window, inputs.settings.num_output
    text = len("".join(inputs.request.text_chunks).encode()) // 4  # tokens, more or less
    widest = 1 << (max(window, text + answer, 2) - 1).bit_length()
    return {
        "context_window": (window, min(widest, MOST_TOKENS)),
        "num_output": (answer, max(window // 2, answer, 2)),
    }


def _draw_sizes(inputs: PageInputs, sizes: dict[str, tuple[int, int]]) -> None:
    with st.container(key="sizes"):
        for name, (size, most) in sizes.items():
            state.field(name, inputs.settings, help=help_of(_TERMS[name]))
            # With another end a slider is another one, at its least value until it is given one.
            st.session_state.pop(f"{name}_slider", None)
            kept = state.bind(f"{name}_slider", size, _slide, name)
            st.slider(SHOWN[name].label, 1, most, label_visibility="collapsed", **kept)


def _slide(name: str) -> None:
    state.update(**{name: st.session_state[f"{name}_slider"]})
    parts.redraw_changed()


def _limits(settings: Settings) -> None:
    margin = "Refine and compact keep it in each prompt: if empty, none; under llama_index 500."
    state.field("response_padding_size", settings, help=f"{help_of('safety margin')} {margin}")
    state.field("chunk_overlap_ratio", settings, "slider", step=0.01, help=help_of("overlap"))
    state.field("chunk_size_limit", settings, help=help_of("chunk size limit"))
    choices = dict.fromkeys([*TOKENIZERS, settings.tokenizer])
    state.field("tokenizer", settings, options=list(choices), help=help_of("tokenizer"))
    state.field(
        "count_factor",
        settings,
        step=0.01,
        help="Each count is taken so many times, rounded up: for a server that counts more than"
        " the tokenizer. A run says by how much.",
    )


def _cap(settings: Settings) -> None:
    left, right = st.columns(2, gap="small")
    with left:
        state.field(
            "cap_calls",
            settings,
            placeholder=f"{PLANNED_CALLS:,}",
            help="Requests: one that is sent again counts again. If empty, a run stops after"
            f" {PLANNED_CALLS:,}, and after as many more each time it goes on.",
        )
    with right:
        state.field("cap_tokens", settings)
