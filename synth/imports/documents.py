"""The chunks of a recorded run as nodes, with what the retriever said of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synth.imports.spans import TraceSpan
from synth.imports.tree import SpanTree
from synth.schema import MetadataMode, Node, NodeWithScore

_FIELDS = re.compile(
    r"(?:retrieval\.documents|reranker\.output_documents)\.(?P<number>\d+)"
    r"\.document\.(?P<field>\w+)"
)


_LOOKED_THROUGH = 1_000  # documents, for the one that a chunk is


@dataclass(frozen=True)
class Found:
    """What a retriever or a reranker found; `lost` of the documents are not in the trace."""

    nodes: tuple[NodeWithScore, ...] = ()
    lost: int = 0


def document_spans(tree: SpanTree) -> list[TraceSpan]:
    """The spans of retrievers and rerankers that name documents, in order."""
    return [span for span in tree.spans if any(map(_FIELDS.fullmatch, span.attributes))]


def found_before(tree: SpanTree, holders: Sequence[TraceSpan], root: TraceSpan) -> Found:
    """What was found last before this span began, the nearest to it in the tree.

    `holders` are the tree's spans that name documents.
    """
    distances = {parent.span_id: number for number, parent in enumerate(tree.above(root))}

    def distance(holder: TraceSpan) -> int:
        parents = (distances.get(parent.span_id) for parent in tree.above(holder))
        return next((number for number in parents if number is not None), len(distances))

    earlier = [span for span in holders if span.start <= root.start]
    if not earlier:
        return Found()
    return _documents(min(earlier, key=lambda span: (distance(span), -span.start)))


def _documents(span: TraceSpan) -> Found:
    rows: dict[int, dict[str, Any]] = {}
    for name, value in span.attributes.items():
        if field := _FIELDS.fullmatch(name):
            read = span.table(name) if field["field"] == "metadata" else value
            rows.setdefault(int(field["number"]), {})[field["field"]] = read
    # Where attributes are lost, a document loses its id first; an empty content is not recorded.
    whole = {number: row for number, row in rows.items() if {"id", "content"} & row.keys()}
    nodes = tuple(_node(number, whole[number]) for number in sorted(whole))
    return Found(nodes, max(rows) + 1 - len(whole))


def _node(number: int, row: Mapping[str, Any]) -> NodeWithScore:
    try:
        score = None if row.get("score") is None else float(row["score"])
    except (TypeError, ValueError):
        score = None
    identifier = str(row.get("id") or f"document {number + 1}")
    return NodeWithScore(
        Node(str(row.get("content", "")), row.get("metadata", {}), id_=identifier), score
    )


def chunks(texts: Sequence[str] | None, found: Found) -> tuple[NodeWithScore, ...]:
    """The texts as nodes that read exactly so; without texts, the documents that were found.

    A document belongs to the first text that holds its content.
    """
    if texts is None:
        return found.nodes
    waiting = list(found.nodes)
    return tuple(_chunk(number, text, waiting) for number, text in enumerate(texts, 1))


def _chunk(number: int, text: str, waiting: list[NodeWithScore]) -> NodeWithScore:
    for place, candidate in enumerate(waiting[:_LOOKED_THROUGH]):
        content = candidate.text.strip() or candidate.get_content(MetadataMode.LLM)
        if content in text if content else not text.strip():
            del waiting[place]
            return NodeWithScore(_reading(candidate.node, text), candidate.score)
    return NodeWithScore(Node(text, id_=f"chunk {number}"))


def _reading(node: Node, text: str) -> Node:
    """The node, made to read as the text: with the metadata lines that stand in it."""
    return next(
        (each for each in _variants(node, text) if each.get_content(MetadataMode.LLM) == text),
        Node(text, node.metadata, tuple(node.metadata), node.id_),
    )


def _variants(node: Node, text: str) -> Iterator[Node]:
    yield node
    above = text[: text.find(node.text.strip()) if node.text.strip() else None].splitlines()
    hidden = [key for key, value in node.metadata.items() if f"{key}: {value}" not in above]
    yield Node(node.text, node.metadata, hidden, node.id_)
    yield Node(node.text.strip(), node.metadata, hidden, node.id_)
