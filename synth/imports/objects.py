"""The objects that a model was asked for, wherever a trace has them.

With filtering it is whether the chunk helps, and the answer; with output_cls one of the
application's own. It may stand in the reply, in a tool call, or in the spans of the program
of LlamaIndex that asked for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from synth.imports.messages import tool_arguments
from synth.imports.spans import TraceSpan
from synth.imports.tree import SpanTree, synthesizer_name

VERDICT = "query_satisfied"


def verdict(
    tree: SpanTree, span: TraceSpan, parents: Sequence[TraceSpan], text: str | None
) -> Mapping[str, Any]:
    """What the model said with filtering; empty where it gave no valid object."""
    for place in _places(tree, span, parents, text):
        found = _table(place)
        if isinstance(found.get(VERDICT), bool):
            return found
    return {}


def object_text(
    tree: SpanTree, span: TraceSpan, parents: Sequence[TraceSpan], text: str | None
) -> str | None:
    """The object that a call gave, as JSON text; the reply where it gave none."""
    places = _places(tree, span, parents, text)
    found = next((place for place in places if _table(place)), None)
    return text if found is None else str(found)


def _places(
    tree: SpanTree, span: TraceSpan, parents: Sequence[TraceSpan], text: str | None
) -> Iterator[Any]:
    yield text and text[text.find("{") : text.rfind("}") + 1]
    yield tool_arguments(span)
    for parent in parents:
        if synthesizer_name(parent):  # in it stand the objects of other calls too
            break
        for place in tree.below(parent):
            yield place.text("output.value")
            given = place.table("input.value").get("kwargs")
            yield given and json.dumps(given)


def _table(text: object) -> Mapping[str, Any]:
    try:
        found = json.loads(str(text))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
