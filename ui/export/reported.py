"""Sentences and settings of a run or of several, for their reports."""

from collections.abc import Iterator
from typing import Any

import synth
from synth.pictures.walk import steps_of
from synth.text.wording import counted, embolden, numbered, ranged
from synth.words.cost_words import paid
from synth.words.coverage_words import coverage_sentence
from synth.words.sentences import run_headline, step_sentence
from ui.plans.cost import price_tag, price_words
from ui.settings import by_name
from ui.settings.changes import value
from ui.settings.request import LIMITS, Model, Request
from ui.store.run_json import Run

_PLANNED = "Before the run the plan said **{calls}** and **{prompts}**{certain}."


def headline(run: Run) -> list[str]:
    """Say what a run that has ended made, what it cost, and what the plan had said."""
    sentence = run_headline(run.trace, edited=run.info.edited, cost=paid(run.info.dollars))
    return [*sentence.sentence, *_planned(run)]


def _planned(run: Run) -> list[str]:
    synthesizer = run.request.synthesizer()
    if not run.trace.calls or not synthesizer.plannable:
        return []
    values: dict[str, Any] = dict(run.request.variables)
    bounds = synthesizer.bounds(run.request.query_str, run.request.text_chunks, **values)
    exact = bounds.calls.exact and bounds.prompt_tokens.exact
    return [
        " ",
        *embolden(
            _PLANNED,
            calls=ranged(*bounds.calls, "call"),
            prompts=ranged(*bounds.prompt_tokens, "prompt token"),
            certain="" if exact else ", whatever the answers say",
        ),
    ]


def is_timed(run: Run) -> bool:
    """Tell whether its seconds say something: those of the offline model or of a person don't."""
    return not (run.request.model.free or run.info.by_person) and bool(run.trace.calls)


def settings(run: Run) -> list[tuple[str, str]]:
    """List all settings with their names, and the tokens of the chunks."""
    tokens = sum(chunk.tokens for chunk in run.trace.coverage)
    return [
        (name, f"{text}, {counted(tokens, 'token')}" if name == "chunks" else text)
        for name, text in settings_of(run.request)
    ]


def settings_of(request: Request) -> list[tuple[str, str]]:
    """List the settings of a request with their names, but no address of a model."""
    plain = [(by_name.say_name(name), value(name, getattr(request, name))) for name in LIMITS]
    chunks = counted(len(request.text_chunks), "chunk")
    variables = [(f"variable {name}", text) for name, text in request.variables]
    return [*plain, ("chunks", chunks), *_model(request.model), *variables]


def findings(run: Run) -> Iterator[list[str]]:
    """Make sentences on lost text and on steps with trouble."""
    trace, edited = run.trace, run.info.edited
    if trace.calls and trace.coverage:
        yield coverage_sentence(trace)
    if run.info.by_person:
        yield embolden("**A person** answered in place of the model.")
    elif edited:
        calls = numbered("call", sorted(edited))
        yield embolden("A person wrote **the answer of {calls}**.", calls=calls)
    for step in steps_of(trace):
        if step.lost or step.filtered or step.failed:
            yield step_sentence(step)


def versions(request: Request) -> str:
    """Name the versions of the programs whose rules a run follows."""
    ours = f"Synthesis playground {synth.__version__}"
    if request.behaviour == "llama_index":
        return f"{ours}, with the prompts of llama-index-core 0.14.25"
    return ours


def _model(model: Model) -> list[tuple[str, str]]:
    if model.free:
        return [("model", model.kind)]
    rows = [("model", model.name or "no model")]
    rows += by_name.say_all(dict(model.options)).items()
    if model.price is not None:
        parts = filter(None, [price_words(model.price), price_tag(model)])
        rows.append(("price", ", ".join(parts)))
    return rows
