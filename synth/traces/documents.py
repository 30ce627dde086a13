"""The chunks of a recorded run as nodes, with what the retriever said of them."""

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import isfinite
from typing import Any

from synth.schema import MetadataMode, Node, NodeWithScore
from synth.traces.spans import SpanTree, TraceSpan, parse
from synth.traces.vocabularies import read_texts

_FIELDS = re.compile(
    r"(?:retrieval\.documents|reranker\.output_documents)\.(?P<number>\d+)"
    r"\.document\.(?P<field>\w+)"
)
_LOOKED_THROUGH = 100  # documents, for the one that a chunk is


@dataclass(frozen=True)
class FoundNodes:
    """What a retriever or a reranker found; `lost` of the documents are not in the trace."""

    nodes: tuple[NodeWithScore, ...] = ()
    lost: int = 0


def find_nodes_before(tree: SpanTree, spans: Sequence[TraceSpan]) -> Iterator[FoundNodes]:
    """Give what was found last before each of these spans began, the nearest to it in the tree."""
    holders = deque(span for span in tree.spans if any(map(_FIELDS.fullmatch, span.attributes)))
    latest: dict[str | None, TraceSpan] = {}  # by a span's id, in it; by None, in the trace
    documents: dict[str, FoundNodes] = {}
    for span in spans:
        while holders and holders[0].start <= span.start:
            holder = holders.popleft()
            latest |= dict.fromkeys(_places(tree, holder), holder)
        nearest = next((latest[place] for place in _places(tree, span) if place in latest), None)
        if nearest is None:
            yield FoundNodes()
        else:
            if nearest.span_id not in documents:
                documents[nearest.span_id] = _documents(nearest)
            yield documents[nearest.span_id]


def find_texts(messages: Sequence[tuple[str, str]]) -> list[str]:
    """Return the texts in the messages of a call: what tools gave, and the items of a list."""
    texts = []
    for role, text in messages:
        value = parse(text)
        items = [] if isinstance(value, str) else read_texts(value)
        texts += items or ([text] if role == "tool" else [])
    return texts


def _places(tree: SpanTree, span: TraceSpan) -> Iterator[str | None]:
    yield from (parent.span_id for parent in tree.above(span))
    yield None


def _documents(span: TraceSpan) -> FoundNodes:
    rows: dict[int, dict[str, Any]] = {}
    for name, value in span.attributes.items():
        if field := _FIELDS.fullmatch(name):
            read = span.table(name) if field["field"] == "metadata" else value
            rows.setdefault(int(field["number"]), {})[field["field"]] = read
    # Where attributes are lost, a document loses its id first; an empty content is not recorded.
    whole = {number: row for number, row in rows.items() if {"id", "content"} & row.keys()}
    nodes = tuple(_node(number, whole[number]) for number in sorted(whole))
    return FoundNodes(nodes, max(rows) + 1 - len(whole))


def _node(number: int, row: Mapping[str, Any]) -> NodeWithScore:
    identifier = str(row.get("id") or f"document {number + 1}")
    node = Node(str(row.get("content", "")), row.get("metadata", {}), id_=identifier)
    return NodeWithScore(node, _score(row.get("score")))


def _score(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        score = float(value)
    except (ValueError, OverflowError):
        return None
    return score if isfinite(score) else None


def make_nodes(texts: Sequence[str] | None, found: FoundNodes) -> tuple[NodeWithScore, ...]:
    """Make nodes that read as the texts; each document belongs to the first text that holds it."""
    if texts is None:
        return found.nodes
    rest = ((one.text.strip() or one.get_content(MetadataMode.LLM), one) for one in found.nodes)
    waiting = list(islice(rest, _LOOKED_THROUGH))
    made = []
    for number, text in enumerate(texts, 1):
        made.append(_chunk(number, text, waiting))
        waiting += islice(rest, _LOOKED_THROUGH - len(waiting))
    return tuple(made)


def _chunk(number: int, text: str, waiting: list[tuple[str, NodeWithScore]]) -> NodeWithScore:
    for place, (content, candidate) in enumerate(waiting):
        if content in text if content else not text.strip():
            del waiting[place]
            return NodeWithScore(_reading(candidate.node, text), candidate.score)
    return NodeWithScore(Node(text, id_=f"chunk {number}"))


def _reading(node: Node, text: str) -> Node:
    return next(
        (each for each in _variants(node, text) if each.get_content(MetadataMode.LLM) == text),
        Node(text, node.metadata, frozenset(node.metadata), node.id_),
    )


def _variants(node: Node, text: str) -> Iterator[Node]:
    yield node
    above = text[: text.find(node.text.strip()) if node.text.strip() else None]
    lines = set(above.splitlines())
    hidden = {key for key, value in node.metadata.items() if f"{key}: {value}" not in lines}
    yield Node(node.text, node.metadata, hidden, node.id_)
    yield Node(node.text.strip(), node.metadata, hidden, node.id_)
