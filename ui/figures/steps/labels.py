"""The labels on the chain: words added and dropped, and the chunks that went in."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from synth.walk import Step
from ui.figures.flow.draw import scatter
from ui.figures.steps.columns import LETTER, StepColumns
from ui.look.theme import INK, MUTED, paint

Label = tuple[float, float, str, str]
"""Position, text and colour."""

_LINE = 15  # pixels
_SIGNS = {"lost": "↓", "filtered": "∅", "failed": "✕"}


def label_traces(columns: StepColumns) -> list[dict[str, Any]]:
    """The labels above the answers, and in the chunks, or under those that are too short."""
    names, tokens = _fitting(columns)
    above: list[Label] = []
    inside: list[Label] = []
    under: list[Label] = []
    for step in columns.steps:
        framed = not columns.labelled and step.number == columns.current
        top = columns.crest(step.number) if framed else columns.top(step.number)
        y = top + (9 if framed else 3) * columns.pixel
        above.append((step.number, y, above_text(columns, step), INK))
        lines = [f"<b>{_name(step)}</b>"] * names + [f"{step.tokens:,}"] * tokens
        bottom = -step.tokens * columns.scale
        fitting = int(-bottom / (_LINE * columns.pixel))
        text = "<br>".join(lines[: fitting or None]) if step.pieces else ""
        if fitting:
            inside.append((step.number, bottom / 2, text, _colour(columns, step)))
        else:
            under.append((step.number, bottom, text, INK))
    positions = {"top center": above, "middle center": inside, "bottom center": under}
    return [_texts(labels, position) for position, labels in positions.items()]


def _fitting(columns: StepColumns) -> tuple[bool, bool]:
    """Whether there is room for the names of all chunks, and for their tokens."""
    room = columns.column * columns.width - 4
    names = max(len(_name(step)) for step in columns.steps) * LETTER * 1.1
    tokens = max(len(f"{step.tokens:,}") for step in columns.steps) * LETTER
    return names <= room, max(names, tokens) <= room


def _texts(labels: Sequence[Label], position: str) -> dict[str, Any]:
    visible = [label for label in labels if label[2]]
    return scatter("text", [x for x, *_ in visible], [round(y, 2) for _, y, *_ in visible]) | {
        "text": [text for _, _, text, _ in visible],
        "textposition": position,
        "textfont": {"size": 12, "color": [colour for *_, colour in visible]},
    }


def above_text(columns: StepColumns, step: Step) -> str:
    """The change of the answer: "+36" over "−27", and in bold what went wrong."""
    diff, flag = step.diff, _flag(step)
    word = flag if _fits(columns, flag) else _SIGNS[flag]
    lines = [f"<b>{word}</b>"] if flag else []
    if columns.labelled or step.number == columns.current:
        lines += [f"+{diff.added:,}"] if diff.added else []
        lines += [f"−{diff.dropped:,}"] if diff.dropped else []
        lines = lines or ["="]
    return ("<br>" if columns.labelled else " ").join(lines)


def signs(columns: StepColumns) -> list[str]:
    """The signs that stand for words that don't fit, with the words."""
    flags = dict.fromkeys(_flag(step) for step in columns.steps)
    return [f"{_SIGNS[flag]} {flag}" for flag in flags if not _fits(columns, flag)]


def _fits(columns: StepColumns, flag: str) -> bool:
    return len(flag) * LETTER * 1.1 <= columns.column


def _flag(step: Step) -> str:
    if step.failed:
        return "failed"
    if step.filtered:
        return "filtered"
    return "lost" if step.lost else ""


def _name(step: Step) -> str:
    """The chunks that went in: "3a", "5–9"."""
    names = [piece.name for piece in step.pieces]
    return "–".join(dict.fromkeys((names[0], names[-1]))) if names else ""


def _colour(columns: StepColumns, step: Step) -> str:
    """Ink on a pale chunk; on a solid one the label colour of chunks."""
    pale = step.number > columns.current or step.filtered or step.failed
    return INK if pale else paint("context").label


def arrow_traces(columns: StepColumns) -> list[dict[str, Any]]:
    """The arrows from step to step, where there is room to see them."""
    if columns.column < 36:
        return []
    half, head = columns.width / 2, 4 / columns.column
    numbers = [step.number for step in columns.steps]
    y = 0.06 * columns.longest
    xs = [
        x
        for step, following in pairwise(numbers)
        for x in (step + half, following - half - head, None)
    ]
    heads = [number - half - head for number in numbers[1:]]
    arrow = {"symbol": "triangle-right", "size": 8, "color": MUTED}
    return [
        scatter("lines", xs, [None if x is None else y for x in xs])
        | {"line": {"color": MUTED, "width": 1.3}},
        scatter("markers", heads, [y] * len(heads)) | {"marker": arrow},
    ]
