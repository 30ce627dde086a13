"""The JavaScript of the pages, for what Streamlit can't do: Ctrl+Enter in text fields, the focus.

Streamlit presses a button with the shortcut Ctrl+Enter even while somebody types in a text
field, where the same keys mean "take this text". It reports a text area only when somebody
leaves it or presses these keys. It never moves the focus.
"""

from __future__ import annotations

from time import monotonic_ns

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.look.page_script import FOLLOW

TAKES_TEXT = "takes_text"
"""The key of a container whose first button Ctrl+Enter presses in its text fields."""

REPORTS_TEXT = "reports_text"
"""What the key of a container begins with whose text area reports its text while one types."""

_YEAR = 365 * 24 * 3600  # seconds

# Streamlit's fields listen below the body and its shortcuts above it, so the event ends here
# after the field has read it. Handlers are set as properties since a page may set them again.
_TEXT_FIELDS = f"""{{
  const enter = {{key: "Enter", ctrlKey: true, bubbles: true}};
  let pause;
  document.body.onkeydown = (event) => {{
    const keys = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (!keys || !event.target.matches(":read-write")) return;
    event.stopPropagation();
    if (event.isTrusted)
      event.target.closest(".st-key-{TAKES_TEXT}")?.querySelector(".stButton button")?.click();
  }};
  document.body.oninput = (event) => {{
    const area = event.target.closest("[class*=st-key-{REPORTS_TEXT}] textarea");
    if (!area || event.isComposing) return;
    clearTimeout(pause);
    pause = setTimeout(() => area.dispatchEvent(new KeyboardEvent("keydown", enter)), 300);
  }};
}}"""


def text_fields() -> None:
    """Let Ctrl+Enter in a text field take the text and press no button of the page."""
    _run(_TEXT_FIELDS)


def follow() -> None:
    """Say what changes in the page, keep the focus in it, and the words of figures apart."""
    _run(FOLLOW)


def keep_cookie(name: str, value: str, pattern: str) -> None:
    """Keep a value in a cookie for a year from now; one of this pattern that is there stays."""
    found = rf"document.cookie.match(/(?:^|; ){name}=({pattern})(?:;|$)/)?.[1]"
    lasts = f"path=/; max-age={_YEAR}; SameSite=Lax"
    secure = 'location.protocol === "https:" ? "; Secure" : ""'
    _run(f'document.cookie = `{name}=${{{found} ?? "{value}"}}; {lasts}` + ({secure})')


def focus(key: str, now: bool) -> None:
    """Move the focus into the text area with this key, if it is to be moved now."""
    with _place(f"focus_{key}"):  # drawn in any case, so that what follows stays where it is
        if now:
            # A browser runs the same script only once: the number makes it another one.
            _run(f'document.querySelector(".st-key-{key} textarea")?.focus() // {monotonic_ns()}')


def focus_once(key: str, name: str) -> None:
    """Move the focus into the text area with this key, once for each name.

    A browser runs the same script only once, however often it is drawn.
    """
    with _place("focus_once"):
        area = f'document.querySelector(".st-key-{key} textarea")'
        _run(f"{area}?.focus({{preventScroll: true}}) // {name}")


def _place(name: str) -> DeltaGenerator:
    """A container that takes no room; it stands in one whose text area reports its text."""
    return st.container(key=f"script_{name}")


def _run(code: str) -> None:
    st.html(f"<script>{code}</script>", unsafe_allow_javascript=True)
