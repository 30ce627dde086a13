"""The page where what was received is not for everybody: the field of the token."""

import streamlit as st

from synth.html.escape import sentence_html
from synth.text.wording import Bold
from ui.look.elements import error_box, lead, small
from ui.pages.live.empty import draw_way_to_import
from ui.received import whose

_FIELD = "live_token"


def draw() -> None:
    """Draw the field, or how a server begins to receive."""
    with lead():
        words = [Bold("What applications send is not for everybody. "), "It is their users' text."]
        st.html(sentence_html(words, "headline"), width="stretch")
    small("Live follows running LlamaIndex applications: each synthesis, as its calls are made.")
    if not whose.has_token():
        small(
            "This server takes no spans: it runs for others than its own user, and has no token."
            f" Whoever starts it sets {whose.TOKEN}; whoever has this token can send spans and see"
            " them."
        )
        draw_way_to_import()
        return
    with st.form("live_token_form", width=420):
        given = st.text_input("Token", type="password", key=_FIELD, autocomplete="off")
        entered = st.form_submit_button("Enter", type="primary")
    if entered and whose.enter(given):
        st.rerun()
    if entered:
        error_box("This is not the token.", f"It is in {whose.TOKEN} of the server.")
