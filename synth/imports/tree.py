"""The spans of one trace as a tree, in the order in which they began."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from synth.errors import ImportedRunError
from synth.imports.spans import TraceSpan

_SYNTHESIS = re.compile(r"(\w+)\.a?(?:synthesize|get_response)")


class SpanTree:
    """The spans of one trace; ImportedRunError where spans are each other's parents."""

    def __init__(self, spans: Sequence[TraceSpan]) -> None:
        self.spans = sorted(spans, key=lambda span: span.start)
        self._by_id = {span.span_id: span for span in self.spans}
        self._children: dict[str | None, list[TraceSpan]] = defaultdict(list)
        for span in self.spans:
            known = span.parent_id if span.parent_id in self._by_id else None
            self._children[known].append(span)
        reached = sum(1 for root in self.roots for _ in self.below(root))
        if reached < len(self.spans):
            raise ImportedRunError(
                f"{len(self.spans) - reached:,} of {len(self.spans):,} spans of trace"
                f" {self.spans[0].trace_id} are their own parents by way of others: the file was"
                " changed. Export the trace again."
            )

    @property
    def roots(self) -> Sequence[TraceSpan]:
        """The spans whose parent is not in the file, or that have none."""
        return self._children[None]

    def below(self, span: TraceSpan) -> Iterator[TraceSpan]:
        """The span and all that is in it, parents first."""
        waiting = [span]
        while waiting:
            span = waiting.pop()
            yield span
            waiting += reversed(self._children[span.span_id])

    def nearest(self, span: TraceSpan, wanted: Sequence[TraceSpan]) -> Iterator[TraceSpan]:
        """Those of the wanted spans in this one that stand in no other of them."""
        ids = {each.span_id for each in wanted}
        waiting = [span]
        while waiting:
            span = waiting.pop()
            if span.span_id in ids:
                yield span
            else:
                waiting += reversed(self._children[span.span_id])

    def above(self, span: TraceSpan) -> Iterator[TraceSpan]:
        """The span's parents, the nearest first."""
        while span.parent_id in self._by_id:
            span = self._by_id[span.parent_id]
            yield span

    def between(self, span: TraceSpan, root: TraceSpan) -> list[TraceSpan]:
        """The parents of the span that stand in the root, the nearest first."""
        parents = []
        for parent in self.above(span):
            if parent.span_id == root.span_id:
                break
            parents.append(parent)
        return parents

    def syntheses(self) -> list[TraceSpan]:
        """The outermost span of each response synthesis, in order."""
        wanted = [span for span in self.spans if synthesizer_name(span)]
        return sorted(
            (found for root in self.roots for found in self.nearest(root, wanted)),
            key=lambda span: span.start,
        )


def synthesizer_name(span: TraceSpan) -> str | None:
    """The class of the synthesizer whose method this span is; None for other spans."""
    found = _SYNTHESIS.fullmatch(span.name)
    return found[1] if found else None
