"""Where the tokens of one call go: the arithmetic behind the budget bar."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from synth.prompts.kinds import VALUES, SpanKind
from synth.prompts.prompt import Span
from synth.runs.calls import CallRecord, PlannedCall, Setup
from synth.text.tokenizer import Tokenizer

_REST = ("reasoning_room", "reserved", "padding", "free")  # the segments after the prompt
_TEMPLATE = (SpanKind.SYSTEM, SpanKind.TEMPLATE)  # the kinds that are one part


@dataclass(frozen=True)
class Budget:
    """The window of one call, in tokens.

    `parts` are those of the prompt by kind, none negative; what joining adds or saves is counted
    with the template. `reserved` is the room for the answer, `reasoning_room` that for the
    `reasoning` before it. `free` is 0 where the call is `over` the window.
    """

    parts: Mapping[str, int]
    reserved: int
    padding: int
    free: int
    over: int
    window: int
    reasoning: int = 0
    reasoning_room: int = 0

    @property
    def prompt(self) -> int:
        """Count the tokens of the prompt."""
        return sum(self.parts.values())

    def tokens(self, segment: str) -> int:
        """Return the tokens of a kind of text, or those of a part after the prompt."""
        if segment in _REST:
            return int(getattr(self, segment))
        return self.parts.get(segment, 0)


def budget(call: PlannedCall | CallRecord, setup: Setup) -> Budget:
    """Return the budget of a call, under the tokenizer of its run."""
    spans = call.prompt.read_by(setup.tokenizer)
    counts = tokens_by_kind((span for span in spans if span.kind not in _TEMPLATE), setup.tokenizer)
    frame = counts[SpanKind.FRAME] + call.prompt.extra_tokens(setup.tokenizer)
    values: dict[str, int] = {kind: counts[kind] for kind in VALUES}
    template = call.prompt_tokens - frame - sum(values.values())
    for largest in sorted(values, key=values.__getitem__, reverse=True):
        moved = min(max(-template, 0), values[largest])
        values[largest] -= moved
        template += moved
    left = setup.context_window - call.prompt_tokens - setup.most_output
    padding = min(call.padding, max(left, 0))
    return Budget(
        parts={SpanKind.FRAME: frame, SpanKind.TEMPLATE: template, **values},
        reserved=setup.num_output,
        padding=padding,
        free=max(left, 0) - padding,
        over=max(-left, 0),
        window=setup.context_window,
        reasoning=reasoning_count(call, setup.tokenizer),
        reasoning_room=setup.reasoning_output,
    )


def reasoning_count(call: PlannedCall | CallRecord, tokenizer: Tokenizer) -> int:
    """Count the tokens of its reasoning: as the server does, else as we do."""
    if isinstance(call, PlannedCall):
        return call.reasoning_tokens
    if call.reasoning_tokens or not call.reasoning:
        return call.reasoning_tokens or 0
    return tokenizer.count(call.reasoning)


def cached_by_kind(call: PlannedCall | CallRecord, tokenizer: Tokenizer) -> Counter[str]:
    """Count those tokens of a prompt by kind that the server had read before: its first ones."""
    left = call.cached_tokens or 0
    counts = Counter[str]()
    for span in call.prompt.read_by(tokenizer):
        tokens = min(left, tokenizer.count(str(span.text)))
        counts[_part(span)] += tokens
        left -= tokens
    return counts


def tokens_by_kind(spans: Iterable[Span], tokenizer: Tokenizer) -> Counter[str]:
    """Count the tokens of spans by the part of a budget that they are in, each span alone."""
    counts = Counter[str]()
    for span in spans:
        counts[_part(span)] += tokenizer.count(str(span.text))
    return counts


def _part(span: Span) -> SpanKind:
    if span.kind == SpanKind.CONTEXT and any(one.kind == "answer" for one in span.text.origins):
        return SpanKind.ANSWER
    return SpanKind.TEMPLATE if span.kind in _TEMPLATE else span.kind
