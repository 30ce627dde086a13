"""The field for the key of an address, in the sidebar and in Compare."""

from __future__ import annotations

import streamlit as st

from ui.look.elements import small
from ui.settings import hosts


def draw(label: str, address: str) -> None:
    """Draw the field of this address, and say so if the key that was typed is another host's."""
    st.text_input(
        label,
        type="password",
        autocomplete="off",
        key=hosts.key_name(address),
        persist_state="session",
    )
    if words := hosts.said_of_key(address):
        small(words)
