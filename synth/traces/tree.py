"""The spans of one trace as a tree, in the order in which they began."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from synth.errors import ImportedRunError, shown
from synth.traces import capacity
from synth.traces.spans import TraceSpan

T = TypeVar("T")

_SYNTHESIS = re.compile(r"(\w+)\.a?(?:synthesize|get_response)")


class SpanTree:
    """The spans of one trace.

    ImportedRunError where spans are each other's parents, or stand too deep in others.
    """

    def __init__(self, spans: Sequence[TraceSpan]) -> None:
        self.spans = sorted(spans, key=lambda span: span.start)
        self._by_id = {span.span_id: span for span in self.spans}
        self._children: dict[str | None, list[TraceSpan]] = defaultdict(list)
        for span in self.spans:
            known = span.parent_id if span.parent_id in self._by_id else None
            self._children[known].append(span)
        depths: dict[str | None, int] = {}
        for span in (each for root in self.roots for each in self.below(root)):
            depths[span.span_id] = depths.get(span.parent_id, 0) + 1
        if len(depths) < len(self.spans):
            raise ImportedRunError(
                f"{len(self.spans) - len(depths):,} of {len(self.spans):,} spans of trace"
                f" {shown(self.spans[0].trace_id)} are their own parents by way of others: the"
                " file was changed. Export the trace again."
            )
        capacity.require(
            capacity.DEEPEST_SPANS,
            max(depths.values()),
            "The spans of a trace stand {} deep in one another",
            "record the spans of response synthesis alone",
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

    def first_within(self, root: TraceSpan, value: Callable[[TraceSpan], T | None]) -> dict[str, T]:
        """For the id of each span in the root, the first value that is in it, parents first."""
        found: dict[str, T] = {}
        for span in reversed(list(self.below(root))):
            if (own := value(span)) is not None:
                found[span.span_id] = own
            if span is not root and span.parent_id is not None and span.span_id in found:
                found[span.parent_id] = found[span.span_id]
        return found

    def nearest(
        self, roots: Sequence[TraceSpan], wanted: Sequence[TraceSpan]
    ) -> Iterator[TraceSpan]:
        """Those of the wanted spans in the roots that stand in no other of them."""
        ids = {each.span_id for each in wanted}
        waiting = list(reversed(roots))
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
        return sorted(self.nearest(self.roots, wanted), key=lambda span: span.start)


def synthesizer_name(span: TraceSpan) -> str | None:
    """The class of the synthesizer whose method this span is; None for other spans."""
    found = _SYNTHESIS.fullmatch(span.name)
    return found[1] if found else None
