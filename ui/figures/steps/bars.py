"""The bars of the chain: a chunk below the line, kept and added words above it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from synth.walk import Step
from ui.figures.steps.columns import StepColumns
from ui.look.theme import marker, mixed, paint

_PALE = 0.38  # the opacity of steps that are yet to come


def bar_traces(columns: StepColumns) -> list[dict[str, Any]]:
    """Bars of the steps so far, and pale ones of those to come."""
    so_far, to_come = columns.steps[: columns.current], columns.steps[columns.current :]
    pale = ({**trace, "opacity": _PALE} for trace in _bars(columns, to_come))
    return [*_bars(columns, so_far), *pale]


def _bars(columns: StepColumns, steps: Sequence[Step]) -> list[dict[str, Any]]:
    line = 1 if columns.hatched else 0
    chunk = marker("context", line)
    unused = chunk | {"color": mixed(paint("context").fill, 0.25)}
    kept, added = marker("answer", line), marker("answer", line, pattern=False)
    if not columns.hatched:
        kept = added | {"color": paint("answer").edge}
    used = [step for step in steps if not (step.filtered or step.failed)]
    dropped = [step for step in steps if step.filtered or step.failed]
    traces = [
        _trace(used, [-step.tokens * columns.scale for step in used], chunk, _chunk_hover),
        _trace(dropped, [-step.tokens * columns.scale for step in dropped], unused, _chunk_hover),
        _trace(steps, [step.diff.kept for step in steps], kept, _answer_hover),
        _trace(steps, [step.diff.added for step in steps], added, _answer_hover)
        | {"base": [step.diff.kept for step in steps]},
    ]
    return [trace | {"width": columns.width} for trace in traces if trace["x"]]


def _trace(
    steps: Sequence[Step], heights: Sequence[float], paint: dict[str, Any], hover: Any
) -> dict[str, Any]:
    return {
        "type": "bar",
        "x": [step.number for step in steps],
        "y": [round(height, 2) for height in heights],
        "marker": paint,
        "customdata": [["step", step.number] for step in steps],
        "hovertext": [hover(step) for step in steps],
    }


def _chunk_hover(step: Step) -> str:
    chunks = dict.fromkeys(piece.label for piece in step.pieces)
    named = list(chunks) if len(chunks) <= 3 else [*list(chunks)[:2], f"{len(chunks) - 2} more"]
    ending = ", filtered" if step.filtered else ", no answer" if step.failed else ""
    return f"step {step.number}{ending}<br>{'; '.join(named)}<br>{step.tokens:,} tokens"


def _answer_hover(step: Step) -> str:
    diff = step.diff
    lost = "<br><b>the answer was lost</b>" if step.lost else ""
    return (
        f"step {step.number}{lost}<br>{diff.kept:,} words kept<br>{diff.added:,} added,"
        f" {diff.dropped:,} dropped"
    )
