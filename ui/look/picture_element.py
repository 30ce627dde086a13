"""A picture on a page: it says what the pointer is on, and tells of clicks.

Streamlit takes SVG out of its own HTML, so this is a component. It keeps its place on the page
when the picture changes, and only the SVG is replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from ui.look.escape import escape
from ui.look.picture import Picture

Clicked = Callable[[Any], None]

# A title is taken out of the SVG before it is shown, or the browser would show it once more.
_JS = """export default ({data, parentElement, setTriggerValue}) => {
  parentElement.innerHTML = new TextDecoder().decode(data)
  const says = parentElement.appendChild(document.createElement("div"))
  says.className = "says"
  says.hidden = true
  parentElement.onpointermove = ({target, clientX, clientY}) => {
    const title = target.querySelector(":scope > title")
    if (title) {
      target.says = title.textContent
      title.remove()
    }
    says.hidden = !target.says
    if (says.hidden) return
    const [first, ...rest] = target.says.split("\\n")
    says.textContent = rest.length ? "\\n" + rest.join("\\n") : first
    if (rest.length) says.prepend(Object.assign(document.createElement("b"), {textContent: first}))
    const {width, height} = says.getBoundingClientRect()
    const below = clientY + 16 + height < innerHeight
    says.style.left = `${Math.max(4, Math.min(clientX + 12, innerWidth - width - 4))}px`
    says.style.top = `${below ? clientY + 16 : clientY - height - 10}px`
  }
  parentElement.onpointerleave = () => { says.hidden = true }
  parentElement.onclick = ({target}) => {
    if (target.dataset.mark) setTriggerValue("clicked", target.dataset.mark)
  }
}"""
_component = st.components.v2.component("picture", js=_JS, isolate_styles=False)
_NAMES = ("wide", "middle", "narrow")


def draw_picture(
    pictures: Sequence[Picture], key: str, alt: str, clicked: Clicked | None = None
) -> None:
    """Put a picture on the page, or one each for several widths, of which that with room is shown.

    `alt` describes it for people who can't see it. `clicked` gets the customdata (Plotly's
    word) of the bar that was clicked.
    """
    names = _NAMES if len(pictures) > 1 else ("",)
    label = escape(alt)
    html = "".join(
        f'<div class="figure {name}" role="img" aria-label="{label}">{one.svg}</div>'
        for name, one in zip(names, pictures, strict=True)
    )
    if clicked is None:
        _component(key=key, data=f'<div class="pictures">{html}</div>'.encode())
        return

    def tell() -> None:
        name = st.session_state[key]["clicked"]
        for one in pictures:
            if name in one.marks:
                clicked(one.marks[name])

    clickable = f'<div class="pictures clickable">{html}</div>'
    _component(key=key, data=clickable.encode(), on_clicked_change=tell)
