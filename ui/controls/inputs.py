"""What a person gives, at the left of the Playground: the question; chunks, templates, limits."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from synth.html.escape import help_of
from synth.modes.base import PLANNED_CALLS
from synth.modes.registry import MODES
from ui.controls import chunks, templates
from ui.controls.chunks import Shown
from ui.look import scripts
from ui.look.elements import button_row, section, small
from ui.look.scripts import REPORTS_TEXT
from ui.plans.plan_range import PageInputs
from ui.session import keys, parts
from ui.settings import state
from ui.settings.schema import MOST_TOKENS, SHOWN, TOKENIZERS, Settings

CHUNKS, _TEMPLATES, _LIMITS = "Chunks", "Templates", "Limits"
"""What can be shown below the question."""


def draw_inputs(inputs: PageInputs, shown: Shown) -> None:
    """Draw the question, and below it what the switch says; the chunks, beside the run shown."""
    small("Retrieval found the chunks. Now they must become one answer.")
    draw_question(inputs)
    parts.part("panel", inputs, _panel, partial(_draw_panel, shown))


def _panel(_: PageInputs) -> str:
    """The panel that is shown: to change it draws nothing else."""
    return str(st.session_state.get(keys.INPUTS, CHUNKS))


def _draw_panel(shown: Shown, inputs: PageInputs, _: str) -> None:
    draws: dict[str, Callable[[PageInputs], None]] = {
        CHUNKS: partial(chunks.draw, shown=shown),
        _TEMPLATES: templates.draw_on_page,
        _LIMITS: draw_limits,
    }
    chosen = button_row("What goes in", list(draws), keys.INPUTS, width="stretch")
    with st.container(key="given"):
        draws[chosen](inputs)


def draw_question(inputs: PageInputs) -> None:
    """Draw the box of the question."""
    parts.part("question", inputs, _asks, _draw_box)


def _asks(_: PageInputs) -> int:
    return int(st.session_state.get(keys.ASKS, 0))


def _draw_box(inputs: PageInputs, asks: int) -> None:
    """Draw the box of the question; it gets the focus if the page asks for a question."""
    with st.container(key=f"{REPORTS_TEXT}_question"):  # or a click on Run would come too early
        state.field(
            "query_str",
            inputs.settings,
            widget="text_area",
            height=68,
            placeholder="Ask a question that the chunks can answer.",
            label_visibility="collapsed",
        )
        scripts.focus("query_str", f"asked {asks}" if asks else "")


_TERMS = {"context_window": "context window", "num_output": "answer length"}


def draw_limits(inputs: PageInputs) -> None:
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
        _draw_more(settings)


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
            draw_slider(f"{name}_slider", name, size, 1, most)


def draw_slider(key: str, name: str, value: int, least: int, most: int) -> None:
    """Draw a slider that changes a setting."""
    # With another end a slider is another one, at its least value until it is given one.
    st.session_state.pop(key, None)
    kept = state.bind(key, value, _slide, key, name)
    st.slider(SHOWN[name].label, least, most, label_visibility="collapsed", **kept)


def _slide(key: str, name: str) -> None:
    state.update(**{name: st.session_state[key]})
    parts.redraw_changed()


def _draw_more(settings: Settings) -> None:
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
    section("Stop a run at")
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
