"""The model in the menu of a page: its name, and all that belongs to it while the menu is open."""

import streamlit as st

from ui.controls import model_choice
from ui.look.markdown import label_text
from ui.plans.page_inputs import PageInputs
from ui.session import keys
from ui.settings import model
from ui.settings.schema import Settings


def draw(inputs: PageInputs) -> None:
    """Draw the name of the model, and its settings while it is open."""
    # To Streamlit a popover with another name is another one, which would be closed.
    st.session_state[keys.MODEL_OPEN] = st.session_state.get(keys.MODEL_OPEN, False)
    popover = st.popover(
        label_text(_name(inputs.settings)),
        icon=":material/circle:",
        key=keys.MODEL_OPEN,
        on_change="rerun",
    )
    if popover.open:
        with popover, st.container(key="model_contents"):
            model_choice.draw(inputs)


def _name(settings: Settings) -> str:
    kind = settings.model_kind
    return (model.name(settings) if kind.needs_address else "") or kind.label.split(",")[0]
