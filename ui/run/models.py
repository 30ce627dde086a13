"""The model object that a run asks."""

from __future__ import annotations

from typing import Any

from synth import llms
from ui.run import person
from ui.settings import hosts, model, recorded
from ui.settings.names import Lookup

PERSON = "human"
"""The model that is a person."""


def make(settings: Lookup, **more: Any) -> llms.LLM:
    """The model that these settings choose.

    `more` are further arguments for the model of an endpoint. The API key goes into this object
    and nowhere else. SynthError for a bad address, or one that was not chosen in this session.
    """
    window, num_output = int(settings("window")), int(settings("num_output"))
    if settings("model") in ("offline", recorded.KIND):
        return llms.ExtractiveLLM(window, num_output, settings("encoding"))
    if settings("model") == PERSON:
        return person.begin(window, num_output, settings("encoding"))
    options: dict[str, Any] = {
        "num_output": num_output,
        "temperature": settings("temperature"),
        "seed": settings("seed"),
        "timeout": float(settings("timeout")),
    }
    return llms.OpenAILLM(
        model=model.name(settings),
        **hosts.connection(settings),
        context_window=window,
        **options | more,
    )
