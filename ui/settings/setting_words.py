"""Settings and their values in sentences."""

from typing import Any

from synth.text.tokens import get_tokenizer
from ui.settings.schema import SHOWN, Shown


def words(name: str) -> str:
    """The name of a setting in sentences; any other name itself."""
    shown = SHOWN.get(name, Shown(name))
    return shown.label.lower() if shown.words is None else shown.words


def said(name: str, value: Any) -> str:
    """A value of a setting in sentences."""
    shown = SHOWN.get(name, Shown(name, empty="not set", form="{}"))
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None:
        return shown.empty
    if name == "tokenizer" and value not in (shown.labels or ()):
        return get_tokenizer(value).counting
    return shown.labels[value] if shown.labels else shown.form.format(value)


def phrase(name: str, value: Any) -> str:
    """A setting with its value, such as "window 512"."""
    return f"{words(name)} {said(name, value)}".strip()
