"""Recorded calls as the records that a trace has of its calls."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import heappop, heappush

from synth.errors import ModelError
from synth.modes.base import BaseSynthesizer
from synth.prompts.prompt import Message, Prompt, Span, SpanKind
from synth.prompts.templates import ChatPromptTemplate
from synth.prompts.window import PromptHelper
from synth.runs.calls import CallRecord
from synth.text.spans import Text
from synth.traces.calls import RecordedCall
from synth.traces.spans import TraceSpan


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
