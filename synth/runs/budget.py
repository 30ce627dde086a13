"""Where the tokens of one call go: the arithmetic behind the budget bar."""

from collections.abc import Mapping
from dataclasses import dataclass

from synth.prompts.kinds import VALUES, SpanKind
from synth.prompts.prompt import Span
from synth.runs.calls import CallRecord, PlannedCall, Setup

_REST = ("reserved", "padding", "free")  # the segments after the prompt


@dataclass(frozen=True)
class Budget:
    """The window of one call, in tokens.

    `parts` are those of the prompt, by kind: the chat template, the template and the values in it.
    They add up to the prompt's count, and none is negative: what joining them adds or saves is
    counted with the template, and where the template has fewer tokens than that saves, the
    rest is taken from the largest part. `free` is 0 where the call is `over` the window.
    """

    parts: Mapping[str, int]
    reserved: int
    padding: int
    free: int
    over: int
    window: int

    @property
    def prompt(self) -> int:
        """Tokens of the prompt."""
        return sum(self.parts.values())

    def tokens(self, segment: str) -> int:
        """Tokens of one segment of the budget bar; together they are the window and what is `over`.

        A segment is a kind of text in the prompt, of which it may have none, "reserved",
        "padding" or "free".
        """
        if segment in _REST:
            return int(getattr(self, segment))
        return self.parts.get(segment, 0)


def budget(call: PlannedCall | CallRecord, setup: Setup) -> Budget:
    """The budget of a call, under the tokenizer of its run."""
    values: dict[str, int] = dict.fromkeys(VALUES, 0)
    around = setup.tokenizer.frame(tuple(message.role for message in call.prompt.messages))
    frame = 0 if around is None else around.extra_tokens
    for span in call.prompt.read_by(setup.tokenizer):
        if (kind := counted_as(span)) in values:
            values[kind] += setup.tokenizer.count_joined([span.text])
        elif kind == SpanKind.FRAME:
            frame += setup.tokenizer.count_joined([span.text])
    template = call.prompt_tokens - frame - sum(values.values())
    for largest in sorted(values, key=values.__getitem__, reverse=True):
        moved = min(max(-template, 0), values[largest])
        values[largest] -= moved
        template += moved
    left = setup.context_window - call.prompt_tokens - setup.num_output
    padding = min(call.padding, max(left, 0))
    return Budget(
        parts={SpanKind.FRAME: frame, SpanKind.TEMPLATE: template, **values},
        reserved=setup.num_output,
        padding=padding,
        free=max(left, 0) - padding,
        over=max(-left, 0),
        window=setup.context_window,
    )


def counted_as(span: Span) -> SpanKind:
    """The span's kind, but answers that stand where chunks stand, as in a tree, are answers."""
    reads_answers = any(origin.kind == "answer" for origin in span.text.origins)
    return SpanKind.ANSWER if span.kind == SpanKind.CONTEXT and reads_answers else span.kind
