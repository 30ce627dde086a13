"""The words on the timeline: how long each call took, and what the signs mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from synth.calls import CallRecord
from ui.figures.flow.draw import silent
from ui.figures.timeline.rows import GAP, Rows
from ui.look.theme import Look, note


def label_traces(rows: Rows, look: Look) -> list[dict[str, Any]]:
    """How long each call took: on its bar, or where that is too short, behind it."""
    calls = list(enumerate(rows.trace.calls))
    colours = {"critical": look.paper, "other": look.paint("template").label}
    inside = [(at, call) for at, call in calls if rows.fits(call)]
    behind = [(at, call) for at, call in calls if not rows.fits(call)]
    return [
        _texts(rows, inside, [call.started for _, call in inside])
        | {"textfont": {"size": 12, "color": [colours[rows.kind(call)] for _, call in inside]}},
        _texts(rows, behind, [call.started + rows.width(call) for _, call in behind])
        | {"textfont": {"size": 12, "color": look.ink}},
    ]


def _texts(
    rows: Rows, calls: Sequence[tuple[int, CallRecord]], starts: Sequence[float]
) -> dict[str, Any]:
    xs = [rows.shown(start + GAP * rows.pixel) for start in starts]
    return silent("text", xs, [at for at, _ in calls]) | {
        "text": [rows.label(call) for _, call in calls],
        "textposition": "middle right",
        "cliponaxis": False,
    }


def key_note(rows: Rows, look: Look) -> dict[str, Any]:
    """What the ink and the signs mean, over the first row."""
    kinds = {rows.kind(call) for call in rows.trace.calls}
    words = [
        f"{'light' if look.dark else 'dark'}: the critical path" if len(rows.critical) > 1 else "",
        "↺ there already" if "recalled" in kinds else "",
        "✕ no answer" if "failed" in kinds else "",
    ]
    text = " · ".join(filter(None, words))
    return note(look, 0, -0.6, text, xanchor="left", yanchor="bottom")
