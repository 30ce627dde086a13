"""The differences between two requests, in words."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from synth.wording import counted
from ui.request.request import Model, Request

LABELS = {
    "mode": "mode",
    "behaviour": "behaviour",
    "window": "window",
    "num_output": "answer length",
    "overlap": "overlap",
    "chunk_limit": "chunk size limit",
    "padding": "safety margin",
    "encoding": "encoding",
    "filtering": "structured answer filtering",
    "model": "model",
}
"""The settings of a request that have one value, with their names on the pages."""

_FOLLOW = ("positions", "scores")  # they follow from the chunks, so they are not named


def changes(old: Request, new: Request) -> list[str]:
    """Each change, such as "window 1,024 → 900" or "text_qa_template edited"."""
    differences = []
    for field in fields(Request):
        before, after = getattr(old, field.name), getattr(new, field.name)
        if before != after and field.name not in _FOLLOW:
            differences += _change(field.name, before, after)
    return differences or ["the order of the chunks"]


def _change(name: str, before: Any, after: Any) -> list[str]:
    if name in LABELS:
        return [f"{LABELS[name]} {value_in_words(before)} → {value_in_words(after)}"]
    if name == "chunks":
        return [_chunks(before, after)]
    if name in ("templates", "variables"):
        return [f"{changed} edited" for changed in _edited(dict(before), dict(after))]
    return [{"query": "the question"}.get(name, name)]


def value_in_words(value: Any) -> str:
    """The value of a setting, as the pages say it."""
    if isinstance(value, Model):
        return value.label
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None:
        return "automatic"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _chunks(before: tuple[str, ...], after: tuple[str, ...]) -> str:
    if len(before) != len(after):
        return f"chunks {len(before):,} → {len(after):,}"
    if sorted(before) == sorted(after):
        return "the order of the chunks"
    differ = sum(old != new for old, new in zip(before, after, strict=True))
    return f"{counted(differ, 'chunk')} edited"


def _edited(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """The names whose text was edited; a name that only one of two modes has was not edited."""
    if before.keys() == after.keys():
        return [name for name in after if before[name] != after[name]]
    return [name for name in after if name in before and before[name] != after[name]]
