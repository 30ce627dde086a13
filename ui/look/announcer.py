"""The JavaScript that says aloud what changed, and finds the focus again when it is lost.

Streamlit has no way to do either: it replaces the button that was pressed by another one, which
leaves the focus at the page as a whole, and a status that comes with its own element is not read.
"""

from __future__ import annotations

import streamlit as st

REGION = "announcements"
"""The id of the element whose text a screen reader says when it changes."""

# The observer is made once in a document; pages are changed without a new document.
_SCRIPT = f"""<script>
if (!document.getElementById("{REGION}")) {{
  const main = '[data-testid=stMain]';
  const region = document.body.appendChild(document.createElement("div"));
  region.id = "{REGION}";
  region.setAttribute("role", "status");
  let focused = null, said = null, pause;
  const say = (text) => {{
    if (said !== null) region.textContent = text;
    said = text;
  }};
  const find = () => {{
    const stop = document.querySelector(".st-key-stop_button button");
    const target = stop ?? document.querySelector(`${{main}} :is(.lede, h1)`);
    if (target && !stop) target.tabIndex = -1;
    target?.focus({{preventScroll: true}});
  }};
  const follow = () => {{
    const text = document.querySelector(`${{main}} .lede`)?.innerText;
    if (text && text !== said) say(text);
    const lost = focused !== null && !focused.isConnected;
    if (lost && document.activeElement === document.body) find();
  }};
  document.addEventListener("focusin", (event) => {{ focused = event.target; }});
  document.addEventListener("focusout", (event) => setTimeout(() => {{
    if (event.target === focused && focused.isConnected && document.hasFocus()) focused = null;
  }}));
  new MutationObserver(() => {{
    clearTimeout(pause);
    pause = setTimeout(follow, 250);
  }}).observe(document.body, {{childList: true, subtree: true, characterData: true}});
}}
</script>"""


def draw() -> None:
    """Follow the sentence of the page with the ears, and keep the focus in the page."""
    with st.container(key="announcer"):
        st.html(_SCRIPT, unsafe_allow_javascript=True)
