"""A picture on a page: it says what the pointer is on, and tells of clicks.

Streamlit takes SVG out of its own HTML, so this is a component. It keeps its place on the page
when the picture changes, and only the SVG is replaced.
"""

from __future__ import annotations

import json
from collections.abc import Callable

import streamlit as st

from synth.pictures.shapes import HATCHES, Click, Shown

Clicked = Callable[[Click], None]

# The hatches stand in the app, so that they have its colours, and once: where one is hidden, no
# picture has it. A title is taken out of the SVG before it is shown, or the browser would show it once more.
_JS = """export default ({data, parentElement, setTriggerValue}) => {
  if (!document.getElementById("hatches"))
    document.querySelector(".stApp").insertAdjacentHTML("beforeend", HATCHES)
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
_component = st.components.v2.component(
    "picture", js=f"const HATCHES = {json.dumps(HATCHES)}\n{_JS}", isolate_styles=False
)


def draw_picture(shown: Shown, key: str, clicked: Clicked | None = None) -> None:
    """Put a picture on the page, or one each for several widths, of which that with room is seen.

    `clicked` gets what the box tells that was clicked.
    """
    if clicked is None:
        _component(key=key, data=f'<div class="pictures">{shown.html}</div>'.encode())
        return

    def tell() -> None:
        click = shown.clicks.get(st.session_state[key]["clicked"])
        if click is not None:
            clicked(click)

    html = f'<div class="pictures clickable">{shown.html}</div>'
    _component(key=key, data=html.encode(), on_clicked_change=tell)
