"""The words of a figure: Plotly's texts of several lines, with parts in bold, as SVG."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from ui.look.picture.frame import Frame, short

Anchor = Literal["start", "middle", "end"]
Side = Literal["above", "on", "below"]
Kind = Literal["note", "tick", "word", "word inside", "plated"]
"""How much words matter: on a narrow page a word gives way to a tick, and both to a note.

A word inside a bar also gives way where the bar is narrower. Plated words go with their plate.
"""

_ROW = 1.5  # the height of a line that may be cut, in its size: no letter sticks out
_LINE = 1.3  # of the size of a font, from one line to the next
_BASE: Mapping[Side, float] = {"above": -0.5, "on": 0.35, "below": 0.8}
"""From the height of a text to its last, middle or first baseline, in its size."""
_LETTER = 0.52  # the width of a letter, as a part of the size
_SIDES: Mapping[str, Side] = {"top": "above", "middle": "on", "bottom": "below"}
_ANCHORS: Mapping[str, Anchor] = {"left": "end", "center": "middle", "right": "start"}
"""Plotly names where a text stands beside its point, SVG where the point is in the text."""
_NOTE_SIDES: Mapping[str, Side] = {"bottom": "above", "top": "below"}
_NOTE_ANCHORS: Mapping[str, Anchor] = {"left": "start", "right": "end"}
"""Of an annotation, Plotly too names the part of the text at which its point is."""


def plain(text: str) -> str:
    """A text of a figure without its tags, as HTML, with line ends for `<br>`."""
    return html.escape(html.unescape(re.sub("</?b>", "", text.replace("<br>", "\n"))))


def words(
    x: float,
    y: float,
    text: str,
    *,
    anchor: Anchor = "middle",
    side: Side = "on",
    kind: Kind = "word",
    size: float = 12,
    colour: str = "",
    shift: float = 0,
) -> str:
    """A text at `x` per cent and `y` pixels, moved to the right by `shift` pixels."""
    lines = list(_lines(text))
    before = {"above": len(lines) - 1, "on": (len(lines) - 1) / 2, "below": 0}[side]
    first = y + size * (_BASE[side] - _LINE * before)
    across = f' x="{short(x)}%"' + (f' dx="{short(shift)}"' if shift else "")
    rest = "".join(f'<tspan{across} dy="{_LINE}em">{line}</tspan>' for line in lines[1:])
    style = f' font-size="{short(size)}"' if size != 12 else ""
    style += f' fill="{colour}"' if colour else ""
    style += f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text class="{kind}"{across} y="{short(first)}"{style}>{lines[0]}{rest}</text>'


def _lines(text: str, tag: str = "tspan") -> Iterator[str]:
    """The lines of a text; `tag` is that of its bold parts."""
    bold = False
    for line in text.split("<br>"):
        parts = []
        for part in re.split("(</?b>)", line):
            if part in ("<b>", "</b>"):
                bold = part == "<b>"
            elif part:
                shown = html.escape(html.unescape(part), quote=False)
                parts.append(f'<{tag} class="bold">{shown}</{tag}>' if bold else shown)
        yield "".join(parts)


def text_trace(trace: Mapping[str, Any], frame: Frame) -> Iterator[str]:
    """The texts of a trace, each beside its point."""
    vertical, horizontal = trace["textposition"].split()
    font = trace["textfont"]
    colours = font["color"]
    for at, (x, y, text) in enumerate(zip(trace["x"], trace["y"], trace["text"], strict=True)):
        yield words(
            frame.x(x),
            frame.y(y),
            text,
            anchor=_ANCHORS[horizontal],
            side=_SIDES[vertical],
            size=font["size"],
            colour=colours if isinstance(colours, str) else colours[at],
        )


def note_words(note: Mapping[str, Any], frame: Frame) -> str:
    """An annotation, on its plate if it has one; one with a width is cut where that ends."""
    if not note["text"]:
        return ""
    if "width" in note:
        return _cut_words(note, frame)
    x, y = frame.point(note)
    shift = note.get("xshift", 0)
    size = note["font"]["size"]
    anchor = _NOTE_ANCHORS.get(note.get("xanchor", ""), "middle")
    side = _NOTE_SIDES.get(note.get("yanchor", ""), "on")
    fill = note.get("bgcolor")
    text = words(
        x,
        y,
        note["text"],
        anchor=anchor,
        side=side,
        kind="plated" if fill else "note",
        size=size,
        colour=note["font"]["color"],
        shift=shift,
    )
    if not fill:
        return text
    wide = _LETTER * size * len(html.unescape(plain(note["text"]))) + 2 * note["borderpad"] + 2
    left = shift - wide * {"start": 0, "middle": 0.5, "end": 1}[anchor]
    return (
        f'<g class="word inside"><rect x="{short(x)}%" y="{short(y - 0.6 * size)}"'
        f' width="{short(wide)}" height="{short(1.2 * size)}" fill="{fill}"'
        f' transform="translate({short(left)})"/>{text}</g>'
    )


def _cut_words(note: Mapping[str, Any], frame: Frame) -> str:
    """A line that begins at its point and is cut by its width, which stretches with the figure.

    SVG can't cut a text with an ellipsis, so this is HTML within it.
    """
    x, y = frame.point(note)
    font, (line,) = note["font"], _lines(note["text"], "span")
    size, height = font["size"], _ROW * font["size"]
    wide = frame.x(note["x"] + note["width"]) - x
    style = f"font-size: {short(size)}px; line-height: {short(height)}px; color: {font['color']}"
    return (
        f'<foreignObject x="{short(x)}%" y="{short(y - height / 2)}" width="{short(wide)}%"'
        f' height="{short(height)}"><div class="shortened" style="{style}">{line}</div>'
        "</foreignObject>"
    )
