"""What a column has of its own, in words."""

from __future__ import annotations

from ui.compare.columns import TEMPLATES, Column
from ui.settings.model import without_secrets
from ui.settings.names import VARIABLE
from ui.settings.state import LABELS

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
    named = column.own("model_name") is not None and column.own("model") == "endpoint"
    # The name of a model says that there is an endpoint.
    left_out = ("mode", "model") if named else ("mode",)
    said = [own for own in column.overrides if own[0] not in left_out]
    said.sort(key=lambda own: own[0] != "model_name")
    return " · ".join(_said(*own) for own in said)


def _said(name: str, value: object) -> str:
    if name == "filtering":
        return f"structured answer filtering {'on' if value else 'off'}"
    if name == "model":
        return LABELS["model"][str(value)]
    said = f"{value:,}" if isinstance(value, int) else str(value)
    if name == "base_url":
        said = without_secrets(said)
        said = said.partition("//")[2].removesuffix("/v1") or said
    if name.startswith(VARIABLE):
        return f"{name.removeprefix(VARIABLE)}: {said}"
    return f"{_WORDS[name]} {said}" if name in _WORDS else said
