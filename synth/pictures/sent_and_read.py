"""One call whose prompt its server cut: what was sent, by our count, and what was read of it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from synth.pictures.meanings import MEANINGS
from synth.pictures.shapes import Anchor, Box, Path, Picture, Text
from synth.pictures.words import fitting
from synth.runs.budget import Budget
from synth.text.wording import Bold

_LEFT, _RIGHT, _TOP, _BAR, _APART, _BOTTOM = 82, 112, 26, 30, 15, 6  # pixels
_AROUND = 12  # pixels beside words in a bar
_FAR = 1.3  # times the server's window, from which on that of the page has a line too

Parts = Sequence[tuple[str, float]]
"""Kinds of text in the order of a bar, each with its tokens."""


class Cutting(NamedTuple):
    """What a server did to a prompt: the tokens `sent`, by its own count, those `kept`, its window.

    `unread` are about the tokens of each kind of text that it cut off, by our count.
    """

    sent: int
    kept: int
    window: int
    unread: Mapping[str, int]


def sent_and_read(budget: Budget, cutting: Cutting, width: int) -> Picture:
    """Two bars on one scale, with the server's window and the planned one, which `budget` has."""
    sent, kept, window, unread = cutting
    scale = sent / max(1, budget.prompt)
    parts = [(kind, tokens * scale) for kind, tokens in budget.parts.items() if tokens]
    left = [(kind, (tokens - unread.get(kind, 0)) * scale) for kind, tokens in budget.parts.items()]
    read = [("unread", float(sent - kept)), *((kind, rest) for kind, rest in left if rest > 0)]
    end = max(sent + budget.reserved, window, budget.window)
    alt = f"{sent:,} tokens were sent, {kept:,} were read: the first {sent - kept:,} were cut."
    height = _TOP + 2 * _BAR + _APART + _BOTTOM
    picture = Picture(width, height, alt, (0, end * 1.002), _LEFT, _RIGHT)
    over = [Bold(f"{sent:,}"), " tokens", "\n", Bold(f"▲ {sent - window:,} over")]
    _bar(picture, "sent", [*parts, ("reserved", float(budget.reserved))], over, _TOP)
    _bar(picture, "read", read, [Bold(f"{kept:,}"), " tokens"], _TOP + _BAR + _APART)
    lines = [(window, "the server's window"), (budget.window, "this page's")]
    for at, words in lines if budget.window > _FAR * window else lines[:1]:
        anchor: Anchor = "end" if at > end / 2 else "start"
        picture.add(Path([[(at, _TOP - 5), (at, _TOP + _BAR + 5)]], "rule"))
        picture.add(Text(at, _TOP - 12, [f"{words} ", Bold(f"{at:,}")], anchor=anchor))
    return picture


def _bar(picture: Picture, name: str, parts: Parts, total: list[str], top: float) -> None:
    middle, start, words = top + _BAR / 2, 0.0, []
    for kind, tokens in parts:
        end, meaning = start + tokens, MEANINGS[kind]
        picture.add(Box(start, end, top, _BAR, f"k-{kind}", f"{meaning.label} {tokens:,.0f}"))
        choices = (f"{meaning.label} {tokens:,.0f}", f"{tokens:,.0f}")
        if text := fitting(choices, tokens / picture.pixel - _AROUND):
            plate = "plate " * meaning.hatched
            words.append(Text((start + end) / 2, middle, text, f"{plate}on-{kind}"))
        start = end
    picture.add(*words, Text(picture.ends[1], middle, total, "", "end", _RIGHT - 2, 13))
    picture.name(middle, name, size=13)
