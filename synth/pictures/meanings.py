"""What the colours of pictures and prompts mean; the colours are variables of CSS."""

from collections.abc import Mapping
from typing import NamedTuple

from synth.prompts.kinds import VALUES, SpanKind


class SpanMeaning(NamedTuple):
    """A meaning: its label, a short one for narrow places, and whether its boxes are hatched."""

    label: str
    short: str
    hatched: bool = False


_PLAIN = (SpanKind.FRAME, SpanKind.TEMPLATE, SpanKind.QUERY, SpanKind.CONTEXT)
MEANINGS: Mapping[str, SpanMeaning] = {
    kind: SpanMeaning(kind.label, kind.short, kind not in _PLAIN)
    for kind in (SpanKind.FRAME, SpanKind.TEMPLATE, *VALUES)
} | {
    "reasoning": SpanMeaning("reasoning", "reasoning", hatched=True),
    "reasoning_room": SpanMeaning("room for reasoning", "reasoning", hatched=True),
    "reserved": SpanMeaning("room for the answer", "room", hatched=True),
    "padding": SpanMeaning("safety margin", "margin", hatched=True),
    "free": SpanMeaning("free", "free"),
    "lost": SpanMeaning("cut off", "cut off", hatched=True),
    "unread": SpanMeaning("cut by the server", "cut by server", hatched=True),
}
"""Every meaning in the order of the budget bar; `lost` and `unread` text is in no bar."""

FATES = {"context": "sent once", "twice": "sent twice", "unread": MEANINGS["unread"].label}
"""What became of text of a chunk, in words; those for what was lost are the picture's."""
