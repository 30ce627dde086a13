"""Sets of templates: take one that comes with the page or was saved, save, delete."""

from __future__ import annotations

import streamlit as st

from ui.look.elements import small
from ui.settings import state, template_texts

_MOST = 50  # sets in a workspace


def draw() -> None:
    """The menu."""
    with st.popover("Template sets", icon=":material/bookmarks:"):
        st.selectbox("Set", template_texts.names(), key="template_set")
        with st.container(horizontal=True):
            st.button("Use this set", on_click=_use)
            st.button(
                "Delete this set",
                key="delete_set",
                icon=":material/delete:",
                disabled=st.session_state["template_set"] not in template_texts.saved(),
                on_click=_delete,
            )
        st.text_input("Save the templates as", key="template_set_name", max_chars=80)
        full = len(template_texts.saved()) >= _MOST
        st.button("Save", key="save_set", disabled=full, on_click=_save)
        small("Sets stay in this workspace.")


def _use() -> None:
    state.take(**template_texts.values_of(st.session_state["template_set"]))


def _delete() -> None:
    template_texts.delete(st.session_state["template_set"])


def _save() -> None:
    name = st.session_state["template_set_name"].strip()
    if name and name not in template_texts.built_in():
        template_texts.save(name)
        st.session_state["template_set_name"] = ""
