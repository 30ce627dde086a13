"""A link to the settings: without the workspace, which would give everything in it away."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from ui.look.elements import small
from ui.session import parts
from ui.settings import state


def draw() -> None:
    """The link, with the button of a code block to copy it."""
    parts.part("link", shared, _draw)


def _draw(link: str) -> None:
    with st.expander("Link to these settings", key="link"):
        st.code(link, language=None, wrap_lines=True)
        small("Mode, limits and behaviour; no text, no key, and not this workspace.")


def shared() -> str:
    """The page's address with every setting that a link may hold and that was changed."""
    address = (st.context.url or "").partition("?")[0]
    changed = {
        name: state.get(name)
        for name, setting in state.SETTINGS.items()
        if setting.kept == "url" and state.get(name) != setting.default
    }
    return f"{address}?{urlencode(changed)}" if changed else address
