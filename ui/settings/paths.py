"""A setting by its path, as it comes in and goes out: JSON, addresses, older names, sentences."""

from typing import Any

from pydantic import BaseModel, TypeAdapter

from synth.text.tokens import FILE, get_tokenizer, read_name
from ui.settings.chunk_list import Text
from ui.settings.records import OURS, Template
from ui.settings.schema import DEFAULT, PLAIN, SHOWN, Settings, Shown

_TEXT: TypeAdapter[str] = TypeAdapter(Text)


def is_setting(path: str) -> bool:
    """Whether there is a setting at this path, or may be a variable of this name."""
    name, _, key = path.partition(".")
    if name == "templates":
        template, _, part = key.partition(".")
        return template in OURS and part in Template.model_fields
    return bool(key) if name == "variables" else path in PLAIN


def may_differ(path: str) -> bool:
    """Whether a column of Compare may have its own value at this path."""
    return is_setting(path) and ("." in path or (path in SHOWN and bool(SHOWN[path].column)))


def may_share(path: str, value: Any) -> bool:
    """Return whether links and files may hold this value, in both directions.

    An address could send the key of whoever opens the link to any server, what a server said is
    true of that server alone, and a path is one of this machine.
    """
    return path not in _NOT_SHARED and (path != "tokenizer" or read_name(str(value))[0] != FILE)


def read(path: str, data: Any, text: bool = False) -> Any:
    """The value at a path from JSON, or from the `text` of an address.

    `pydantic.ValidationError` for what does not belong there, or is out of its bounds.
    """
    name, _, key = path.partition(".")
    if name == "variables":
        return _TEXT.validate_python(data)
    model: type[BaseModel] = Template if name == "templates" else Settings
    name = key.partition(".")[2] or name
    check = model.model_validate_strings if text else model.model_validate
    return getattr(check({name: data}), name)


def to_json(path: str, value: Any) -> Any:
    """The value at a path as JSON; of an address what holds no secret."""
    return DEFAULT.with_({path: value}).model_dump(include={path})[path] if path in PLAIN else value


_NOT_SHARED = ("base_url", "served")
_OLDER = {
    "window": "context_window",
    "overlap": "chunk_overlap_ratio",
    "chunk_limit": "chunk_size_limit",
    "padding": "response_padding_size",
    "filtering": "structured_answer_filtering",
    "top_k": "similarity_top_k",
    "question": "query_str",
    "encoding": "tokenizer",
}
_OLDER_VARIABLE = "variable "


def renamed(name: str) -> str:
    """The path that a name in an older workspace or file stands for; any other name itself."""
    template, _, part = name.partition(" ")
    if template in OURS:
        return f"templates.{template}.{part or 'text'}"
    if name.startswith(_OLDER_VARIABLE):
        return f"variables.{name.removeprefix(_OLDER_VARIABLE)}"
    return _OLDER.get(name, name)


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
