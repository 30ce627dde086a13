"""A setting by its name, as it comes in and goes out: JSON, addresses, older names, sentences."""

from typing import Any

from pydantic import TypeAdapter

from synth.text.tokens import FILE, get_tokenizer, read_name
from ui.settings.chunk_list import Text
from ui.settings.schema import DEFAULT, PLAIN, SHOWN, TEMPLATES, VARIABLE, FieldSpec, Settings

_TEXT: TypeAdapter[str] = TypeAdapter(Text)


def is_setting(name: str) -> bool:
    """Whether there is a setting of this name, or may be a variable."""
    return name in PLAIN or bool(name.startswith(VARIABLE) and name.removeprefix(VARIABLE))


def may_differ(name: str) -> bool:
    """Whether a column of Compare may have its own value of this name."""
    if name in SHOWN:
        return bool(SHOWN[name].column)
    return name.startswith(VARIABLE) or is_of_template(name)


def is_of_template(name: str) -> bool:
    """Return whether this names a setting of a template."""
    return any(name in names for names in TEMPLATES.values())


def may_share(name: str, value: Any) -> bool:
    """Return whether links and files may hold this value, in both directions.

    An address could send the key of whoever opens the link to any server, what a server said is
    true of that server alone, and a path is one of this machine.
    """
    return name not in _NOT_SHARED and (name != "tokenizer" or read_name(str(value))[0] != FILE)


def read(name: str, data: Any, text: bool = False) -> Any:
    """Read a value from JSON, or an address's `text`; ValueError for what does not belong there."""
    if name.startswith(VARIABLE):
        return _TEXT.validate_python(data)
    check = Settings.model_validate_strings if text else Settings.model_validate
    return getattr(check({name: data}), name)


def to_json(name: str, value: Any) -> Any:
    """The value of this name as JSON; of an address what holds no secret."""
    return DEFAULT.with_({name: value}).model_dump(include={name})[name] if name in PLAIN else value


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
    """The setting that a name in an older workspace or file stands for; any other name itself."""
    if name.startswith(_OLDER_VARIABLE):
        return VARIABLE + name.removeprefix(_OLDER_VARIABLE)
    of_template = name.removeprefix("templates.").removesuffix(".text")
    of_template = of_template.replace(" ", "_").replace(".", "_")
    return of_template if is_of_template(of_template) else _OLDER.get(name, name)


def words(name: str) -> str:
    """The name of a setting in sentences; any other name itself."""
    shown = SHOWN.get(name, FieldSpec(name))
    return shown.label.lower() if shown.words is None else shown.words


def said(name: str, value: Any) -> str:
    """A value of a setting in sentences."""
    shown = SHOWN.get(name, FieldSpec(name, empty="not set", form="{}"))
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
