"""The traces of a scene: bars for whatever can be clicked, filled shapes for ribbons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from synth.wording import counted
from ui.figures.flow.scene import Arrow, Box, Ribbon, Scene
from ui.figures.flow.view import MANY, FlowView, Style, box_marker
from ui.look.theme import INK, MUTED, mixed, paint

Trace = dict[str, Any]


def ribbon_traces(ribbons: Sequence[Ribbon], view: FlowView) -> list[Trace]:
    """One filled shape for each kind of source and strength."""
    groups: dict[tuple[str, float], list[Ribbon]] = defaultdict(list)
    for ribbon in ribbons:
        strength = 0.62 if ribbon.call in view.highlighted else 0.16 if view.highlighted else 0.34
        meaning = "context" if ribbon.kind == "chunk" else "answer"
        groups[meaning, strength].append(ribbon)
    return [
        _ribbon_trace(group, mixed(paint(meaning).fill, strength))
        for (meaning, strength), group in sorted(groups.items())
    ]


def _ribbon_trace(ribbons: Iterable[Ribbon], colour: str) -> Trace:
    xs: list[float | None] = []
    ys: list[float | None] = []
    for _, _, (a, b), (c, d), low, high in ribbons:
        xs += [*(round(x, 1) for x in (a, b, d, c, a)), None]
        ys += [*(round(y, 2) for y in (low, low, high, high, low)), None]
    fill = {"fill": "toself", "fillcolor": colour, "line": {"width": 0}}
    return scatter("lines", xs, ys) | fill


def scatter(mode: str, xs: Sequence[float | None], ys: Sequence[float | None]) -> Trace:
    """A trace of lines, arrow heads or words."""
    return {"type": "scatter", "mode": mode, "x": xs, "y": ys}


def arrow_traces(arrows: Sequence[Arrow], view: FlowView) -> list[Trace]:
    """Two traces for all arrows, lines and heads; a failed call has no arrow."""
    arrows = [arrow for arrow in arrows if view.state(arrow.call) != "failed"]
    if not arrows:
        return []
    colour = MUTED
    xs = [x for arrow in arrows for x in (round(arrow.start, 1), round(arrow.end, 1), None)]
    ys = [y for arrow in arrows for y in (arrow.y, arrow.y, None)]
    heads = [round(arrow.end - 4, 1) for arrow in arrows]
    head = {"symbol": "triangle-right", "size": 8, "color": colour}
    return [
        scatter("lines", xs, ys) | {"line": {"color": colour, "width": 1.3}},
        scatter("markers", heads, [arrow.y for arrow in arrows]) | {"marker": head},
    ]


def box_traces(boxes: Sequence[Box], view: FlowView) -> list[Trace]:
    """A bar trace for each kind, meaning and style."""
    groups: dict[tuple[str, str, Style], list[Box]] = defaultdict(list)
    for box in boxes:
        groups[box.kind, box.meaning, view.style(box)].append(box)
    return [
        _box_trace(group, box_marker(meaning, style, len(group)), view)
        for (_, meaning, style), group in groups.items()
        if style != "absent"
    ]


def _box_trace(boxes: Sequence[Box], marker: Trace, view: FlowView) -> Trace:
    return {
        "type": "bar",
        "x": [round(box.centre, 1) for box in boxes],
        "width": [round(box.width, 1) for box in boxes],
        "base": [round(box.bottom, 2) for box in boxes],
        "y": [box.height for box in boxes],
        "marker": marker,
        "customdata": [[box.kind, box.number] for box in boxes],
        "hovertext": [_hover(box, view) for box in boxes],
    }


def _hover(box: Box, view: FlowView) -> str:
    """The hover text; tokens of a piece of text are spread, not counted, so they are "about"."""
    about = "" if box.tokens == round(box.tokens) else "about "
    tokens = about + counted(round(box.tokens), "token")
    if box.kind == "answer":
        sign = "at most " if view.style(box) == "assumed" else ""
        return f"answer of call {box.number}<br>{sign}{tokens}"
    if box.kind == "chunk":
        return f"chunk {box.number}<br>{tokens}{', not sent' if box.meaning == 'lost' else ''}"
    state = f", {view.state(box.number)}" if view.states is not None else ""
    return f"call {box.number}{state}<br>carries {tokens}"


def shapes(scene: Scene, view: FlowView) -> list[Trace]:
    """Dashes around boxes of assumed size, and the frame of the selected call."""
    assumed = [box for box in scene.boxes if view.style(box) == "assumed"]
    frames = [
        _frame(box, (0, 0, 0), paint(box.meaning).edge, 1.5, dash="3px,2px")
        for box in assumed
        if len(assumed) <= MANY
    ]
    over = {"chain": 0.1, "tree": 0.32, "fan": 0.44}[scene.shape]  # the answer, and its label
    selected = (box for box in scene.boxes if (box.kind, box.number) == ("call", view.selected))
    return frames + [_frame(box, (4, 0.08, over), INK, 2.5) for box in selected]


def _frame(
    box: Box, room: tuple[float, float, float], colour: str, width: float, **line: str
) -> Trace:
    """A rectangle around a box, with room beside (in pixels), below and above it (in rows)."""
    beside, below, above = room
    return {
        "type": "rect",
        "x0": round(box.left - beside, 1),
        "x1": round(box.right + beside, 1),
        "y0": round(box.bottom - below, 2),
        "y1": round(box.top + above, 2),
        "line": {"color": colour, "width": width, **line},
    }
