"""The request that the settings make."""

from __future__ import annotations

from collections.abc import Iterable

from synth.lint import custom_variables
from synth.response_synthesizers.registry import MODES
from ui.request.request import VARIABLE, Messages, Request, template_of
from ui.settings import model, state
from ui.settings.chunk_order import order
from ui.settings.state import Get
from ui.settings.template_texts import messages


def asked(get: Get = state.get) -> Request:
    """The request that these settings make: those of the page, or of a column beside others."""
    mode = MODES[get("mode")]
    question, chunks = get("question"), get("chunks")
    templates = tuple((name, messages(name, get)) for name in mode.templates)
    ranked = order(question, chunks, get)
    places = ranked.places[: ranked.sent]
    return Request(
        mode=get("mode"),
        behaviour=get("behaviour"),
        query=question,
        chunks=tuple(chunks[place].text for place in places),
        places=places,
        scores=ranked.scores[: ranked.sent],
        window=int(get("window")),
        num_output=int(get("num_output")),
        overlap=float(get("overlap")),
        chunk_limit=get("chunk_limit"),
        padding=get("padding"),
        encoding=get("encoding"),
        filtering=bool(get("filtering")) and mode.filters,
        templates=templates,
        variables=tuple(
            (name, value)
            for name in _variables(texts for _, texts in templates)
            if (value := get(VARIABLE + name))
        ),
        model=model.label(get),
    )


def variables_of(templates: Iterable[str], get: Get = state.get) -> list[str]:
    """The variables in these templates that no mode passes: the person gives their values."""
    return _variables(messages(name, get) for name in templates)


def _variables(templates: Iterable[Messages]) -> list[str]:
    found = (name for texts in templates for name in custom_variables(template_of(texts)))
    return list(dict.fromkeys(found))
