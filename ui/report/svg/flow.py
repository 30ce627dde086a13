"""The flow: which chunk goes into which call, and which answer into the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from synth.calls import Setup
from ui.figures.flow import margins_at
from ui.figures.flow.data import Calls, flow_data
from ui.figures.flow.labels import FlowLabel, flow_labels
from ui.figures.flow.layouts import chain, levels
from ui.figures.flow.scene import Arrow, Box, Ribbon, RowLabel, Scene
from ui.figures.flow.view import FlowView
from ui.report.svg.shapes import COLOURS, Anchor, path, picture, rect, words
from ui.trace.states import State

_EDGE = 4  # pixels for the outlines of boxes at the ends
_ANCHORS: Mapping[str, Anchor] = {"right": "start", "center": "middle"}
_SHIFTS = {"middle": 0, "top": -9, "bottom": 9}


def flow_svg(
    calls: Calls, setup: Setup, width: int, states: Mapping[int, State] | None = None
) -> str:
    """The flow of a run as a tree, a chain or a fan; `width` in pixels.

    `states` are those of the calls of a run that failed, by their numbers.
    """
    data = flow_data(calls, setup)
    left, right = margins_at(width)
    scene = (chain if data.shape == "chain" else levels)(data, width - left - right - 2 * _EDGE)
    view = FlowView(COLOURS, None, states, planned=False, highlighted=frozenset())
    drawing = _Drawing(scene, view, left + _EDGE)
    return picture(width, drawing.height, list(drawing.parts()))


class _Drawing:
    """A scene in pixels, from the left and from the top."""

    def __init__(self, scene: Scene, view: FlowView, left: float) -> None:
        self._scene, self._view, self._left = scene, view, left
        self._labels = flow_labels(scene, view)

    @property
    def height(self) -> float:
        """Its height in pixels; without a word below the chunks it ends with them."""
        lowest = min(box.bottom for box in self._scene.boxes) if self._scene.boxes else 0.0
        below = any(label.y < lowest for label in self._labels)
        return self._y(self._scene.bottom if below else lowest) + 2

    def parts(self) -> Iterator[str]:
        """Ribbons below arrows below boxes below words."""
        scene = self._scene
        yield from map(self._ribbon, scene.ribbons)
        for arrow in scene.arrows:
            if self._view.state(arrow.call) != "failed":
                yield from self._arrow(arrow)
        yield from map(self._box, scene.boxes)
        yield from map(self._label, self._labels)
        if self._left > 2 * _EDGE:
            for row in scene.row_labels:
                yield from self._row(row)

    def _y(self, rows: float) -> float:
        return (self._scene.top - rows) * self._scene.unit

    def _ribbon(self, ribbon: Ribbon) -> str:
        (a, b), (c, d) = (
            (self._left + left, self._left + right) for left, right in (ribbon.begin, ribbon.arrive)
        )
        low, high = self._y(ribbon.low), self._y(ribbon.high)
        half = (low + high) / 2
        curve = (
            f"M{a:.1f} {low:.1f}C{a:.1f} {half:.1f} {c:.1f} {half:.1f} {c:.1f} {high:.1f}"
            f"H{d:.1f}C{d:.1f} {half:.1f} {b:.1f} {half:.1f} {b:.1f} {low:.1f}z"
        )
        return path(curve, f"r-{'context' if ribbon.kind == 'chunk' else 'answer'}")

    def _arrow(self, arrow: Arrow) -> Iterator[str]:
        start, end, y = self._left + arrow.start, self._left + arrow.end, self._y(arrow.y)
        yield path(f"M{start:.1f} {y:.1f}H{end:.1f}", "arrow")
        yield path(f"M{end:.1f} {y:.1f}l-6 -4v8z", "tip")

    def _box(self, box: Box) -> str:
        style = self._view.style(box)
        if style == "absent":
            return ""
        tall = box.height * self._scene.unit
        painted = "failed" if style == "failed" else f"m-{box.meaning}"
        return rect(self._left + box.left, self._y(box.top), box.width, tall, painted)

    def _label(self, label: FlowLabel) -> str:
        vertical, horizontal = label.anchor.split()
        x, y = self._left + label.x, self._y(label.y) + _SHIFTS[vertical]
        text = label.text.replace("<br>", " ")
        plate = "plate" if label.plate else ""
        return words(x, y, text, _ANCHORS[horizontal], label.colour, plate=plate)

    def _row(self, row: RowLabel) -> Iterator[str]:
        x, y = self._left - 14, self._y(row.y)
        yield words(x, y - 8, row.name, "end", COLOURS.muted, bold=True)
        yield words(x, y + 8, row.detail, "end", COLOURS.muted)
