"""The differences between two requests, in words."""

from dataclasses import fields
from typing import Any

from synth.text.tokens import get_tokenizer
from synth.text.wording import counted
from ui.settings import by_name
from ui.settings.request import Model, Request

_NOT_NAMED = ("positions", "scores", "measured")  # the first two follow from the chunks


def changes(old: Request, new: Request) -> list[str]:
    """Return each change, such as "window 1,024 → 900" or "text_qa_template edited"."""
    differences = []
    for field in fields(Request):
        before, after = getattr(old, field.name), getattr(new, field.name)
        if before != after and field.name not in _NOT_NAMED:
            differences += _change(field.name, before, after)
    differences += _compared(old, new)
    return differences or ["the order of the chunks"]


def _compared(old: Request, new: Request) -> list[str]:
    """The templates of both for which LlamaIndex measures another text."""
    before, after = dict(old.measured), dict(new.measured)
    both = [name for name in dict(old.templates) if name in dict(new.templates)]
    return [
        f"the text by which {name} is compared"
        for name in both
        if before.get(name) != after.get(name)
    ]


def _change(name: str, before: Any, after: Any) -> list[str]:
    if name == "query_str":
        return ["the question"]
    if name == "text_chunks":
        return [_chunks(before, after)]
    if name in ("templates", "variables"):
        return [f"{changed} edited" for changed in _edited(dict(before), dict(after))]
    if isinstance(before, Model) and before.kind == after.kind:
        return _model(before, after)
    return [f"{by_name.say_name(name)} {value(name, before)} → {value(name, after)}"]


def value(name: str, given: Any) -> str:
    """Return the value of a field of a request as pages say it."""
    if name == "tokenizer":
        return get_tokenizer(given).counting
    return given.label if isinstance(given, Model) else by_name.say_value(name, given)


def _model(before: Model, after: Model) -> list[str]:
    sides = [
        {"model": model.name or "none", "address": model.address or "the default"}
        | by_name.say_all(model.sent)
        for model in (before, after)
    ]
    return [
        f"{name} {sides[0][name]} → {sides[1][name]}"
        for name in sides[0]
        if sides[0][name] != sides[1][name]
    ]


def _chunks(before: tuple[str, ...], after: tuple[str, ...]) -> str:
    if len(before) != len(after):
        return f"chunks {len(before):,} → {len(after):,}"
    if sorted(before) == sorted(after):
        return "the order of the chunks"
    differ = sum(old != new for old, new in zip(before, after, strict=True))
    return f"{counted(differ, 'chunk')} edited"


def _edited(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """The names whose text was edited; a name that only one of two modes has was not edited."""
    return [name for name in after if name in before and before[name] != after[name]]
