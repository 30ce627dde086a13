"""Sentences and settings of a run or of several, for their reports."""

import synth
from synth.text.wording import counted
from synth.words.cost_words import paid
from synth.words.sentences import run_headline
from ui.plans.cost import price_tag, price_words
from ui.settings import by_name
from ui.settings.changes import value
from ui.settings.request import LIMITS, Model, Request
from ui.store.run_json import Run


def write_headline(run: Run) -> list[str]:
    """Say what a run that has ended made, and what it cost."""
    info = run.info
    return run_headline(run.trace, info.by_person, info.edited, paid(info.dollars)).sentence


def is_timed(run: Run) -> bool:
    """Tell whether its seconds say something: those of the offline model or of a person don't."""
    return not (run.request.model.free or run.info.by_person) and bool(run.trace.calls)


def list_settings(run: Run) -> list[tuple[str, str]]:
    """List all settings with their names, and the tokens of the chunks."""
    tokens = sum(chunk.tokens for chunk in run.trace.coverage)
    return [
        (name, f"{text}, {counted(tokens, 'token')}" if name == "chunks" else text)
        for name, text in list_request_settings(run.request)
    ]


def list_request_settings(request: Request) -> list[tuple[str, str]]:
    """List the settings of a request with their names, but no address of a model."""
    plain = [(by_name.say_name(name), value(name, getattr(request, name))) for name in LIMITS]
    chunks = counted(len(request.text_chunks), "chunk")
    variables = [(f"variable {name}", text) for name, text in request.variables]
    return [*plain, ("chunks", chunks), *_model(request.model), *variables]


def name_versions(request: Request) -> str:
    """Name the versions of the programs whose rules a run follows."""
    program = f"Synthesis playground {synth.__version__}"
    if request.behaviour == "llama_index":
        return f"{program}, with the prompts of llama-index-core 0.14.25"
    return program


def _model(model: Model) -> list[tuple[str, str]]:
    if model.free:
        return [("model", model.kind)]
    rows = [("model", model.name or "no model")]
    rows += by_name.say_all(dict(model.options)).items()
    if model.price is not None:
        parts = filter(None, [price_words(model.price), price_tag(model)])
        rows.append(("price", ", ".join(parts)))
    return rows
