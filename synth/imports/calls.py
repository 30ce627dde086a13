"""The calls of one recorded synthesis: what each sent, with which values, and its answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from synth.imports.messages import Sent, reply, sent
from synth.imports.objects import VERDICT, object_text, verdict
from synth.imports.spans import TraceSpan
from synth.imports.templates import Filling, without_schema
from synth.imports.tree import SpanTree
from synth.prompts import TEMPLATES
from synth.response_synthesizers.base import BaseSynthesizer

_PREDICTS = {"predict", "apredict", "stream", "astream"}


@dataclass(frozen=True)
class RecordedCall:
    """A call of a model: its template's name, its prompt with the values, and its answer.

    `answer` is None where it failed or was not recorded. `filtered`: the model was asked
    whether the chunk helps. `makes_object`: it was asked for an object of the application's.
    """

    span: TraceSpan
    template: str
    filling: Filling
    answer: str | None
    satisfied: bool = True
    reply: str | None = None
    filtered: bool = False
    makes_object: bool = False


def model_calls(tree: SpanTree, root: TraceSpan) -> list[TraceSpan]:
    """The spans in the root that are calls of a model, in order; of nested ones the outermost."""
    found = tree.nearest(root, [span for span in tree.below(root) if sent(span) is not None])
    return sorted(found, key=lambda span: span.start)


def recorded_calls(
    tree: SpanTree, root: TraceSpan, kind: type[BaseSynthesizer], query: str
) -> list[RecordedCall]:
    """The calls of a synthesis by a synthesizer of this class."""
    spans = model_calls(tree, root)
    pieces = sorted(cut_texts(tree, root), key=len, reverse=True)
    calls: list[RecordedCall] = []
    answer = ""
    for span in spans:
        call = _call(tree, root, span, kind, {"query_str": query, "existing_answer": answer})
        call = _with_context(call, pieces)
        calls.append(call)
        if call.satisfied and call.answer:
            answer = call.answer
    return calls


def streamed(span: TraceSpan) -> bool:
    """Whether this call of a model was streamed."""
    return "stream" in span.name.rpartition(".")[2]


def cut_texts(tree: SpanTree, root: TraceSpan) -> Iterator[str]:
    """The texts that splitters in this span gave."""
    for span in tree.below(root):
        if span.name.endswith(".split_text"):
            texts = span.json("output.value")
            yield from (text for text in texts or [] if isinstance(text, str) and text)


def _call(
    tree: SpanTree,
    root: TraceSpan,
    span: TraceSpan,
    kind: type[BaseSynthesizer],
    state: Mapping[str, str],
) -> RecordedCall:
    prompt = sent(span) or Sent((), chat=False)
    parents = tree.between(span, root)
    given = dict(pair for parent in parents for pair in _given(parent))
    named = dict(pair for parent in parents for pair in _named(parent))
    recorded = named | given
    template = _template_name(kind.templates, recorded, state)
    passed = TEMPLATES[template].passed if template in TEMPLATES else ()
    values = {name: text for name, text in state.items() if name in passed} | recorded
    methods = {parent.name.rpartition(".")[2] for parent in parents}
    makes_object = any(method.endswith("structured_predict") for method in methods)
    filtered = kind.filters and not makes_object and not methods & _PREDICTS
    texts = [parent.text("llm.prompt_template.template") for parent in parents]
    shown = [str(parent.table("input.value").get("prompt", "")) for parent in parents]
    filling = Filling(
        without_schema(prompt) if filtered or makes_object else prompt,
        values,
        next((text for text in texts if text is not None), None),
        next(filter(None, shown), ""),
        frozenset(named.keys() - given.keys() - state.keys()),
    )
    text = reply(span)
    call = RecordedCall(span, template, filling, text, reply=text)
    if filtered:
        return _filtered(call, verdict(tree, span, parents, text))
    if makes_object:
        return replace(call, answer=object_text(tree, span, parents, text), makes_object=True)
    return call


def _given(parent: TraceSpan) -> Iterator[tuple[str, str]]:
    """The values that a span between the synthesizer and the model was called with."""
    given = parent.table("input.value")
    for table in (given.get(name) for name in ("kwds", "kwargs", "prompt_args")):
        if isinstance(table, dict):
            yield from ((str(name), str(value)) for name, value in table.items())


def _named(parent: TraceSpan) -> Iterator[tuple[str, str]]:
    """The values of the variables that stand in the template, the stored ones too."""
    variables = parent.table("llm.prompt_template.variables")
    return ((name, str(value)) for name, value in variables.items())


def _template_name(
    names: Sequence[str], recorded: Mapping[str, str], state: Mapping[str, str]
) -> str:
    """The template whose variables were recorded, or that the answer so far asks for."""
    if len(names) < 2:
        return names[0] if names else ""
    for name in names:
        if TEMPLATES[name].context in recorded:
            return name
    refines = bool(state["existing_answer"])
    return next(name for name in names if ("existing_answer" in TEMPLATES[name].others) == refines)


def _with_context(call: RecordedCall, pieces: Sequence[str]) -> RecordedCall:
    """The call, with the chunk text that the trace does not name found among the cut texts."""
    kind, filling = TEMPLATES.get(call.template), call.filling
    if kind is None or kind.context is None or kind.context in filling.values:
        return call
    texts = [text for _, text in filling.sent.messages]
    found = next((piece for piece in pieces if any(piece in text for text in texts)), None)
    if found is None:
        return call
    values = {**filling.values, kind.context: found}
    return replace(call, filling=replace(filling, values=values))


def _filtered(call: RecordedCall, verdict: Mapping[str, Any]) -> RecordedCall:
    """The call with what the model said of the chunk; no valid object counts as no."""
    if not verdict and call.span.failure and not streamed(call.span):
        return replace(call, filtered=True)  # a stream is dropped once it says that nothing helps
    return replace(
        call,
        answer=str(verdict.get("answer", "")),
        satisfied=bool(verdict.get(VERDICT, False)),
        reply=json.dumps(verdict) if verdict and not call.reply else call.reply,
        filtered=True,
    )
