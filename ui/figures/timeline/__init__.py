"""The timeline: calls over time, and the longest chain, which decided how long the run took."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from synth.times import TimelineFacts
from synth.trace import Trace
from synth.wording import counted, duration
from ui.figures.flow.draw import scatter
from ui.figures.flow.view import box_marker
from ui.figures.timeline.rows import BOTTOM, GAP, LEFT, RIGHT, TOP, CallRows, Kind
from ui.look.theme import INK, Figure, base_figure, marker, note

_HOVER_ENDS: dict[Kind, str] = {
    "other": "",
    "critical": ", on the longest chain",
    "failed": ", without an answer",
    "reused": " originally; the answer was reused",
}


def timeline_figure(trace: Trace, width: int = 880, beginning: str = "Run") -> Figure:
    """One bar per call over the seconds since the `beginning` of the run; `width` in pixels.

    A click gives ("call", number) as `customdata`.
    """
    rows = CallRows(trace, width - LEFT - RIGHT)
    count = len(trace.calls)
    step = 1 if rows.words else 10 if count <= 200 else 50
    ticks = [at for at in range(count) if at == 0 or (at + 1) % step == 0]
    unit = "seconds" if rows.unit == "s" else "milliseconds"
    bars = [_bars(rows, kind) for kind in _HOVER_ENDS]
    return base_figure(
        TOP + BOTTOM + rows.row * count,
        (LEFT, RIGHT, TOP, BOTTOM),
        [
            *_longest_chain(rows),
            *(trace for trace in bars if trace["x"]),
        ],
        barmode="overlay",
        bargap=0.34 if rows.words else 0.1,
        annotations=[_legend_note(rows), *(_time_notes(rows) if rows.words else ())],
        xaxis={
            "range": [0, rows.in_unit(rows.end + GAP * rows.pixel)],
            "showgrid": True,
            "ticksuffix": f" {rows.unit}",
            "nticks": 10 if width > 700 else 4,
            "tickangle": 0,
            "title": {"text": f"{unit} since {beginning}"},
        },
        yaxis={
            "range": [count - 0.4, -0.6],
            "tickvals": ticks,
            "ticktext": [rows.names[at] for at in ticks],
            "tickfont": {"size": 12, "color": INK},
        },
    )


def _bars(rows: CallRows, kind: Kind) -> dict[str, Any]:
    calls = [(at, call) for at, call in enumerate(rows.trace.calls) if rows.kind(call) == kind]
    return {
        "type": "bar",
        "orientation": "h",
        "y": [at for at, _ in calls],
        "x": [rows.in_unit(rows.width(call)) for _, call in calls],
        "base": [rows.in_unit(call.started) for _, call in calls],
        "width": 0.66 if rows.words else 0.9,
        "marker": _marker(kind),
        "customdata": [["call", call.number] for _, call in calls],
        "hovertext": [
            f"call {call.number}, started at {duration(call.started)}<br>"
            f"{duration(call.seconds)}{_HOVER_ENDS[kind]}"
            for _, call in calls
        ],
    }


def _marker(kind: Kind) -> dict[str, Any]:
    if kind == "critical":
        return {"color": INK, "line": {"color": INK, "width": 1}}
    if kind == "failed":
        return box_marker("reserved", "failed", 1)
    return marker("template" if kind == "other" else "free")


def _longest_chain(rows: CallRows) -> list[dict[str, Any]]:
    """The longest chain as one dotted line behind the bars."""
    calls = [(at, call) for at, call in enumerate(rows.trace.calls) if call.number in rows.critical]
    steps = list(pairwise(sorted(calls, key=lambda row: row[1].started)))
    if not steps:
        return []
    starts = [rows.in_unit(after.started) for _, (_, after) in steps]
    xs = [x for start in starts for x in (start, start, None)]
    ys = [y for (above, _), (below, _) in steps for y in (above, below, None)]
    line = {"color": INK, "width": 1.5, "dash": "2px,2px"}
    return [scatter("lines", xs, ys) | {"line": line}]


def _time_notes(rows: CallRows) -> list[dict[str, Any]]:
    """The time that each call took, at the right."""
    position = {"xref": "paper", "xanchor": "right", "xshift": RIGHT - 2}
    return [
        note(1, at, rows.label(call), color=INK, **position)
        for at, call in enumerate(rows.trace.calls)
    ]


def _legend_note(rows: CallRows) -> dict[str, Any]:
    """The meaning of the ink and of the signs, over the first row."""
    kinds = {rows.kind(call) for call in rows.trace.calls}
    entries = [
        "strong colour: the longest chain" if {"critical", "other"} <= kinds else "",
        "↺ reused" if "reused" in kinds else "",
        "✕ no answer" if "failed" in kinds else "",
    ]
    text = " · ".join(filter(None, entries))
    return note(0, -0.6, text, xanchor="left", yanchor="bottom")


def timeline_alt(trace: Trace, facts: TimelineFacts) -> str:
    """The timeline in one sentence, for those who can't see it."""
    calls = counted(len(trace.calls), "call")
    return f"Timeline of {calls}. {''.join(facts.sentence)}"
