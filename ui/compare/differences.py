"""What a column has of its own, in words."""

from __future__ import annotations

from ui.compare.columns import TEMPLATES, Column
from ui.state import LABELS, VARIABLE

_WORDS = {
    "base_url": "at",
    "temperature": "temperature",
    "window": "window",
    "num_output": "num_output",
    "padding": "padding",
    "overlap": "overlap ratio",
    "chunk_limit": "chunk size limit",
    "behaviour": "behaviour",
    TEMPLATES: "templates",
}


def differences(column: Column) -> str:
    """Its own settings but for the mode: "window 512 · templates Ours, as a chat"."""
    return " · ".join(_said(name, value) for name, value in column.overrides if name != "mode")


def _said(name: str, value: object) -> str:
    if name == "filtering":
        return f"structured answer filtering {'on' if value else 'off'}"
    if name == "model":
        return LABELS["model"][str(value)]
    number = isinstance(value, int)
    said = f"{value:,}" if number else str(value)
    if name.startswith(VARIABLE):
        return f"{name.removeprefix(VARIABLE)}: {said}"
    return f"{_WORDS[name]} {said}" if name in _WORDS else said
