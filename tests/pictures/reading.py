"""What a picture says: its words, its boxes, and where its words would meet."""

from itertools import combinations
from typing import NamedTuple

from synth.pictures.shapes import Label, Picture
from synth.pictures.words import wide


def words(picture: Picture) -> list[str]:
    """Everything that is written on it, in order."""
    return [text.plain for text in picture.texts if text.plain]


def boxes(picture: Picture, kind: str):
    """Its boxes of this kind, which may have more classes than one."""
    return [box for box in picture.boxes if set(kind.split()) <= set(box.kind.split())]


def clicks(picture: Picture):
    """What a click on each of its boxes tells."""
    return [box.click for box in picture.boxes if box.click]


class Space(NamedTuple):
    """Where words stand, in pixels."""

    words: str
    left: float
    right: float
    top: float
    bottom: float

    def meets(self, other) -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


def space(picture: Picture, text: Label) -> Space:
    """The place of a text in a picture that is as narrow as it may be."""
    x = picture.left + (text.x - picture.ends[0]) / picture.pixel + text.shift
    long = wide(text.plain, text.size)
    high = 1.15 * text.size * (text.plain.count("\n") + 1)
    left = x - long * {"start": 0, "middle": 0.5, "end": 1}[text.anchor]
    top = text.y - high * {"above": 1, "on": 0.5, "below": 0}[text.side]
    return Space(text.plain, left, left + long, top, top + high)


def collisions(picture: Picture) -> list:
    """The pairs of words that lie on each other, and the words that leave the picture."""
    spaces = [space(picture, text) for text in picture.texts if text.plain]
    met = [(one.words, other.words) for one, other in combinations(spaces, 2) if one.meets(other)]
    return met + [one.words for one in spaces if one.left < -1 or one.right > picture.width + 1]
