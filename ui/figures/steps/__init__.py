"""The refine chain: the chunks that go in below the line, the growing answer above it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from synth.walk import Step
from synth.wording import counted, numbered
from ui.figures.steps.bars import bar_traces
from ui.figures.steps.columns import BELOW, BOTTOM, HEIGHT, LEFT, RIGHT, TOP, StepColumns
from ui.figures.steps.labels import above_text, arrow_traces, label_traces, signs
from ui.look.theme import INK, Figure, base_figure, note


def steps_figure(
    steps: Sequence[Step],
    width: int = 880,
    current: int | None = None,
    height: int = HEIGHT,
) -> Figure:
    """The steps of a chain, the `current` one framed and later ones pale.

    `width` and `height` are in pixels. A click gives ("step", number) as `customdata`.
    """
    columns = step_columns(steps, width, current, height)
    ticks = columns.ticks
    return base_figure(
        height,
        (LEFT, RIGHT, TOP, BOTTOM),
        [*bar_traces(columns), *arrow_traces(columns), *label_traces(columns)],
        barmode="overlay",
        annotations=_beside(columns),
        shapes=_shapes(columns, current),
        xaxis={
            "range": list(columns.range),
            "tickvals": ticks,
            "ticktext": [f"step {number}" if columns.roomy else f"{number:,}" for number in ticks],
        },
        yaxis={
            "range": [-BELOW * columns.longest, columns.above],
            "showticklabels": False,
        },
    )


def step_columns(
    steps: Sequence[Step], width: int, current: int | None = None, height: int = HEIGHT
) -> StepColumns:
    """The columns of a figure of this size in pixels."""
    return StepColumns(steps, width - LEFT - RIGHT, current or len(steps), height)


def _beside(columns: StepColumns) -> list[dict[str, Any]]:
    """The legend beside the figure: what is above the line and what below."""
    position = {"xref": "paper", "xanchor": "right", "xshift": -10, "align": "right"}
    kept = "hatched" if columns.hatched else "stronger"
    answer = ["<b>answer, words</b>", "plain: added", f"{kept}: kept", *signs(columns)]
    chunk = "<b>chunk in</b><br>tokens"
    return [
        note(0, columns.longest * 0.5, "<br>".join(answer), **position),
        note(0, columns.longest * -0.28, chunk, **position),
    ]


def _shapes(columns: StepColumns, current: int | None) -> list[dict[str, Any]]:
    """The line, and the frame around the current step."""
    ink = {"color": INK, "width": 1}
    start, end = columns.range[0], len(columns.steps) + 1 - columns.range[0]
    line = {"type": "line", "x0": start, "x1": end, "y0": 0, "y1": 0, "line": ink}
    if current is None:
        return [line]
    lines = above_text(columns, columns.steps[current - 1]).count("<br>") + 1
    room = (16 * lines + 8 if columns.labelled else 6) * columns.pixel
    frame = {
        "type": "rect",
        "x0": current - 0.46,
        "x1": current + 0.46,
        "y0": -0.61 * columns.longest,
        "y1": min(columns.crest(current) + room, 0.99 * columns.above),
        "line": ink | {"width": 2},
    }
    return [line, frame]


def steps_alt(steps: Sequence[Step], current: int | None = None) -> str:
    """The chain in one sentence, for those who can't see it."""
    first, last = (step.diff.kept + step.diff.added for step in (steps[0], steps[-1]))
    lost = [step.number for step in steps if step.lost]
    loss = f"; an answer is lost in {numbered('step', lost)}" if lost else ""
    position = f"; step {current:,} is shown" if current else ""
    return (
        f"Steps: the answer goes from {first:,} to {last:,} words in"
        f" {counted(len(steps), 'step')}{loss}{position}."
    )
