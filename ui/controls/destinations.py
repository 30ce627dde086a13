"""Where chunks would go: the question about hosts that nobody chose here, and their keys."""

from collections.abc import Sequence

import streamlit as st

from ui.look.elements import box, small
from ui.look.markdown import label_text
from ui.settings import hosts
from ui.settings.schema import Settings


def draw(several: Sequence[Settings], key: str) -> None:
    """Name the hosts that the person has yet to agree to, with one button for all of them.

    Where there are none, say what keeps all of these settings from being sent.
    """
    if origins := hosts.unconfirmed(several):
        names = ", ".join(map(hosts.shown, origins))
        box(
            f"Runs would send your text to {names}.",
            "You did not choose this in this session: it came with the workspace, or with a link.",
        ).button(
            f"Send to {label_text(names)}",
            key=f"send_to {key}",
            icon=":material/outgoing_mail:",
            on_click=hosts.confirm,
            args=origins,
        )
    elif all(missing := [hosts.why_not(settings) for settings in several]):
        box("Nothing can be sent yet.", missing[0])


def draw_key(label: str, address: str) -> None:
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
