"""The timeline: calls over time, and the critical path that decided how long it took."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from synth.trace import Trace
from synth.wording import counted, duration
from ui.figures.flow.view import paint
from ui.figures.timeline.labels import key_note, label_traces
from ui.figures.timeline.rows import BOTTOM, GAP, LEFT, RIGHT, TOP, Kind, Rows
from ui.look.theme import Figure, Look, base_figure, marker
from ui.trace.timeline import TimelineFacts, timeline_facts

__all__ = ["TimelineFacts", "timeline_alt", "timeline_facts", "timeline_figure"]

_KINDS: dict[Kind, str] = {
    "other": "",
    "critical": ", on the critical path",
    "failed": ", without an answer",
    "recalled": " when it was asked for; now it was there already",
}


def timeline_figure(trace: Trace, look: Look, width: int = 880) -> Figure:
    """A bar a call over the seconds of the run; `width` in pixels.

    A click gives ("call", number) as `customdata`.
    """
    rows = Rows(trace, width - LEFT - RIGHT)
    count = len(trace.calls)
    step = 1 if rows.words else 10 if count <= 200 else 50
    ticks = [at for at in range(count) if at == 0 or (at + 1) % step == 0]
    bars = [_bars(rows, kind, look) for kind in _KINDS]
    return base_figure(
        look,
        TOP + BOTTOM + rows.row * count,
        (LEFT, RIGHT, TOP, BOTTOM),
        [
            *(trace for trace in bars if trace["x"]),
            *(label_traces(rows, look) if rows.words else ()),
        ],
        barmode="overlay",
        bargap=0.34 if rows.words else 0.1,
        annotations=[key_note(rows, look)],
        shapes=_path(rows, look),
        xaxis={
            "range": [0, rows.shown(rows.end + GAP * rows.pixel)],
            "showgrid": True,
            "ticksuffix": f" {rows.unit}",
            "nticks": 10 if width > 700 else 6,
            "title": {"text": f"{'seconds' if rows.unit == 's' else 'milliseconds'} since Run"},
        },
        yaxis={
            "range": [count - 0.4, -0.6],
            "tickvals": ticks,
            "ticktext": [rows.names[at] for at in ticks],
            "tickfont": {"size": 12, "color": look.ink},
        },
    )


def _bars(rows: Rows, kind: Kind, look: Look) -> dict[str, Any]:
    found = [(at, call) for at, call in enumerate(rows.trace.calls) if rows.kind(call) == kind]
    return {
        "type": "bar",
        "orientation": "h",
        "y": [at for at, _ in found],
        "x": [rows.shown(rows.width(call)) for _, call in found],
        "base": [rows.shown(call.started) for _, call in found],
        "width": 0.66 if rows.words else 0.9,
        "marker": _marker(kind, look),
        "customdata": [["call", call.number] for _, call in found],
        "hovertext": [
            f"call {call.number}, from {duration(call.started)} on<br>"
            f"{duration(call.seconds)}{_KINDS[kind]}"
            for _, call in found
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "unselected": {"marker": {"opacity": 1}},
    }


def _marker(kind: Kind, look: Look) -> dict[str, Any]:
    if kind == "critical":
        return {"color": look.ink, "line": {"color": look.ink, "width": 1}}
    if kind == "failed":
        return paint(look, "reserved", "failed", 1)
    return marker(look, "template" if kind == "other" else "free")


def _path(rows: Rows, look: Look) -> list[dict[str, Any]]:
    """The critical path as one dotted line behind the bars."""
    calls = [(at, call) for at, call in enumerate(rows.trace.calls) if call.number in rows.critical]
    steps = pairwise(sorted(calls, key=lambda row: row[1].started))
    lines = (
        f"M{rows.shown(after.started)},{above}V{below}" for (above, _), (below, after) in steps
    )
    line = {"color": look.ink, "width": 1.5, "dash": "2px,2px"}
    path = {"type": "path", "path": " ".join(lines), "layer": "below", "line": line}
    return [path] if path["path"] else []


def timeline_alt(trace: Trace) -> str:
    """The timeline in one sentence, for those who can't see it."""
    calls = counted(len(trace.calls), "call")
    return f"Timeline of {calls}. {''.join(timeline_facts(trace).sentence)}"
