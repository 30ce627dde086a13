"""The calls over the seconds of a run, with the longest chain as a dotted line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from synth.trace import Trace
from synth.wording import duration
from ui.figures.timeline.rows import CallRows, Kind
from ui.report.svg.shapes import COLOURS, LETTER, Anchor, path, picture, rect, words

_BOTTOM = 26  # pixels
_SIGN = 2  # characters before the time of a call that failed or was reused
_STYLES: dict[Kind, str] = {
    "critical": "solid",
    "other": "m-template",
    "failed": "failed",
    "reused": "m-free",
}


def timeline_svg(trace: Trace, width: int) -> str:
    """One bar for each call since the start of the run; `width` in pixels."""
    left = 112 if width > 400 else 92
    longest = max(len(duration(call.seconds)) for call in trace.calls)
    rows = CallRows(trace, width - left - LETTER * (longest + _SIGN) - 8)
    height = rows.row * len(trace.calls)
    parts = [
        *_axis(rows, left, height),
        *_longest_chain(rows, left),
        *(part for at in range(len(trace.calls)) for part in _call(rows, at, left)),
    ]
    return picture(width, height + _BOTTOM, parts)


def _call(rows: CallRows, at: int, left: float) -> Iterator[str]:
    call = rows.trace.calls[at]
    top, x, wide = rows.row * at, left + call.started / rows.pixel, rows.width(call) / rows.pixel
    kind = rows.kind(call)
    gap = 7 if rows.words else 0
    yield rect(x, top + gap / 2, wide, rows.row - gap, _STYLES[kind])
    if not rows.words:
        return
    middle = top + rows.row / 2
    name = call.template.removesuffix("_template")
    yield words(left - 8, middle, f"{call.number} · {name}"[:17], "end")
    if rows.fits(call):
        colour = COLOURS.paper if kind == "critical" else COLOURS.paint("template").label
        yield words(x + 6, middle, rows.label(call), colour=colour)
    else:
        yield words(x + wide + 6, middle, rows.label(call))


def _longest_chain(rows: CallRows, left: float) -> Iterator[str]:
    calls = [(at, call) for at, call in enumerate(rows.trace.calls) if call.number in rows.critical]
    for (above, _), (below, after) in pairwise(sorted(calls, key=lambda row: row[1].started)):
        x = left + after.started / rows.pixel
        ends = (rows.row * (above + 0.5), rows.row * (below + 0.5))
        yield path(f"M{x:.1f} {ends[0]:.1f}V{ends[1]:.1f}", "dots")


def _axis(rows: CallRows, left: float, height: float) -> Iterator[str]:
    """A line and its time at the start and at the end."""
    ends: tuple[tuple[float, str, Anchor], ...] = (
        (0.0, "since Run", "start"),
        (rows.span, duration(rows.end), "middle"),
    )
    for x, text, anchor in ends:
        yield path(f"M{left + x:.1f} 0V{height + 5:.1f}", "thin")
        yield words(left + x, height + 15, text, anchor, COLOURS.muted)
