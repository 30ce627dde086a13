"""A scene as HTML, where the browser chooses the wording of each label that has room.

It is the same on a page, where it can be touched, and in a report or a notebook.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from synth.pictures.scene import Handle, Label, RowName, Scene, Words
from synth.pictures.svg import escape_text, shapes_svg
from synth.text.wording import Bold

_FIRST_WIDE = "\u1100"  # from here on letters are as wide as high: Hangul, Chinese, emoji
_LONGEST = 40
"""Letters of the longest wording for which a label asks whether it has room."""

ROOM = "\n".join(
    f"@container (width < {0.54 * count + 0.5:.2f}em) {{ .label .w{count} {{ display: none; }} }}\n"
    f"@container (width >= {0.54 * count + 0.5:.2f}em) {{ .label .w{count} ~ span"
    " { display: none; } }"
    for count in range(1, _LONGEST + 1)
)
"""The rules by which a label shows the first of its wordings that has room."""


class PageScene(NamedTuple):
    """A scene as an element, its handles, and the texts that the pointer shows, by their hashes."""

    html: str
    texts: Mapping[str, str]
    handles: tuple[Handle, ...] = ()


def page_scene(scene: Scene) -> PageScene:
    """Return a scene that can be touched."""
    return PageScene(scene_html(scene, scene.handles), scene.texts, tuple(scene.handles))


def scene_html(scene: Scene, handles: Sequence[Handle] = ()) -> str:
    """Write a scene with these handles; `ROOM` and the styles of pictures lay it out."""
    named, alt = " named" if scene.rows else "", escape_text(scene.alt)
    return (
        f'<div class="scene{named}" style="height:{scene.height:.5g}px">'
        f'<div role="img" aria-label="{alt}">{"".join(map(_row_name, scene.rows))}'
        f'<div class="drawing" aria-hidden="true"><svg width="100%" height="{scene.height:.5g}">'
        f"{shapes_svg(scene)}</svg>{''.join(map(_label, scene.labels))}</div></div>"
        f'<div class="handles">{"".join(map(_handle, handles))}</div></div>'
    )


def letters(words: Words) -> int:
    """Return the letters of the longest line; those that are as wide as high count twice."""
    text = words if isinstance(words, str) else "".join(words)
    lines = text.split("\n")
    return max(len(line) + sum(letter >= _FIRST_WIDE for letter in line) for line in lines)


def _label(label: Label) -> str:
    left, right = max(label.left, 0), min(label.right, 100)
    spans = "".join(
        f'<span class="w{min(letters(words), _LONGEST)}">{_inline(words)}</span>'
        for words in label.wordings
    )
    kind = f"label {label.align} {label.kind}".strip()
    return (
        f'<div class="{kind}" style="left:{left:.5g}%;width:{right - left:.5g}%;'
        f'top:{label.middle:.5g}px">{spans}</div>'
    )


_HANDLES = {
    "window": "Context window, in tokens",
    "answer": "Answer length, in tokens",
    "lens": "First call under the lens",
}


def _handle(handle: Handle) -> str:
    """What can be dragged; the page hides it where nothing listens."""
    return (
        f'<div class="handle {handle.name}" role="slider" tabindex="0"'
        f' aria-label="{_HANDLES[handle.name]}" aria-valuemin="1" aria-valuenow="{handle.value}"'
        f' data-handle="{handle.name}" data-origin="{handle.origin:.6g}"'
        f' data-scale="{handle.scale:.6g}" style="left:{handle.x:.5g}%;top:{handle.top:.5g}px;'
        f'height:{handle.height:.5g}px"><i></i><output></output></div>'
    )


def _row_name(row: RowName) -> str:
    detail = f"<span>{escape_text(row.detail)}</span>" if row.detail else ""
    name = f"<b>{escape_text(row.name)}</b>{detail}"
    return f'<div class="row-name" style="top:{row.middle:.5g}px">{name}</div>'


def _inline(words: Words) -> str:
    parts: Sequence[str] = (words,) if isinstance(words, str) else words
    return "".join(
        f"<b>{_lines(part)}</b>" if isinstance(part, Bold) else _lines(part) for part in parts
    )


def _lines(text: str) -> str:
    return escape_text(text).replace("\n", "<br>")
