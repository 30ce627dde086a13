"""BM25Index: the documents' retriever and query engine, on lexical retrieval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import Any

from synth.errors import SynthError
from synth.ranking import Ranking
from synth.response_synthesizers.base import BaseSynthesizer
from synth.response_synthesizers.factory import get_response_synthesizer
from synth.schema import (
    AsyncStreamingResponse,
    MetadataMode,
    Node,
    NodeWithScore,
    Response,
    StreamingResponse,
)
from synth.sizes import whole


class BM25Index:
    """Nodes that can be searched by the words of their text and metadata.

    Scores that came with the nodes are dropped. SynthError if there are no nodes.
    """

    def __init__(self, nodes: Sequence[Node | NodeWithScore]) -> None:
        if not nodes:
            raise SynthError("An index needs nodes and got none: give it one Node or more.")
        self.nodes = [node.node if isinstance(node, NodeWithScore) else node for node in nodes]
        self._ranking = Ranking([node.get_content(MetadataMode.ALL) for node in self.nodes])

    def search(self, query: str, similarity_top_k: int) -> list[NodeWithScore]:
        """The best nodes, best first, equal ones in their order; 0.0 where no word is shared."""
        scores = self._ranking.scores(query)
        best = nlargest(similarity_top_k, range(len(scores)), key=scores.__getitem__)
        return [NodeWithScore(self.nodes[index], scores[index]) for index in best]

    def as_retriever(self, similarity_top_k: int = 2) -> Retriever:
        """What finds `similarity_top_k` nodes for a query; SynthError if that is below 1."""
        return Retriever(self, similarity_top_k)

    def as_query_engine(
        self,
        response_synthesizer: BaseSynthesizer | None = None,
        similarity_top_k: int = 2,
    ) -> QueryEngine:
        """What answers a query from `similarity_top_k` nodes, unless told by the offline model."""
        synthesizer = response_synthesizer or get_response_synthesizer()
        return QueryEngine(self.as_retriever(similarity_top_k), synthesizer)


@dataclass(frozen=True)
class Retriever:
    """Finds `similarity_top_k` nodes of an index, or all where there are fewer."""

    index: BM25Index
    similarity_top_k: int

    def __post_init__(self) -> None:
        whole("similarity_top_k", self.similarity_top_k, least=1)

    def retrieve(self, query: str) -> list[NodeWithScore]:
        """The nodes that match the query best, best first; nodes that don't match come last."""
        return self.index.search(query, self.similarity_top_k)


@dataclass(frozen=True)
class QueryEngine:
    """Retrieves nodes for a query and has a synthesizer answer from them."""

    retriever: Retriever
    response_synthesizer: BaseSynthesizer

    def query(self, query_str: str, **variables: Any) -> Response | StreamingResponse:
        """The response to the query; `variables` fill those of the templates."""
        nodes = self.retriever.retrieve(query_str)
        return self.response_synthesizer.synthesize(query_str, nodes=nodes, **variables)

    async def aquery(
        self, query_str: str, **variables: Any
    ) -> Response | StreamingResponse | AsyncStreamingResponse:
        """`query`, waiting with asyncio."""
        nodes = self.retriever.retrieve(query_str)
        return await self.response_synthesizer.asynthesize(query_str, nodes=nodes, **variables)
