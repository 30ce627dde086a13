"""The JavaScript of the pages: what they ask of `page.js`, pictures, the list of chunks, clicks."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import streamlit as st
from annotated_types import Ge, MaxLen
from pydantic import TypeAdapter, ValidationError

from synth.html.markup import Html
from synth.pictures.scene import Scene, Target
from synth.pictures.scene_writer import HATCHES, scene_html

TAKES_TEXT = "takes_text"
"""The key of a container whose first button Ctrl+Enter presses in its text fields."""

REPORTS_TEXT = "reports_text"
"""What the key of a container begins with whose text area reports its text while one types."""


@cache
def _javascript(name: str) -> str:
    return (Path(__file__).parent / f"{name}.js").read_text("utf-8")


_page = st.components.v2.component("page", js=_javascript("page"), isolate_styles=False)


def follow_page() -> None:
    """Mend what Streamlit does to the focus, to presses, to the history and to text fields."""
    _page(key="page_script")


_scheme = st.components.v2.component("scheme", js=_javascript("scheme"), isolate_styles=False)


def follow_scheme() -> None:
    """Draw the page again when the browser switches between light and dark beside a chart."""
    _scheme(key="scheme", on_scheme_change=lambda: None)


def free_the_arrows() -> None:
    """Take the focus from a switch that was clicked: it would handle arrows and Enter itself."""
    _call("freeTheArrows")


def focus(key: str, name: str, keeps_scroll: bool = False) -> None:
    """Move the focus into the text area with this key, once for each name that is not empty."""
    _call("focus", key, keeps_scroll, name)


def _call(function: str, *arguments: str | bool) -> None:
    """Call a function of `page.js`, once the element is drawn and whenever its arguments change.

    Its container takes no room; it stands in one whose text area reports its text.
    """
    with st.container(key=f"script_{function}_{'_'.join(map(str, arguments[:1]))}"):
        _page(key=f"{function} {arguments[:1]}", data=[function, *arguments])


_CLICKS = "clicks"
_clicks = st.components.v2.component("clicks_on_html", js=_javascript("clicks"))


def clicks(clicked: Callable[[str], None]) -> str:
    """Return what `data-click` of the element says that was clicked; "" at other times.

    `clicked` gets it first, before anything is drawn. It comes from the browser, so check it.
    """

    def tell() -> None:
        clicked(str(st.session_state[_CLICKS]["clicked"]))

    found = _clicks(key=_CLICKS, on_clicked_change=tell, height=1)
    return str(found.clicked or "")


Clicked = Callable[[Target], None]


class Moved(NamedTuple):
    """What was dragged: the "window" or the "answer" to so many tokens, the "lens" or a chunk."""

    what: str
    to: int
    number: int = 0


_MARK = re.compile("(chunk|call) ([0-9]{1,9})")
_MOVED = re.compile("(window|answer|lens|chunk ([0-9]{1,9})) ([0-9]{1,9})")
_scene = st.components.v2.component(
    "picture",
    js=f"const HATCHES = {json.dumps(HATCHES)};\n{_javascript('picture')}",
    isolate_styles=False,
)


def draw_scene(
    scene: Scene,
    key: str,
    clicked: Clicked | None = None,
    moved: Callable[[Moved], None] | None = None,
) -> None:
    """Put a picture on the page.

    `clicked` gets the target of what was clicked in it, `moved` what was dragged. Both come from
    the browser: whoever takes them checks the numbers.
    """
    clickable = "" if clicked is None else " clickable"
    movable = "" if moved is None else " movable"
    drawing = scene_html(scene, touched=True)
    html = f'<div class="pictures{clickable}{movable}">{drawing}</div>'

    def tell_click() -> None:
        mark = _MARK.fullmatch(str(st.session_state[key].get("clicked")))
        if mark is not None and clicked is not None:
            clicked((mark[1], int(mark[2])))

    def tell_move() -> None:
        found = _MOVED.fullmatch(str(st.session_state[key].get("moved")))
        if found is not None and moved is not None:
            moved(Moved(found[1].split(" ")[0], int(found[3]), int(found[2] or 0)))

    _scene(
        key=key,
        data={"html": html, "texts": dict(scene.texts), "movable": moved is not None},
        on_clicked_change=tell_click,
        on_moved_change=tell_move,
    )


MOST_EDITED = 100_000
"""The most characters of a text that is edited in the list of chunks."""


class Act(NamedTuple):
    """What was done to the chunk at a place, from 0.

    `value` is its text, where it goes, or after how many characters it is split.
    """

    what: Literal["open", "close", "switch", "delete", "move", "edit", "split"]
    at: Annotated[int, Ge(0)]
    value: Annotated[int, Ge(0)] | Annotated[str, MaxLen(MOST_EDITED)] = 0


_ACTS = TypeAdapter(list[Act])
_ROWS = "chunk_list"
_chunk_list = st.components.v2.component(
    "chunk_list", js=_javascript("chunks"), isolate_styles=False
)


def draw_chunk_list(
    html: Html,
    numbers: Sequence[tuple[int, int | None]],
    did: Callable[[Sequence[Act]], None],
) -> None:
    """Put the list of chunks on the page; `did` gets what a person does in it, in turn.

    `numbers` are the place of each row, and the number as which its chunk is sent, if it is. What
    comes from the browser is no promise: whoever takes a place checks that there is such a chunk.
    """

    def tell() -> None:
        try:
            acts = _ACTS.validate_python(st.session_state[_ROWS].get("done"))
        except ValidationError:  # our script tells no such thing
            return
        did(acts)

    _chunk_list(key=_ROWS, data={"html": html, "numbers": list(numbers)}, on_done_change=tell)


def mark_chunks(marks: Mapping[str, Any]) -> None:
    """Show in the list what has changed without a change of its rows."""
    _chunk_list(key="chunk_marks", data=dict(marks))
