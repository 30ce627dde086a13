"""The choice of the chunks that are sent, and their order: as listed, or the best first."""

from typing import NamedTuple

from synth import BM25Index, Node
from synth.text.remembered import remembered
from synth.text.tokens import get_tokenizer
from ui.settings.chunk_list import Chunks
from ui.settings.schema import Settings

_MOST_CHARACTERS = 8_000_000  # of all lists whose order and tokens are remembered


class Order(NamedTuple):
    """The positions (from 0) and scores of the chunks that are on; the first `sent` are sent."""

    positions: tuple[int, ...]
    scores: tuple[float | None, ...]
    sent: int


def order(settings: Settings) -> Order:
    """The order in which these settings send the chunks."""
    positions = tuple(position for position, chunk in enumerate(settings.chunks) if chunk.on)
    count = len(positions)
    if settings.selection == "all" or not count:
        return Order(positions, (None,) * count, count)
    retriever = _index(settings.chunks).as_retriever(similarity_top_k=count)
    nodes = retriever.retrieve(settings.query_str)
    return Order(
        tuple(int(node.node.node_id) for node in nodes),
        tuple(node.score for node in nodes),
        min(settings.similarity_top_k, count),
    )


@remembered(_MOST_CHARACTERS)
def _index(chunks: Chunks) -> BM25Index:
    return BM25Index(
        [
            Node(text=chunk.text, id_=str(position))
            for position, chunk in enumerate(chunks)
            if chunk.on
        ]
    )


@remembered(_MOST_CHARACTERS)
def token_counts(chunks: Chunks, tokenizer: str) -> list[int]:
    """The tokens of each chunk, counted with the tokenizer of this spec."""
    counts = get_tokenizer(tokenizer)
    texts = [chunk.text for chunk in chunks]
    counts.prepare(texts)
    return list(map(counts.count, texts))
