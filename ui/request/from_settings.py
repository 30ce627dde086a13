"""The request that the settings make."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from synth.export.recipe import Messages, template_of
from synth.lint import custom_variables, misspelt
from synth.response_synthesizers.registry import MODES
from ui.request.request import Model, Request
from ui.settings import model, recorded, template_texts
from ui.settings.chunk_order import order
from ui.settings.names import VARIABLE, Lookup, measured


def request_from(settings: Lookup) -> Request:
    """The request that these settings make: those of the page, or of a column of Compare."""
    question, chunks = settings("question"), settings("chunks")
    ranked = order(question, chunks, settings)
    positions = ranked.positions[: ranked.sent]
    request = Request(
        mode="",
        behaviour=settings("behaviour"),
        query=question,
        chunks=tuple(chunks[position].text for position in positions),
        positions=positions,
        scores=ranked.scores[: ranked.sent],
        window=int(settings("window")),
        num_output=int(settings("num_output")),
        overlap=float(settings("overlap")),
        chunk_limit=settings("chunk_limit"),
        padding=settings("padding"),
        encoding=settings("encoding"),
        filtering=False,
        templates=(),
        variables=(),
        model=_model(settings),
    )
    return in_mode(request, settings("mode"), settings)


def in_mode(request: Request, name: str, settings: Lookup) -> Request:
    """The request that these settings make with the mode of this name.

    `request` is the one that they make with another mode.
    """
    mode = MODES[name]
    templates = tuple((name, template_texts.messages(name, settings)) for name in mode.templates)
    return replace(
        request,
        mode=name,
        filtering=bool(settings("filtering")) and mode.filters,
        templates=templates,
        variables=tuple(
            (name, value)
            for name in _variables(texts for _, texts in templates)
            if (value := settings(VARIABLE + name))
        ),
        measured=tuple(
            (name, text) for name in mode.templates if (text := settings(measured(name)))
        ),
    )


def _model(settings: Lookup) -> Model:
    kind = settings("model")
    if kind == recorded.KIND:
        return Model(kind, recorded.recorded().name)
    if kind != "endpoint":
        return Model(kind)
    return Model(
        kind,
        model.name(settings),
        model.without_secrets(str(settings("base_url")).strip()),
        settings("temperature"),
        settings("seed"),
        model.price(settings),
    )


def variables_of(templates: Iterable[str], settings: Lookup) -> list[str]:
    """The custom variables of these templates for which a person is asked.

    One that only misspells a variable of the mode is to be corrected, not given a value.
    """
    asked: dict[str, None] = {}
    for name in templates:
        template = template_of(template_texts.messages(name, settings))
        wrong = misspelt(name, template)
        asked |= dict.fromkeys(
            variable
            for variable in custom_variables(template)
            if variable not in wrong or settings(VARIABLE + variable)
        )
    return list(asked)


def _variables(templates: Iterable[Messages]) -> list[str]:
    names = (name for texts in templates for name in custom_variables(template_of(texts)))
    return list(dict.fromkeys(names))
