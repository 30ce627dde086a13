"""A setting by its name, as it comes in and goes out: JSON and sentences."""

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from synth.text.tokens import get_tokenizer
from ui.settings.chunk_list import Text
from ui.settings.schema import (
    DEFAULT,
    PLAIN,
    SHOWN,
    TEMPLATES,
    VARIABLE,
    FieldSpec,
    Settings,
)

_TEXT: TypeAdapter[str] = TypeAdapter(Text)


def is_setting(name: str) -> bool:
    """Return whether there is a setting of this name, or may be a variable."""
    return name in PLAIN or bool(name.startswith(VARIABLE) and name.removeprefix(VARIABLE))


def may_differ(name: str) -> bool:
    """Return whether a column of Compare may have its own value of this name."""
    if name in SHOWN:
        return bool(SHOWN[name].column)
    return name.startswith(VARIABLE) or is_of_template(name)


def is_of_template(name: str) -> bool:
    """Return whether this names a setting of a template."""
    return any(name in names for names in TEMPLATES.values())


def read(name: str, data: Any, text: bool = False) -> Any:
    """Read a value from JSON, or from typed `text`; ValueError for what does not belong there."""
    if name.startswith(VARIABLE):
        return _TEXT.validate_python(data)
    check = Settings.model_validate_strings if text else Settings.model_validate
    return getattr(check({name: data}), name)


def to_json(name: str, value: Any) -> Any:
    """Return the value of this name as JSON; of an address what holds no secret."""
    return DEFAULT.with_({name: value}).model_dump(include={name})[name] if name in PLAIN else value


def say_name(name: str) -> str:
    """Say the name of a setting as in sentences; any other name as it is."""
    spec = SHOWN.get(name, FieldSpec(name))
    return spec.label.lower() if spec.words is None else spec.words


def say_value(name: str, value: Any) -> str:
    """Say a value of a setting as in sentences."""
    spec = SHOWN.get(name, FieldSpec(name, empty="not set", form="{}"))
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None:
        return spec.empty
    if name == "tokenizer" and value not in (spec.labels or ()):
        return get_tokenizer(value).counting
    if spec.labels:
        return spec.labels[value]
    return spec.form.format(value)


def say_all(values: Mapping[str, Any]) -> dict[str, str]:
    """Say values of settings, by the names of the settings, both as in sentences."""
    return {say_name(name): say_value(name, value) for name, value in values.items()}


def say(name: str, value: Any) -> str:
    """Say a setting with its value, such as "window 512"."""
    return f"{say_name(name)} {say_value(name, value)}".strip()
