"""Clicks on our own HTML: Streamlit tells the server of clicks on its own elements alone."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

_KEY = "clicks"
_JS = """export default ({setTriggerValue}) => {
  const tell = (event) => {
    const found = event.target.closest("[data-click]")
    if (found) setTriggerValue("clicked", found.dataset.click)
  }
  document.addEventListener("click", tell)
  return () => document.removeEventListener("click", tell)
}"""
_component = st.components.v2.component("clicks_on_html", js=_JS)


def clicks(clicked: Callable[[str], None]) -> str:
    """What the attribute `data-click` of the element says that was clicked; "" at other times.

    `clicked` gets it first, before anything is drawn. It comes from the browser, so check it.
    """

    def tell() -> None:
        clicked(str(st.session_state[_KEY]["clicked"]))

    found = _component(key=_KEY, on_clicked_change=tell, height=1)
    return str(found.clicked or "")
