"""The plan that an estimate would make, where it is another one: its bars, and what is wrong."""

import streamlit as st

from synth.html.escape import sentence_html
from synth.pictures.estimated import estimated_bars
from synth.pictures.shapes import BESIDE, shown
from synth.text.tokens import DEFAULT_ENCODING
from synth.text.wording import counted
from ui.look.elements import section
from ui.look.scripts import draw_picture
from ui.plans.estimated import Estimated
from ui.settings import state


def draw(found: Estimated) -> None:
    """Draw a few of its calls as long as they are for the model, and the way to that plan."""
    calls = counted(found.calls, "call")
    section(f"The same chunks by an estimate: {calls} planned with {DEFAULT_ENCODING}")
    rows, ends = zip(*found.shown, strict=True)
    pictures = [estimated_bars(rows, ends, width, found.reach) for width in BESIDE]
    draw_picture(shown(pictures), "estimated_bars")
    with st.container(
        border=True, horizontal=True, vertical_alignment="center", key="estimated_plan"
    ):
        st.html(sentence_html(found.sentence, "small"), width="stretch")
        st.button(
            "Show that plan",
            type="tertiary",
            icon=":material/arrow_forward:",
            key="show_estimated",
            on_click=state.take,
            kwargs={"tokenizer": DEFAULT_ENCODING},
        )
