"""What the colours of pictures and prompts mean; the colours are variables of CSS."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from synth.span_kinds import VALUES, SpanKind


class Sign(NamedTuple):
    """The signs of a meaning beside its colour: whether its boxes are hatched, and an underline."""

    hatched: bool = False
    underline: str = ""


class Meaning(NamedTuple):
    """A meaning: its label, a short label for a narrow place, and its sign beside colour."""

    label: str
    short: str
    sign: Sign = Sign()


_LIKE_A_VARIABLE = Sign(True, "2px dotted")
_SIGNS = {
    SpanKind.TEMPLATE: Sign(),
    SpanKind.QUERY: Sign(underline="3px solid"),
    SpanKind.CONTEXT: Sign(underline="2px solid"),
    SpanKind.ANSWER: Sign(True, "2px dashed"),
}
MEANINGS: Mapping[str, Meaning] = MappingProxyType(
    {
        kind: Meaning(kind.label, kind.short, _SIGNS.get(kind, _LIKE_A_VARIABLE))
        for kind in (SpanKind.TEMPLATE, *VALUES)
    }
    | {
        "reserved": Meaning("room for the answer", "room", Sign(True)),
        "padding": Meaning("safety margin", "margin", Sign(True)),
        "free": Meaning("free", "free"),
        "lost": Meaning("cut off", "cut off", Sign(True)),
    }
)
"""Every meaning in the order of the budget bar; `lost` text is in no bar."""

SEGMENTS = tuple(meaning for meaning in MEANINGS if meaning != "lost")
"""The meanings that add up to a call's window."""
