"""What the columns of a comparison are called: by letter and mode, and by what else differs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from synth.text.wording import short
from ui.pages.compare.cells import Cell
from ui.settings import schema, setting_words
from ui.settings.changes import value
from ui.settings.request import Model

_LONGEST_NAME = 28  # characters of a name in a sentence or beside a bar
_COMPARED = tuple(name for name, shown in schema.SHOWN.items() if shown.column == "limits")
"""The fields of a request that a column may have otherwise than its neighbour."""


def named(cells: Sequence[Cell], templates: Mapping[str, str]) -> list[Cell]:
    """The cells of one question with their names, and with what tells each from the others.

    In sentences a column has the name of its mode, or its letter where modes or their shortened
    names are equal. `templates` says by column whose templates it has ("your templates").
    """
    modes = [short(cell.request.mode, _LONGEST_NAME) for cell in cells]
    names = [cell.slot.column for cell in cells] if len(set(modes)) < len(modes) else modes
    traits = [_traits(cell, templates.get(cell.slot.column, "")) for cell in cells]
    differing = [trait for trait in _all_traits(traits) if _differs(traits, trait)]
    return [
        replace(cell, name=name, differs=", ".join(own[one] for one in differing if one in own))
        for cell, name, own in zip(cells, names, traits, strict=True)
    ]


def _all_traits(traits: Sequence[Mapping[str, str]]) -> list[str]:
    return list(dict.fromkeys(trait for own in traits for trait in own))


def _differs(traits: Sequence[Mapping[str, str]], trait: str) -> bool:
    """Whether it differs among the columns that have it at all, as an endpoint has an address."""
    return len({own[trait] for own in traits if trait in own}) > 1


def _traits(cell: Cell, templates: str) -> dict[str, str]:
    """What could tell a column from others but for its mode, in words."""
    request = cell.request
    fields = {name: setting_words.phrase(name, getattr(request, name)) for name in _COMPARED}
    fields["tokenizer"] = value("tokenizer", request.tokenizer)
    variables = {f"variable {name}": f"{name}: {value}" for name, value in request.variables}
    return {**_model_traits(request.model), "templates": templates, **fields, **variables}


def _model_traits(model: Model) -> dict[str, str]:
    if model.free:
        return {"model": model.name or "offline model"}
    host = model.address.partition("//")[2].removesuffix("/v1") or model.address
    options = {
        name: setting_words.phrase(name, dict(model.options).get(name)) for name in schema.SENT
    }
    return {
        "model": model.name or "no model",
        "address": f"at {host}" if host else "at the default address",
        **options,
    }
