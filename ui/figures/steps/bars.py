"""The bars of the chain: a chunk below the line, kept and added words above it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from synth.walk import Step
from ui.figures.steps.columns import StepColumns
from ui.look.theme import Look, Paint, marker, rgba

_PALE = 0.62  # of the paper in the colours of steps that are yet to come


def bar_traces(columns: StepColumns, look: Look) -> list[dict[str, Any]]:
    """Bars of the steps so far, and pale ones of those to come."""
    so_far, to_come = columns.steps[: columns.current], columns.steps[columns.current :]
    return [*_bars(columns, so_far, look), *_bars(columns, to_come, _faded(look))]


def _bars(columns: StepColumns, steps: Sequence[Step], look: Look) -> list[dict[str, Any]]:
    line = 1 if columns.hatched else 0
    chunk = marker(look, "context", line)
    unused = chunk | {"color": rgba(look.paint("context").fill, 0.25)}
    kept, added = marker(look, "answer", line), marker(look, "answer", line, pattern=False)
    if not columns.hatched:
        kept = added | {"color": look.paint("answer").edge}
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


def _faded(look: Look) -> Look:
    """The look with every colour of data mixed with the paper."""
    paints = {
        meaning: Paint(_mixed(look, fill), _mixed(look, edge), look.ink)
        for meaning, (fill, edge, _) in look.paints.items()
    }
    return replace(look, paints=MappingProxyType(paints))


def _mixed(look: Look, colour: str) -> str:
    parts = (
        round(int(colour[at : at + 2], 16) * (1 - _PALE) + int(look.paper[at : at + 2], 16) * _PALE)
        for at in (1, 3, 5)
    )
    return "#" + "".join(f"{part:02X}" for part in parts)
