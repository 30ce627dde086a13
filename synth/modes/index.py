"""BM25Index: the documents' retriever and query engine, on lexical retrieval."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import nlargest
from typing import Any, Unpack

from synth.errors import SynthError, TemplateError, require, whole
from synth.modes.base import BaseSynthesizer
from synth.modes.inputs import NodeLike, QueryLike, add_scores, as_templates, read_question
from synth.modes.registry import FactoryOptions, get_response_synthesizer
from synth.modes.responses import AsyncStreamingResponse, Response, StreamingResponse
from synth.prompts.templates import ChatPromptTemplate
from synth.schema import MetadataMode, NodeWithScore
from synth.text.words_and_sentences import telling_words

_PREFIX = "response_synthesizer:"  # before the names of a query engine's templates


class BM25Index:
    """Nodes that can be searched by the words of their text and metadata; SynthError if none."""

    def __init__(self, nodes: Iterable[NodeLike]) -> None:
        self.nodes = [found.node for found in add_scores(nodes)]
        if not self.nodes:
            raise SynthError("An index needs nodes and got none: give it one Node or more.")
        import bm25s  # noqa: PLC0415  slow to import, and chunks in their own order need none

        self._bm25 = bm25s.BM25()
        documents = [telling_words(node.get_content(MetadataMode.ALL)) for node in self.nodes]
        self._has_words = any(documents)
        if self._has_words:
            self._bm25.index(documents, show_progress=False)

    def search(self, query: str | QueryLike, similarity_top_k: int) -> list[NodeWithScore]:
        """Find the best nodes, best first, equal ones in their order; 0.0 without a shared word."""
        words = list(dict.fromkeys(telling_words(read_question(query))))
        scores = [0.0] * len(self.nodes)
        if words and self._has_words:
            scores = self._bm25.get_scores(words).tolist()
        best = nlargest(similarity_top_k, range(len(scores)), key=scores.__getitem__)
        return [NodeWithScore(self.nodes[index], scores[index]) for index in best]

    def as_retriever(self, similarity_top_k: int = 2) -> Retriever:
        """Make a retriever of `similarity_top_k` nodes for a query; SynthError if below 1."""
        return Retriever(self, similarity_top_k)

    def as_query_engine(
        self,
        response_synthesizer: BaseSynthesizer | None = None,
        similarity_top_k: int = 2,
        **options: Unpack[FactoryOptions],
    ) -> QueryEngine:
        """Make a query engine with the synthesizer or these options; SynthError for both."""
        if response_synthesizer is None:
            response_synthesizer = get_response_synthesizer(**options)
        elif options:
            raise SynthError(
                f"A response_synthesizer is given, and {', '.join(options)} as well: give the"
                " options to get_response_synthesizer instead."
            )
        return QueryEngine(self.as_retriever(similarity_top_k), response_synthesizer)


@dataclass(frozen=True)
class Retriever:
    """Finds `similarity_top_k` nodes of an index, or all where there are fewer."""

    index: BM25Index
    similarity_top_k: int

    def __post_init__(self) -> None:
        whole("similarity_top_k", self.similarity_top_k, least=1)

    def retrieve(self, query: str | QueryLike) -> list[NodeWithScore]:
        """Find the nodes that match the query best, best first; others come last."""
        return self.index.search(query, self.similarity_top_k)


@dataclass(frozen=True)
class QueryEngine:
    """Retrieves nodes for a query and has a synthesizer answer from them."""

    retriever: Retriever
    response_synthesizer: BaseSynthesizer

    def __post_init__(self) -> None:
        wanted = "what get_response_synthesizer makes, or response_mode= for a mode"
        require("response_synthesizer is", self.response_synthesizer, BaseSynthesizer, wanted)

    def get_prompts(self) -> dict[str, ChatPromptTemplate]:
        """Return the templates of the synthesizer, as `response_synthesizer:` and their names."""
        prompts = self.response_synthesizer.get_prompts()
        return {f"{_PREFIX}{name}": template for name, template in prompts.items()}

    def update_prompts(self, prompts: Mapping[str, ChatPromptTemplate]) -> None:
        """Replace templates by the names of `get_prompts`; TemplateError for any other name."""
        known = self.get_prompts()
        for name in as_templates(prompts):
            if name not in known:
                has = ", ".join(known) or "none"
                raise TemplateError(f"There is no template {name}; the engine's templates: {has}.")
        self.response_synthesizer.update_prompts(
            {name.removeprefix(_PREFIX): template for name, template in prompts.items()}
        )

    def query(
        self, /, query_str: str | QueryLike, **variables: Any
    ) -> Response | StreamingResponse:
        """Answer the query; `variables` fill those of the templates."""
        nodes = self.retriever.retrieve(query_str)
        return self.response_synthesizer.synthesize(query_str, nodes=nodes, **variables)

    async def aquery(
        self, /, query_str: str | QueryLike, **variables: Any
    ) -> Response | StreamingResponse | AsyncStreamingResponse:
        """Do as `query`, waiting with asyncio."""
        nodes = self.retriever.retrieve(query_str)
        return await self.response_synthesizer.asynthesize(query_str, nodes=nodes, **variables)
