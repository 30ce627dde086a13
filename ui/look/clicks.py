"""Clicks on our own HTML: Streamlit tells the server of clicks on its own elements alone."""

from collections.abc import Callable

import streamlit as st

from ui.look.scripts import javascript

_KEY = "clicks"
_component = st.components.v2.component("clicks_on_html", js=javascript("clicks"))


def clicks(clicked: Callable[[str], None]) -> str:
    """What the attribute `data-click` of the element says that was clicked; "" at other times.

    `clicked` gets it first, before anything is drawn. It comes from the browser, so check it.
    """

    def tell() -> None:
        clicked(str(st.session_state[_KEY]["clicked"]))

    found = _component(key=_KEY, on_clicked_change=tell, height=1)
    return str(found.clicked or "")
