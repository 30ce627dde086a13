"""From a scene to Plotly: bars for whatever can be clicked, filled shapes for ribbons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from ui.figures.places import LETTER, TALL, Box, Ribbon, Scene, counted, fits
from ui.theme import Look, marker, note, rgba

State = Literal["waiting", "running", "done", "failed", "cached"]
Trace = dict[str, Any]

MANY = 80
"""Bars above which hatches and dashes would be noise."""
PLATES = 40
_MARKS: Mapping[str, str] = {"running": "▸ ", "failed": "✕ ", "cached": "↺ "}
_ARRIVED = ("done", "cached")


@dataclass(frozen=True)
class View:
    """How a scene is seen: its colours, the selected call, what calls are doing.

    `states` is None for a flow that is not going on: all of it planned, or all of it done.
    `lit` are the calls whose ribbons stand out.
    """

    look: Look
    selected: int | None
    states: Mapping[int, State] | None
    planned: bool
    lit: frozenset[int]

    def state(self, number: int) -> State:
        """What a call is doing."""
        if self.states is None:
            return "done"
        return self.states.get(number, "waiting" if self.planned else "done")

    def style(self, box: Box) -> str:
        """How a box is drawn: filled (solid), only assumed (guess), or as its call's state."""
        if box.kind == "chunk":
            return "solid"
        state = self.state(box.number)
        if box.kind == "answer":
            if state in ("waiting", "running") or (self.planned and self.states is None):
                return "guess"
            return "none" if state == "failed" else "solid"
        if state not in _ARRIVED:
            return state
        assumed = self.planned and self.states is None and box.meaning == "answer"
        return "guess" if assumed else "solid"


def ribbon_traces(ribbons: Sequence[Ribbon], view: View) -> list[Trace]:
    """One filled shape for each kind of source and strength."""
    groups: dict[tuple[str, float], list[Ribbon]] = defaultdict(list)
    for ribbon in ribbons:
        strength = 0.62 if ribbon.call in view.lit else 0.16 if view.lit else 0.34
        groups[ribbon.kind, strength].append(ribbon)
    return [
        _ribbon_trace(group, rgba(view.look.paint(_meaning(kind)).fill, strength))
        for (kind, strength), group in sorted(groups.items())
    ]


def _meaning(kind: str) -> str:
    return "context" if kind == "chunk" else "answer"


def _ribbon_trace(ribbons: Iterable[Ribbon], colour: str) -> Trace:
    xs: list[float | None] = []
    ys: list[float | None] = []
    for ribbon in ribbons:
        (a, b), (c, d) = ribbon.bottom, ribbon.top
        low, high = round(ribbon.low, 2), round(ribbon.high, 2)
        xs += [*(round(x, 1) for x in (a, b, d, c, a)), None]
        ys += [low, low, high, high, low, None]
    return _silent("lines", xs, ys) | {
        "fill": "toself",
        "fillcolor": colour,
        "line": {"width": 0},
    }


def _silent(mode: str, xs: Sequence[float | None], ys: Sequence[float | None]) -> Trace:
    return {"type": "scatter", "mode": mode, "x": xs, "y": ys, "hoverinfo": "skip"}


def arrow_traces(scene: Scene, view: View) -> list[Trace]:
    """The arrows of a chain: all their lines as one trace, all their heads as another."""
    if not scene.arrows:
        return []
    lines = [x for arrow in scene.arrows for x in (arrow.start, arrow.end, None)]
    heights = [y for arrow in scene.arrows for y in (arrow.y, arrow.y, None)]
    traces = [_silent("lines", lines, heights) | {"line": {"color": view.look.muted, "width": 1.3}}]
    roomy = [arrow for arrow in scene.arrows if arrow.end - arrow.start >= 8]
    head = {"symbol": "triangle-right", "size": 8, "color": view.look.muted}
    points = [arrow.end - 4 for arrow in roomy], [arrow.y for arrow in roomy]
    return [*traces, _silent("markers", *points) | {"marker": head}]


def box_traces(boxes: Sequence[Box], view: View) -> list[Trace]:
    """A bar trace for each kind, meaning and style."""
    groups: dict[tuple[str, str, str], list[Box]] = defaultdict(list)
    for box in boxes:
        groups[box.kind, box.meaning, view.style(box)].append(box)
    return [
        _box_trace(group, _paint(view.look, meaning, style, len(group)), view)
        for (_, meaning, style), group in groups.items()
        if style != "none"
    ]


def _box_trace(boxes: Sequence[Box], paint: Trace, view: View) -> Trace:
    return {
        "type": "bar",
        "x": [round(box.centre, 1) for box in boxes],
        "width": [round(box.width, 1) for box in boxes],
        "base": [round(box.y - box.height / 2, 2) for box in boxes],
        "y": [box.height for box in boxes],
        "marker": paint,
        "customdata": [[box.kind, box.number] for box in boxes],
        "hovertext": [_hover(box, view) for box in boxes],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _paint(look: Look, meaning: str, style: str, count: int) -> Trace:
    """The marker of a group of `count` boxes."""
    line = 1 if count <= MANY else 0.4
    if style == "solid":
        return marker(look, meaning, line, pattern=count <= MANY or meaning == "lost")
    fill, edge, _ = look.paint(meaning)
    if style == "guess":
        outline = {"color": edge, "width": 0 if count <= MANY else line}
        return {"color": rgba(fill, 0.25), "line": outline}
    alarm = look.paint("reserved").edge
    edge = {"waiting": look.outline, "running": look.ink, "failed": alarm}[style]
    shown = {
        "color": look.paper,
        "line": {"color": edge, "width": 1 if style == "waiting" else 2.5},
    }
    if style == "failed":
        hatch = {"shape": "x", "fgcolor": alarm, "bgcolor": look.paper, "size": 8, "solidity": 0.12}
        shown["pattern"] = hatch
    return shown


def _hover(box: Box, view: View) -> str:
    tokens = counted(round(box.tokens), "token")
    if box.kind == "answer":
        sign = "at most " if view.style(box) == "guess" else ""
        return f"answer of call {box.number}<br>{sign}{tokens}"
    if box.kind == "chunk":
        return f"chunk {box.number}<br>{tokens}{' never sent' if box.meaning == 'lost' else ''}"
    state = view.state(box.number) if view.states is not None else ""
    return f"call {box.number}{', ' if state else ''}{state}<br>carries {tokens}"


def word_traces(scene: Scene, view: View) -> list[Trace]:
    """The labels that stand on plain ground, and the chunk numbers below bars too thin for them."""
    plain, below = [], []
    thin = any(not fits(box, box.label) for box in scene.boxes if box.kind == "chunk")
    step = _step(scene)
    for box in scene.boxes:
        numbered = box.kind == "chunk" and box.label == str(box.number)
        if numbered and thin:
            below += [box] if box.number == 1 or box.number % step == 0 else []
        elif box.label and not _hatched(box, view):
            plain.append(box)
    look = view.look
    colours = [_ink(box, view) for box in plain]
    return [
        _words(plain, [_marked(box, view) for box in plain], [b.y for b in plain], colours, 12),
        _words(below, [box.label for box in below], [-TALL / 2] * len(below), look.muted, 11)
        | {"textposition": "bottom center"},
        _answer_words(scene, view),
    ]


def _words(
    boxes: Sequence[Box], words: Sequence[str], ys: Sequence[float], colour: Any, size: int
) -> Trace:
    return _silent("text", [round(box.centre, 1) for box in boxes], ys) | {
        "text": words,
        "textfont": {"size": size, "color": colour},
        "cliponaxis": False,
    }


def _answer_words(scene: Scene, view: View) -> Trace:
    """The tokens of each answer above it, where all of them have room."""
    answers = [box for box in scene.boxes if box.kind == "answer" and view.style(box) != "none"]
    words = [f"{'≤ ' if view.style(box) == 'guess' else ''}{box.tokens:,}" for box in answers]
    widest = max((LETTER * len(text) + 6 for text in words), default=0)
    near = min((b.centre - a.centre for a, b in pairwise(answers)), default=widest)
    if scene.shape != "tree" and near >= widest:
        tops = [box.y + box.height / 2 for box in answers]
        return _words(answers, words, tops, view.look.muted, 12) | {"textposition": "top center"}
    return _words([], [], [], view.look.muted, 12)


def _hatched(box: Box, view: View) -> bool:
    """Whether words on the box would lie on a hatch."""
    style = view.style(box)
    return style == "failed" or (style != "waiting" and box.meaning in ("answer", "lost"))


def _ink(box: Box, view: View) -> str:
    solid = view.style(box) == "solid"
    return view.look.paint(box.meaning).label if solid else view.look.ink


def _marked(box: Box, view: View) -> str:
    mark = "" if box.kind == "chunk" else _MARKS.get(view.state(box.number), "")
    return mark + box.label


def _step(scene: Scene) -> int:
    """Every how manieth chunk has its number below it, so that numbers don't touch."""
    count = max((box.number for box in scene.boxes if box.kind == "chunk"), default=1)
    each = scene.span / count
    return next((step for step in (5, 10, 20, 50, 100) if step * each >= 32), 500)


def notes(scene: Scene, view: View, beside: bool) -> list[Trace]:
    """Words beside the rows, and plates under words that would lie on a hatch."""
    look = view.look
    plated = [box for box in scene.boxes if box.label and _hatched(box, view) and fits(box, "1")]
    plate = {"bgcolor": look.paper, "borderpad": 1, "color": look.ink}
    found = [
        note(look, round(box.centre, 1), box.y, _marked(box, view), **plate)
        for box in plated[:PLATES]
    ]
    if beside:
        place = {"xref": "paper", "xanchor": "right", "xshift": -12, "align": "right"}
        found += [
            note(look, 0, row.y, f"<b>{row.name}</b><br>{row.detail}", **place)
            for row in scene.rows
        ]
    return found


def shapes(scene: Scene, view: View) -> list[Trace]:
    """Dashes around what is only assumed, and the frame of the selected call."""
    guesses = [box for box in scene.boxes if view.style(box) == "guess"]
    dashed = {"width": 1.5, "dash": "3px,2px"}
    found = [
        _frame(box, 0, 0, {**dashed, "color": view.look.paint(box.meaning).edge})
        for box in guesses
        if len(guesses) <= MANY
    ]
    for box in scene.boxes:
        if box.kind == "call" and box.number == view.selected:
            above = 0.1 if scene.shape == "chain" else 0.3
            found.append(_frame(box, 5, above, {"color": view.look.ink, "width": 2.5}))
    return found


def _frame(box: Box, aside: float, above: float, line: Trace) -> Trace:
    low, high = box.y - box.height / 2, box.y + box.height / 2
    return {
        "type": "rect",
        "x0": round(box.left - aside, 1),
        "x1": round(box.right + aside, 1),
        "y0": round(low - (0.1 if above else 0), 2),
        "y1": round(high + above, 2),
        "line": line,
    }
