"""What is said of a recording: what the trace lost, and what no trace says."""

from collections.abc import Iterator, Mapping, Sequence

from synth.modes.base import BaseSynthesizer
from synth.prompts.templates import ChatPromptTemplate
from synth.prompts.window import PromptHelper
from synth.text.wording import counted
from synth.traces.calls import RecordedCall
from synth.traces.documents import FoundNodes
from synth.traces.message_attributes import hides_values
from synth.traces.spans import TraceSpan

NO_SYNTHESIS = (
    "No span of this trace is a response synthesis of LlamaIndex: its calls and documents are"
    " shown, and no mode is claimed."
)

UNENDED = (
    "A span is missing in which others stand: perhaps a streamed response was not read to its end,"
    " since LlamaIndex ends the span of its synthesis only then."
)


NOTHING_GIVEN = (
    "The synthesizer was given no documents, so LlamaIndex asked nothing and gave its empty"
    " response."
)


def note_input(has_texts: bool, found: FoundNodes, needs_texts: bool) -> Iterator[str]:
    """Yield what is missing of the chunks and documents."""
    if found.lost:
        total = found.lost + len(found.nodes)
        shown = (
            "the chunks are whole, without their ids and scores"
            if has_texts
            else "the run lacks them"
        )
        yield (
            f"The trace lost {found.lost:,} of {total:,} documents; {shown}. OpenTelemetry keeps"
            " 128 attributes of a span unless SpanLimits says otherwise."
        )
    elif not has_texts and needs_texts and found.nodes:
        yield (
            "The trace doesn't have the chunks as they were packed: those of the retriever are"
            f" taken ({len(found.nodes):,})."
        )
    elif not has_texts and needs_texts:
        yield "The trace has neither chunks nor documents: record the retriever too."


def note_calls(
    recorded: Sequence[RecordedCall], spans: Sequence[TraceSpan], cut_off: int | None
) -> Iterator[str]:
    """Yield what is missing of the calls, with the number of calls."""
    if cut_off is not None:
        yield (
            f"Values are cut off after {cut_off:,} characters: record without"
            " OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT."
        )
    total = f"{len(recorded):,} calls"
    hiding = sum(map(hides_values, spans))
    if hiding:
        yield (
            f"Values are hidden in {hiding:,} of {len(spans):,} spans (__REDACTED__): switch"
            " OPENINFERENCE_HIDE_INPUTS and its like off to record them."
        )
    lost = sum(not call.filling.sent.messages for call in recorded)
    if lost:
        yield f"The trace has no prompt of {lost:,} of {total}."
    unanswered = sum(call.answer is None and call.span.failure is None for call in recorded)
    if unanswered:
        yield f"The trace has no answer of {unanswered:,} of {total}."
    rebuilt = sum(call.filling.sent.rebuilt for call in recorded)
    if rebuilt:
        yield (
            f"The prompts of {rebuilt:,} of {total} were rebuilt from the span's input: their"
            " messages are not in the trace."
        )
    if any(call.makes_object for call in recorded):
        yield "The model was asked for objects (output_cls): their class is not in the trace."


def note_model(uncounted: int, helper: PromptHelper) -> Iterator[str]:
    """Yield what the model has of its own: a system prompt."""
    if uncounted:
        window = helper.context_window
        yield (
            "The system prompt is the model's own, and LlamaIndex counts it without its role:"
            f" {counted(uncounted, 'token')} fewer than here. To send the same prompts, this app"
            f" takes a window of {window + uncounted:,} for the model's {window:,}."
        )


def note_settings(
    recorded: Sequence[RecordedCall],
    templates: Mapping[str, ChatPromptTemplate],
    kind: type[BaseSynthesizer],
    window: int | None,
    helper: PromptHelper,
) -> Iterator[str]:
    """Yield the templates and limits that the trace doesn't say, with what is taken for them."""
    for name in kind.templates:
        if name not in templates and any(call.template == name for call in recorded):
            yield f"{name} could not be recovered from the prompts: ours stands in its place."
        elif name not in templates:
            yield (
                f"No call used {name}, so it is not in the trace: ours stands in its place, and"
                " is counted where chunks are packed."
            )
    if window is None and kind.templates:
        yield (
            f"The trace doesn't say the context window: LlamaIndex's default of"
            f" {helper.context_window:,} tokens is taken."
        )
