"""The calls of one recorded synthesis: what each sent, with which values, and its answer.

With filtering the answer is whether the chunk helps, and a text; with output_cls it is an object of
the application's own. Either may stand in the reply, in a tool call, or in the spans of the program
of LlamaIndex that asked for it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import chain, takewhile
from typing import Any, NamedTuple, Self

from synth.errors import ModelError
from synth.modes.base import BaseSynthesizer
from synth.modes.inputs import RESERVED
from synth.prompts.prompt import Message, Prompt, Span, SpanKind
from synth.prompts.prompt_helper import PromptHelper
from synth.prompts.templates import PASSED, TEMPLATES, ChatPromptTemplate
from synth.runs.calls import CallRecord
from synth.text.spans import Text
from synth.traces import size_limits
from synth.traces.message_attributes import Sent, read_default, read_prompt, read_reply
from synth.traces.spans import SpanTree, TraceSpan, synthesizer_name, table_of
from synth.traces.templates import Filling, without_schema

VERDICT = "query_satisfied"
_PREDICTS = {"predict", "apredict", "stream", "astream"}
_NOT_FILLED = {"self", *RESERVED - PASSED}  # names that our methods take themselves
_LOOKED_THROUGH = 200  # cut texts, the longest, for the one that a prompt carries


def _find_verdict(
    span: TraceSpan, parents: Sequence[TraceSpan], text: str | None
) -> Mapping[str, Any]:
    """Find what the model said with filtering; empty where it gave no valid object."""
    places = (place for parent in parents for place in _places(parent))
    found = map(table_of, chain(_own_places(span, text), places))
    return next((each for each in found if isinstance(each.get(VERDICT), bool)), {})


def _find_object(span: TraceSpan, parents: Sequence[TraceSpan], text: str | None) -> str | None:
    """Find the object of a call as JSON text, or its reply where it gave none."""
    places = chain(
        [str(_find_verdict(span, parents, None).get("answer", ""))],
        (str(each.text("output.value")) for each in parents if asks_for_object(each)),
        _own_places(span, text),
        (place for parent in parents for place in _places(parent)),
    )
    return next(filter(table_of, places), text)


def asks_for_object(span: TraceSpan) -> bool:
    """Return whether the span is a method of a model that asks it for an object."""
    return span.name.endswith("structured_predict")


def _own_places(span: TraceSpan, text: str | None) -> Iterator[str]:
    yield text[text.find("{") : text.rfind("}") + 1] if text else ""
    call = "llm.output_messages.0.message.tool_calls.0.tool_call"
    yield span.text(f"{call}.function.arguments") or ""


def _places(span: TraceSpan) -> Iterator[str]:
    yield span.text("output.value") or ""
    given = span.table("input.value").get("kwargs")
    if given:
        yield json.dumps(given)


@dataclass(frozen=True)
class RecordedCall:
    """A call of a model. `answer` is None where it failed or was not recorded."""

    span: TraceSpan
    template: str
    filling: Filling
    answer: str | None
    satisfied: bool = True
    reply: str | None = None
    filtered: bool = False
    makes_object: bool = False


def model_calls(tree: SpanTree, root: TraceSpan) -> list[TraceSpan]:
    """Find the outermost calls of a model in the root, in order, as their innermost spans.

    A span of the kind LLM without messages is one if there is no call in it.
    """
    asking = []
    with_calls: set[str | None] = set()
    for span in reversed(list(tree.below(root))):
        prompt = read_prompt(span)
        has_calls = span.span_id in with_calls
        if prompt is not None and not (prompt.by_kind and has_calls):
            asking.append(span)
        if prompt is not None or has_calls:
            with_calls.add(span.parent_id)
    found = []
    for span in tree.nearest([root], asking):
        *_, inner = (each for each in tree.below(span) if each.name == span.name)
        found.append(replace(inner, start=span.start, end=max(span.end, inner.end)))
    return sorted(found, key=lambda span: span.start)


def read_calls(
    tree: SpanTree, root: TraceSpan, kind: type[BaseSynthesizer], query: str
) -> list[RecordedCall]:
    """Return the calls of a synthesis by a synthesizer of this class."""
    spans = model_calls(tree, root)
    size_limits.require(
        size_limits.MOST_CALLS, len(spans), "A synthesis has {} calls", "record a shorter run"
    )
    read: dict[str, _Part] = {}  # of parents, by their ids
    pieces = sorted({*cut_texts(tree, root)}, key=len, reverse=True)[:_LOOKED_THROUGH]
    calls: list[RecordedCall] = []
    answer = ""
    for span in spans:
        parents = tree.between(span, root)
        for parent in parents:
            if parent.span_id not in read:
                read[parent.span_id] = _Part.of(parent)
        parts = [read[parent.span_id] for parent in parents]
        state = {"query_str": query, "existing_answer": answer}
        call = _call(span, parents, parts, kind, state)
        call = _add_context(call, pieces)
        calls.append(call)
        if call.satisfied and call.answer:
            answer = call.answer
    return calls


def read_values(span: TraceSpan) -> Mapping[str, str]:
    """Return the values of the variables of a template that this span names, by their names."""
    part = _Part.of(span)
    return {**part.named, **part.given}


def is_streamed(span: TraceSpan) -> bool:
    """Return whether this call of a model was streamed."""
    return "stream" in span.name.rpartition(".")[2]


def cut_texts(tree: SpanTree, root: TraceSpan) -> Iterator[str]:
    """Yield the texts that splitters in this span gave."""
    for span in tree.below(root):
        if span.name.endswith(".split_text"):
            texts = span.json("output.value")
            if isinstance(texts, list):
                yield from (text for text in texts if isinstance(text, str) and text)


class _Part(NamedTuple):
    """What a span between synthesizer and model says: values given, and all named."""

    method: str
    given: Mapping[str, str]
    named: Mapping[str, str]
    template: str | None
    shown: str

    @classmethod
    def of(cls, span: TraceSpan) -> Self:
        """Return what this span says."""
        given = span.table("input.value")
        tables = (given.get(name) for name in ("kwds", "kwargs", "prompt_args"))
        return cls(
            span.name.rpartition(".")[2],
            dict(pair for table in tables if isinstance(table, dict) for pair in _values(table)),
            dict(_values(span.table("llm.prompt_template.variables"))),
            span.text("llm.prompt_template.template"),
            str(given.get("prompt", "")),
        )


def _values(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    return ((name, str(value)) for name, value in table.items() if name not in _NOT_FILLED)


def _call(
    span: TraceSpan,
    parents: Sequence[TraceSpan],
    parts: Sequence[_Part],
    kind: type[BaseSynthesizer],
    state: Mapping[str, str],
) -> RecordedCall:
    prompt = read_prompt(span) or Sent((), chat=False)
    given = _merge(part.given for part in parts)
    named = _merge(part.named for part in parts)
    recorded = named | given
    template = _template_name(kind.templates, recorded, state)
    passed = TEMPLATES[template].passed if template in TEMPLATES else ()
    values = {name: text for name, text in state.items() if name in passed} | recorded
    methods = {part.method for part in parts}
    makes_object = any(map(asks_for_object, parents))
    filtered = kind.filters and not makes_object and not methods & _PREDICTS
    shown = next((part.shown for part in parts if part.shown), "")
    filling = Filling(
        without_schema(prompt) if filtered or makes_object else prompt,
        values,
        next((part.template for part in parts if part.template is not None), read_default(shown)),
        shown,
        frozenset(named.keys() - given.keys() - state.keys()),
    )
    text = read_reply(span)
    # In a synthesizer stand the objects of other calls too.
    nearest = list(takewhile(lambda parent: not synthesizer_name(parent), parents))
    call = RecordedCall(span, template, filling, text, reply=text)
    if filtered:
        return _filter(call, _find_verdict(span, nearest, text))
    if makes_object:
        return replace(call, answer=_find_object(span, nearest, text), makes_object=True)
    return call


def _merge(tables: Iterable[Mapping[str, str]]) -> dict[str, str]:
    merged: dict[str, str] = {}
    for table in tables:
        merged.update(table)
        size_limits.require(
            size_limits.MOST_VALUES,
            len(merged),
            "A call of the trace is given {} values",
            "record a synthesis with fewer variables",
        )
    return merged


def _template_name(
    names: Sequence[str], recorded: Mapping[str, str], state: Mapping[str, str]
) -> str:
    if len(names) < 2:
        return names[0] if names else ""
    for name in names:
        if TEMPLATES[name].context in recorded:
            return name
    refines = bool(state["existing_answer"])
    return next(name for name in names if ("existing_answer" in TEMPLATES[name].others) == refines)


def _add_context(call: RecordedCall, pieces: Sequence[str]) -> RecordedCall:
    kind, filling = TEMPLATES.get(call.template), call.filling
    if kind is None or kind.context is None or kind.context in filling.values:
        return call
    texts = [text for _, text in filling.sent.messages]
    # simple_summarize sends a list of texts as Python shows it
    forms = (form for piece in pieces for form in (piece, str([piece])))
    found = next((form for form in forms if any(form in text for text in texts)), None)
    if found is None:
        return call
    values = {**filling.values, kind.context: found}
    return replace(call, filling=replace(filling, values=values))


def _filter(call: RecordedCall, verdict: Mapping[str, Any]) -> RecordedCall:
    if not verdict and call.span.failure and not is_streamed(call.span):
        return replace(call, filtered=True)  # a stream is dropped once it says that nothing helps
    return replace(
        call,
        answer=str(verdict.get("answer", "")),
        satisfied=bool(verdict.get(VERDICT, False)),
        reply=json.dumps(verdict) if verdict and not call.reply else call.reply,
        filtered=True,
    )


def make_records(
    root: TraceSpan,
    recorded: Sequence[RecordedCall],
    templates: Mapping[str, ChatPromptTemplate],
    helper: PromptHelper,
    kind: type[BaseSynthesizer],
) -> tuple[CallRecord, ...]:
    """Return the records; a call waits for those that had ended when it began."""
    records = []
    for number, (call, depth) in enumerate(zip(recorded, _depths(recorded), strict=True), 1):
        span, tokenizer = call.span, helper.tokenizer
        prompt = _prompt(call, templates.get(call.template))
        reported = span.whole("llm.token_count.completion")
        record = CallRecord(
            number=number,
            depth=depth,
            template=call.template,
            prompt=prompt,
            padding=0,
            notes=(),
            prompt_tokens=prompt.tokens(tokenizer),
            reported_prompt_tokens=span.whole("llm.token_count.prompt"),
            answer=call.answer,
            reply=call.reply,
            satisfied=call.satisfied,
            output_tokens=tokenizer.count(call.answer or "") if reported is None else reported,
            started=round(span.start - root.start, 6),
            seconds=round(span.end - span.start, 6),
        )
        if span.failure and record.answer is None:
            last = number == len(recorded)
            record = _fail(record, span, tolerated=kind.filters and not last)
        records.append(record)
    return tuple(records)


def _depths(recorded: Sequence[RecordedCall]) -> Iterator[int]:
    depth = 0
    running: list[tuple[float, int]] = []  # the end of a call, and the depth of those after it
    for call in recorded:
        while running and running[0][0] <= call.span.start:
            depth = max(depth, heappop(running)[1])
        yield depth
        heappush(running, (call.span.end, depth + 1))


def _prompt(call: RecordedCall, template: ChatPromptTemplate | None) -> Prompt:
    if template is not None and call.filling.sent.messages:
        return template.fill(**call.filling.values)
    messages = tuple(
        Message(role, (Span(SpanKind.TEMPLATE, Text.of(text)),))
        for role, text in call.filling.sent.messages
    )
    roles = [message.role for message in messages]
    return Prompt(messages or (Message("user", ()),), is_chat=bool(roles) and roles != ["user"])


def _fail(record: CallRecord, span: TraceSpan, *, tolerated: bool) -> CallRecord:
    kind, message = span.failure or ("", "")
    if tolerated:
        note = f"{kind or 'A failure'} taken for no answer: {message}"
        return replace(record, answer="", satisfied=False, notes=(*record.notes, note))
    error = f"Call {record.number} failed when it was recorded: {message or kind or 'no reason'}"
    return replace(record, error=error, error_kind=ModelError.__name__)
