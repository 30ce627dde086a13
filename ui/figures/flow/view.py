"""The state of a flow (planned, running, selected), and how each box is painted for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from synth.walk import State
from ui.figures.flow.scene import Box
from ui.look.theme import INK, OUTLINE, PAPER, marker, mixed, paint

Style = Literal["solid", "assumed", "waiting", "running", "failed", "absent"]

MANY = 80
"""Boxes of one kind above which outlines, hatches and dashes would be noise."""

_STYLES: Mapping[State, Style] = {"waiting": "waiting", "running": "running", "failed": "failed"}


@dataclass(frozen=True)
class FlowView:
    """The state in which a scene is drawn.

    `states` are those of the calls of a run that goes on; with None the whole flow is
    `planned`, or all of it is done. `highlighted` are the calls whose ribbons stand out.
    """

    selected: int | None
    states: Mapping[int, State] | None
    planned: bool
    highlighted: frozenset[int]

    def state(self, number: int) -> State:
        """The state of a call."""
        if self.states is None:
            return "done"
        return self.states.get(number, "waiting" if self.planned else "done")

    def style(self, box: Box) -> Style:
        """The style of a box; a plan assumes the size of a call that carries only answers."""
        if box.kind == "chunk":
            return "solid"
        style = _STYLES.get(self.state(box.number))
        if style is None:
            assumed = self.planned and self.states is None and box.meaning == "answer"
            return "assumed" if assumed else "solid"
        if box.kind == "call":
            return style
        return "absent" if style == "failed" else "assumed"

    def hatched(self, box: Box) -> bool:
        """Whether a label in the box would lie on a hatch."""
        style = self.style(box)
        return style == "failed" or (style == "solid" and box.meaning in ("answer", "lost"))


def box_marker(meaning: str, style: Style, count: int) -> dict[str, Any]:
    """The marker of `count` boxes of one meaning and style."""
    many = count > MANY
    fill, edge, _ = paint(meaning)
    if style == "solid":
        return marker(meaning, 0.4 if many else 1, pattern=not many or meaning == "lost")
    if style == "assumed":
        return {"color": mixed(fill, 0.25), "line": {"color": edge, "width": 0.4 if many else 0}}
    line = {
        "waiting": {"color": OUTLINE, "width": 1},
        "running": {"color": INK, "width": 2.5},
        "failed": {"color": paint("reserved").edge, "width": 2.5},
    }[style]
    marker_options: dict[str, Any] = {"color": PAPER, "line": line}
    if style == "failed":
        hatch = {"shape": "x", "size": 8, "solidity": 0.12}
        marker_options["pattern"] = hatch | {"fgcolor": line["color"], "bgcolor": PAPER}
    return marker_options
