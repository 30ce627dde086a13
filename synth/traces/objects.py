"""The objects that a model was asked for, wherever a trace has them.

With filtering it is whether the chunk helps, and the answer; with output_cls one of the
application's own. It may stand in the reply, in a tool call, or in the spans of the program
of LlamaIndex that asked for it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from synth.lazy import defer
from synth.traces.spans import SpanTree, TraceSpan, synthesizer_name, table_of

T = TypeVar("T")

VERDICT = "query_satisfied"


class Objects:
    """The objects that the spans in a root have, each span looked at once."""

    def __init__(self, tree: SpanTree, root: TraceSpan) -> None:
        self._tree, self._root = tree, root

    def verdict(
        self, span: TraceSpan, parents: Sequence[TraceSpan], text: str | None
    ) -> Mapping[str, Any]:
        """Return what the model said with filtering; empty where it gave no valid object."""
        own = next(filter(None, map(_verdict, _own_places(span, text))), None)
        return own or _of_nearest(parents, self._verdicts) or {}

    def text(self, span: TraceSpan, parents: Sequence[TraceSpan], text: str | None) -> str | None:
        """Return the object of a call as JSON text, or its reply where it gave none."""
        made = (_of_nearest(parents, self._verdicts) or {}).get("answer")
        places = [
            str(made or ""),
            *(str(each.text("output.value")) for each in parents if asks_for_object(each)),
            *_own_places(span, text),
        ]
        own = next((place for place in places if table_of(place)), None)
        return own or _of_nearest(parents, self._texts) or text

    @defer
    def _verdicts(self) -> Mapping[str, Mapping[str, Any]]:
        return self._tree.first_within(
            self._root, lambda span: next(filter(None, map(_verdict, _places(span))), None)
        )

    @defer
    def _texts(self) -> Mapping[str, str]:
        return self._tree.first_within(
            self._root, lambda span: next((text for text in _places(span) if table_of(text)), None)
        )


def asks_for_object(span: TraceSpan) -> bool:
    """Return whether the span is a method of a model that asks it for an object."""
    return span.name.endswith("structured_predict")


def _of_nearest(parents: Sequence[TraceSpan], found: Mapping[str, T]) -> T | None:
    for parent in parents:
        if synthesizer_name(parent):  # in it stand the objects of other calls too
            break
        if parent.span_id in found:
            return found[parent.span_id]
    return None


def _own_places(span: TraceSpan, text: str | None) -> Iterator[str]:
    yield text[text.find("{") : text.rfind("}") + 1] if text else ""
    call = "llm.output_messages.0.message.tool_calls.0.tool_call"
    yield span.text(f"{call}.function.arguments") or ""


def _places(span: TraceSpan) -> Iterator[str]:
    yield span.text("output.value") or ""
    given = span.table("input.value").get("kwargs")
    if given:
        yield json.dumps(given)


def _verdict(text: str) -> Mapping[str, Any] | None:
    found = table_of(text)
    return found if isinstance(found.get(VERDICT), bool) else None
