"""The choice of the chunks that are sent, and their order: as listed, or the best first."""

from __future__ import annotations

from typing import NamedTuple

from synth import BM25Index, Node
from synth.tokens import get_tokenizer
from ui.session import workspace
from ui.settings.chunk_list import Chunks
from ui.settings.names import Lookup


class Order(NamedTuple):
    """The positions (from 0) and scores of the chunks that are on; the first `sent` are sent."""

    positions: tuple[int, ...]
    scores: tuple[float | None, ...]
    sent: int


def order(question: str, chunks: Chunks, settings: Lookup) -> Order:
    """The order in which these settings send the chunks."""
    positions = tuple(position for position, chunk in enumerate(chunks) if chunk.on)
    count = len(positions)
    if settings("selection") == "all" or not count:
        return Order(positions, (None,) * count, count)
    index = workspace.current().remembered("index", chunks, lambda: _index(chunks))
    nodes = index.as_retriever(similarity_top_k=count).retrieve(question)
    return Order(
        tuple(int(node.node.node_id) for node in nodes),
        tuple(node.score for node in nodes),
        min(int(settings("top_k")), count),
    )


def _index(chunks: Chunks) -> BM25Index:
    return BM25Index(
        [
            Node(text=chunk.text, id_=str(position))
            for position, chunk in enumerate(chunks)
            if chunk.on
        ]
    )


def token_counts(chunks: Chunks, encoding: str) -> list[int]:
    """The tokens of each chunk, counted with this encoding."""
    count = get_tokenizer(encoding).count
    return workspace.current().remembered(
        "tokens", (encoding, chunks), lambda: [count(chunk.text) for chunk in chunks]
    )
