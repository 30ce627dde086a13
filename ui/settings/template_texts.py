"""The templates as a person has edited them, as values of settings."""

from typing import Any

from synth.export.recipe import Messages
from ui.settings.schema import DEFAULT, TEMPLATES


def defaults(name: str) -> dict[str, Any]:
    """Return the settings of a template that nobody has edited."""
    return {field: DEFAULT.value(field) for field in TEMPLATES[name]}


def of_messages(name: str, messages: Messages, measured: str = "") -> dict[str, Any]:
    """Return the settings that give a template these messages; a system message makes it a chat."""
    texts = dict(messages)
    changed = {name: texts["user"], f"{name}_chat": "system" in texts, f"{name}_measured": measured}
    if "system" in texts:
        changed[f"{name}_system"] = texts["system"]
    return defaults(name) | changed
