"""The boxes of the words on a figure, in pixels, by an estimate of how wide letters are."""

import re
from itertools import combinations
from typing import NamedTuple

LETTER = 0.5
"""The width of a letter, as a share of the font's size; Source Sans has digits of 0.497."""


class TextBox(NamedTuple):
    text: str
    left: float
    right: float
    top: float
    bottom: float

    def meets(self, other):
        """Whether both have a place in common."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


def text_boxes(figure, width):
    """A box for each text of a trace or annotation of the figure, at its width in pixels."""
    layout = figure["layout"]
    margin, (x0, x1), (y0, y1) = (
        layout["margin"],
        layout["xaxis"]["range"],
        layout["yaxis"]["range"],
    )
    across = width - margin["l"] - margin["r"]
    down = layout["height"] - margin["t"] - margin["b"]

    def place(x, y):
        return margin["l"] + (x - x0) / (x1 - x0) * across, margin["t"] + (y1 - y) / (
            y1 - y0
        ) * down

    for trace in figure["data"]:
        if trace["type"] == "scatter" and trace["mode"] == "text":
            vertical, horizontal = trace["textposition"].split()
            for x, y, text in zip(trace["x"], trace["y"], trace["text"], strict=True):
                size = trace["textfont"]["size"]
                yield _box(place(x, y), text, size, horizontal, vertical)
    for note in layout["annotations"]:
        paper = note.get("xref") == "paper"
        x, y = place(x0 if paper and not note["x"] else x1 if paper else note["x"], note["y"])
        anchored = {"right": "left", "left": "right"}.get(note.get("xanchor"), "center")
        above = {"bottom": "top", "top": "bottom"}.get(note.get("yanchor"), "middle")
        at = (x + note.get("xshift", 0), y)
        yield _box(at, note["text"], note["font"]["size"], anchored, above)


def _box(at, text, size, horizontal, vertical):
    lines = [re.sub("<.*?>", "", line) for line in text.split("<br>")]
    wide, high = max(map(len, lines)) * size * LETTER, 1.15 * size * len(lines)
    x, y = at
    left = {"left": x - wide, "center": x - wide / 2, "right": x}[horizontal]
    top = {"top": y - high, "middle": y - high / 2, "bottom": y}[vertical]
    return TextBox(text, left, left + wide, top, top + high)


def collisions(figure, width):
    """The pairs of words that lie on each other, and the words that leave the figure."""
    boxes = [box for box in text_boxes(figure, width) if box.text]
    pairs = [(one.text, other.text) for one, other in combinations(boxes, 2) if one.meets(other)]
    outside = [box.text for box in boxes if box.left < 0 or box.right > width]
    return pairs + outside
