"""The lines, filled outlines and arrow heads of a figure, and the shapes that lie over it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ui.look.picture.frame import Frame, short, stroke

_ACROSS = 10_000  # units of a drawing that is stretched to the width of the figure
_HEAD = "M-4 -4L3 0L-4 4z"  # pixels


def line_trace(trace: Mapping[str, Any], frame: Frame) -> Iterator[str]:
    """The lines of a trace, or what they enclose, as one path; None ends a line."""
    path = _path(trace["x"], trace["y"], frame)
    paint = f'fill="{trace.get("fillcolor", "none")}"{stroke(trace["line"])}'
    yield (
        f'<svg width="100%" height="{short(frame.bottom)}" preserveAspectRatio="none"'
        f' viewBox="0 0 {_ACROSS} {short(frame.bottom)}"><path d="{path}" {paint}/></svg>'
    )


def _path(xs: Sequence[float | None], ys: Sequence[float | None], frame: Frame) -> str:
    parts, begins = [], True
    for x, y in zip(xs, ys, strict=True):
        if x is None or y is None:
            begins = True
            continue
        across = short(frame.x(x) * _ACROSS / 100)
        parts.append(f"{'M' if begins else 'L'}{across} {short(frame.y(y))}")
        begins = False
    return "".join(parts)


def head_trace(trace: Mapping[str, Any], frame: Frame) -> Iterator[str]:
    """The heads of arrows, all to the right."""
    assert trace["marker"]["symbol"] == "triangle-right"
    fill = trace["marker"]["color"]
    for x, y in zip(trace["x"], trace["y"], strict=True):
        at = f'x="{short(frame.x(x))}%" y="{short(frame.y(y))}"'
        yield f'<svg {at}><path d="{_HEAD}" fill="{fill}"/></svg>'


def shape(drawn: Mapping[str, Any], frame: Frame) -> str:
    """A line, or the outline of a rectangle."""
    start, top = frame.point({**drawn, "x": drawn["x0"], "y": drawn["y0"]})
    end, bottom = frame.point({**drawn, "x": drawn["x1"], "y": drawn["y1"]})
    if drawn["type"] == "line":
        return (
            f'<line x1="{short(start)}%" y1="{short(top)}" x2="{short(end)}%"'
            f' y2="{short(bottom)}"{stroke(drawn["line"])}/>'
        )
    return (
        f'<rect x="{short(min(start, end))}%" y="{short(min(top, bottom))}"'
        f' width="{short(abs(end - start))}%" height="{short(abs(bottom - top))}"'
        f'{stroke(drawn["line"])} class="outline"/>'
    )
