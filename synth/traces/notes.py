"""Which notes are true of a recording; their words are data (notes.toml)."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from synth.modes.base import BaseSynthesizer
from synth.prompts.templates import ChatPromptTemplate
from synth.prompts.window import PromptHelper
from synth.text.wording import counted
from synth.traces.calls import RecordedCall
from synth.traces.documents import FoundNodes
from synth.traces.imported_run import Loss
from synth.traces.message_attributes import hides_values
from synth.traces.spans import TraceSpan

NOTES: Mapping[str, str] = tomllib.loads(Path(__file__).with_name("notes.toml").read_text("utf-8"))
"""The sentences, with fields in braces."""


def note_input(has_texts: bool, found: FoundNodes, needs_texts: bool) -> Iterator[str]:
    """Yield what is missing of the chunks and documents."""
    if found.lost:
        total = found.lost + len(found.nodes)
        lost = NOTES["lost ids" if has_texts else "lost documents"]
        yield Loss(lost.format(lost=found.lost, total=total))
    elif not has_texts and needs_texts:
        note = NOTES["retrieved" if found.nodes else "no documents"]
        yield note.format(count=len(found.nodes))


def note_calls(
    recorded: Sequence[RecordedCall], spans: Sequence[TraceSpan], cut_off: int | None
) -> Iterator[str]:
    """Yield what is missing of the calls, with the number of calls."""
    if cut_off is not None:
        yield Loss(NOTES["cut off"].format(count=cut_off))
    if hiding := sum(map(hides_values, spans)):
        yield Loss(NOTES["hidden"].format(count=hiding, total=len(spans)))
    counts = {
        "no prompt": sum(not call.filling.sent.messages for call in recorded),
        "no answer": sum(call.answer is None and call.span.failure is None for call in recorded),
    }
    for name, count in counts.items():
        if count:
            yield Loss(NOTES[name].format(count=count, total=len(recorded)))
    if rebuilt := sum(call.filling.sent.rebuilt for call in recorded):
        yield NOTES["rebuilt"].format(count=rebuilt, total=len(recorded))
    if any(call.makes_object for call in recorded):
        yield NOTES["objects"]


def note_settings(
    recorded: Sequence[RecordedCall],
    templates: Mapping[str, ChatPromptTemplate],
    kind: type[BaseSynthesizer],
    window: int | None,
    helper: PromptHelper,
    uncounted: int,
) -> Iterator[str]:
    """Yield what the trace doesn't say, or LlamaIndex doesn't count, with what is taken for it."""
    own = helper.context_window
    if uncounted:
        tokens = counted(uncounted, "token")
        yield NOTES["system prompt"].format(tokens=tokens, wider=own + uncounted, window=own)
    used = {call.template for call in recorded}
    for name in kind.templates:
        if name not in templates:
            yield NOTES["lost template" if name in used else "unused template"].format(name=name)
    if window is None and kind.templates:
        yield NOTES["no window"].format(window=own)
