"""Nodes that go in and responses that come out, under the names of llama-index-core."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain
from typing import Any, Generic, TypeVar

from pydantic import BaseModel
from typing_extensions import override

from synth.errors import SynthError, shown
from synth.trace import Trace


class MetadataMode(StrEnum):
    """Which metadata stand above a node's text when it is read; its string does as well."""

    ALL = "all"
    LLM = "llm"
    NONE = "none"


@dataclass(frozen=True)
class Node:
    """A chunk with its metadata.

    For the LLM the text has one `key: value` line a metadatum above it, and a blank line
    between, as in llama-index-core; keys in `excluded_llm_metadata_keys` are left out.
    SynthError for a text that is no string, metadata that are no mapping, keys in no list.
    """

    text: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    excluded_llm_metadata_keys: Sequence[str] | Set[str] = ()
    id_: str = field(default_factory=lambda: str(uuid.uuid4()))

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise SynthError(f"The text of a Node is {shown(self.text)}: give a string.")
        if not isinstance(self.metadata, Mapping):
            raise SynthError(
                f"The metadata of a Node are {shown(self.metadata)}: give a dict, or none."
            )
        if not isinstance(self.excluded_llm_metadata_keys, list | tuple | Set):
            raise SynthError(
                f"excluded_llm_metadata_keys is {shown(self.excluded_llm_metadata_keys)}: give a"
                " list of keys."
            )

    @property
    def node_id(self) -> str:
        """The node's id."""
        return self.id_

    def get_content(self, metadata_mode: MetadataMode | str = MetadataMode.NONE) -> str:
        """The text, with the metadata lines that `metadata_mode` asks for.

        SynthError for a mode that there is not.
        """
        if metadata_mode not in list(MetadataMode):  # a list compares by value, not by hash
            raise SynthError(
                f"There is no metadata mode {metadata_mode!r}: {', '.join(MetadataMode)} are."
            )
        if metadata_mode == MetadataMode.NONE:
            return self.text
        hidden = self.excluded_llm_metadata_keys if metadata_mode == MetadataMode.LLM else ()
        lines = [f"{key}: {value}" for key, value in self.metadata.items() if key not in hidden]
        above = "\n".join(lines).strip()
        return f"{above}\n\n{self.text}".strip() if above else self.text


TextNode = Document = Node  # what LlamaIndex calls a chunk and a whole text


@dataclass(frozen=True)
class NodeWithScore:
    """A node and how well it matched the query, or None where nothing ranked it."""

    node: Node
    score: float | None = None

    def __post_init__(self) -> None:
        if not hasattr(self.node, "get_content"):
            raise SynthError(
                f"The node of a NodeWithScore is {shown(self.node)}: give Node(text=...)."
            )

    @property
    def text(self) -> str:
        """The node's text."""
        return self.node.text

    def get_content(self, metadata_mode: MetadataMode | str = MetadataMode.NONE) -> str:
        """The node's content."""
        return self.node.get_content(metadata_mode)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 3] + "..."


def _text(source: NodeWithScore) -> str:
    return source.node.get_content(MetadataMode.NONE)  # a node of llama-index may have no `text`


class _Sourced:
    """What every response can say of the nodes that it was made from."""

    source_nodes: list[NodeWithScore]

    def get_formatted_sources(self, length: int = 100) -> str:
        """One paragraph a source: its id, and its text cut to `length` characters."""
        return "\n\n".join(
            f"> Source (Doc id: {source.node.node_id}): {_cut(_text(source), length)}"
            for source in self.source_nodes
        )


@dataclass
class Response(_Sourced):
    """An answer: text, or an object of `output_cls`; and the trace of the run that made it."""

    response: str | BaseModel
    source_nodes: list[NodeWithScore] = field(default_factory=list)
    metadata: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    trace: Trace | None = None

    def __str__(self) -> str:
        if isinstance(self.response, str):
            return self.response
        return self.response.model_dump_json()


Pieces = TypeVar("Pieces", Iterator[str], AsyncIterator[str])


@dataclass
class _Streaming(_Sourced, Generic[Pieces]):
    """What both kinds of stream have: the pieces to come, those that were read, the trace."""

    response_gen: Pieces
    source_nodes: list[NodeWithScore] = field(default_factory=list)
    metadata: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    traces: list[Trace] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self._read: list[str] = []
        self.response_gen = self._keeping(self.response_gen)

    def _keeping(self, pieces: Pieces) -> Pieces:
        raise NotImplementedError

    @property
    def trace(self) -> Trace | None:
        """The trace of the run, once the stream has ended."""
        return self.traces[-1] if self.traces else None


class StreamingResponse(_Streaming[Iterator[str]]):
    """An answer that is still coming; read `response_gen`, or wait for all of it with `str()`.

    What was read is kept, so both may be used, in any order. The trace is there at the end.
    """

    @override
    def _keeping(self, pieces: Iterator[str]) -> Iterator[str]:
        for piece in pieces:
            self._read.append(piece)
            yield piece

    @property
    def response(self) -> str:
        """The whole text; waits for the end of the stream."""
        for _ in self.response_gen:
            pass
        return "".join(self._read)

    def get_response(self) -> Response:
        """The finished response; waits for the end of the stream."""
        return Response(self.response, self.source_nodes, self.metadata, self.trace)

    def print_response_stream(self) -> None:
        """Print what was read already, and then each piece as it comes."""
        for piece in chain(tuple(self._read), self.response_gen):
            print(piece, end="", flush=True)

    def __str__(self) -> str:
        return self.response


class AsyncStreamingResponse(_Streaming[AsyncIterator[str]]):
    """An answer that is still coming, for `async for`; `get_response` waits for all of it."""

    @override
    async def _keeping(self, pieces: AsyncIterator[str]) -> AsyncIterator[str]:
        async for piece in pieces:
            self._read.append(piece)
            yield piece

    def async_response_gen(self) -> AsyncIterator[str]:
        """The pieces that are still to come."""
        return self.response_gen

    async def get_response(self) -> Response:
        """The finished response."""
        async for _ in self.response_gen:
            pass
        return Response("".join(self._read), self.source_nodes, self.metadata, self.trace)

    async def print_response_stream(self) -> None:
        """Print what was read already, and then each piece as it comes."""
        print("".join(self._read), end="", flush=True)
        async for piece in self.response_gen:
            print(piece, end="", flush=True)
