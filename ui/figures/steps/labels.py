"""The words on the chain: what was added and dropped, and which chunk went in."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ui.figures.flow.draw import silent
from ui.figures.steps.columns import LETTER, Columns
from ui.look.theme import Look
from ui.trace.steps import Step

Label = tuple[float, float, str, str]
"""Place, text and colour."""

_LINE = 15  # pixels
_SIGNS = {"lost": "↓", "filtered": "∅", "failed": "✕"}


def label_traces(columns: Columns, look: Look) -> list[dict[str, Any]]:
    """The labels above the answers, and in the chunks, or under those that are too short."""
    names, tokens = _fitting(columns)
    above: list[Label] = []
    inside: list[Label] = []
    under: list[Label] = []
    for step in columns.steps:
        framed = not columns.labelled and step.number == columns.current
        top = columns.crest(step.number) if framed else columns.top(step.number)
        y = top + (9 if framed else 3) * columns.pixel
        above.append((step.number, y, above_text(columns, step), look.ink))
        lines = [f"<b>{_name(step)}</b>"] * names + [f"{step.tokens:,}"] * tokens
        text, bottom = "<br>".join(lines) if step.pieces else "", -step.tokens * columns.scale
        if -bottom >= _LINE * len(lines) * columns.pixel:
            inside.append((step.number, bottom / 2, text, _colour(columns, step, look)))
        else:
            under.append((step.number, bottom, text, look.ink))
    places = {"top center": above, "middle center": inside, "bottom center": under}
    return [_texts(labels, position) for position, labels in places.items()]


def _fitting(columns: Columns) -> tuple[bool, bool]:
    """Whether there is room for the names of all chunks, and for their tokens."""
    room = columns.column * columns.width - 4
    names = max(len(_name(step)) for step in columns.steps) * LETTER * 1.1
    tokens = max(len(f"{step.tokens:,}") for step in columns.steps) * LETTER
    return names <= room, max(names, tokens) <= room


def _texts(labels: Sequence[Label], position: str) -> dict[str, Any]:
    shown = [label for label in labels if label[2]]
    return silent("text", [x for x, *_ in shown], [round(y, 2) for _, y, *_ in shown]) | {
        "text": [text for _, _, text, _ in shown],
        "textposition": position,
        "textfont": {"size": 12, "color": [colour for *_, colour in shown]},
        "cliponaxis": False,
    }


def above_text(columns: Columns, step: Step) -> str:
    """What became of the answer: "+36" over "−27", and in bold whether something went wrong."""
    diff, flag = step.diff, _flag(step)
    word = flag if _spelled(columns, flag) else _SIGNS[flag]
    lines = [f"<b>{word}</b>"] if flag else []
    if columns.labelled or step.number == columns.current:
        lines += [f"+{diff.added:,}"] if diff.added else []
        lines += [f"−{diff.dropped:,}"] if diff.dropped else []
        lines = lines or ["="]
    return ("<br>" if columns.labelled else " ").join(lines)


def signs(columns: Columns) -> list[str]:
    """The signs that stand for words that don't fit, with the words."""
    flags = dict.fromkeys(_flag(step) for step in columns.steps)
    return [f"{_SIGNS[flag]} {flag}" for flag in flags if not _spelled(columns, flag)]


def _spelled(columns: Columns, flag: str) -> bool:
    return len(flag) * LETTER * 1.1 <= columns.column


def _flag(step: Step) -> str:
    if step.failed:
        return "failed"
    if step.filtered:
        return "filtered"
    return "lost" if step.lost else ""


def _name(step: Step) -> str:
    """The chunks that went in: "3a", "5–9"."""
    names = [taken.name for taken in step.pieces]
    return "–".join(dict.fromkeys((names[0], names[-1]))) if names else ""


def _colour(columns: Columns, step: Step, look: Look) -> str:
    """Ink on a pale chunk, and on a solid one the colour that is made for it."""
    pale = step.number > columns.current or step.filtered or step.failed
    return look.ink if pale else look.paint("context").label


def arrow_traces(columns: Columns, look: Look) -> list[dict[str, Any]]:
    """The answer on its way from step to step, where there is room to see it."""
    if columns.column < 36:
        return []
    half, head = columns.width / 2, 4 / columns.column
    numbers = [step.number for step in columns.steps]
    y = 0.06 * columns.longest
    xs = [x for one, two in pairwise(numbers) for x in (one + half, two - half - head, None)]
    heads = [two - half - head for two in numbers[1:]]
    arrow = {"symbol": "triangle-right", "size": 8, "color": look.muted}
    return [
        silent("lines", xs, [None if x is None else y for x in xs])
        | {"line": {"color": look.muted, "width": 1.3}},
        silent("markers", heads, [y] * len(heads)) | {"marker": arrow},
    ]
