"""Responses, under the names of llama-index-core, and how the events of a run become one."""

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel
from typing_extensions import override

from synth.errors import SynthError, describe, short
from synth.runs.events import Event, Finished, Token
from synth.runs.trace import InNotebooks, Trace
from synth.schema import MetadataMode, NodeWithScore


def _text(source: NodeWithScore) -> str:
    return source.node.get_content(MetadataMode.NONE)  # a node of llama-index may have no `text`


class _Sourced:
    source_nodes: list[NodeWithScore]
    _id_label: ClassVar[str] = "Doc id"

    def get_formatted_sources(self, length: int = 100) -> str:
        """Return one paragraph for each source: its id, and its text cut to `length` characters."""
        return "\n\n".join(
            f"> Source ({self._id_label}: {source.node.node_id}): {short(_text(source), length)}"
            for source in self.source_nodes
        )


@dataclass
class Response(_Sourced, InNotebooks):
    """An answer: text, or an object of `output_cls`; and the trace of the run that made it."""

    response: str | BaseModel
    source_nodes: list[NodeWithScore] = field(default_factory=list)
    metadata: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    trace: Trace | None = None

    def to_dict(self) -> dict[str, Any]:
        """Write all of it as plain data for JSON; an object of `output_cls` as its fields."""
        response = self.response
        return {
            "response": response if isinstance(response, str) else response.model_dump(mode="json"),
            "source_nodes": [
                {
                    "node_id": source.node.node_id,
                    "text": _text(source),
                    "metadata": dict(source.node.metadata),
                    "score": source.score,
                }
                for source in self.source_nodes
            ],
            "trace": None if self.trace is None else self.trace.to_dict(),
        }

    def __str__(self) -> str:
        if isinstance(self.response, str):
            return self.response
        return self.response.model_dump_json()


Pieces = TypeVar("Pieces", Iterator[str], AsyncIterator[str])


@dataclass
class _Streaming(_Sourced, Generic[Pieces]):
    response_gen: Pieces
    source_nodes: list[NodeWithScore] = field(default_factory=list)
    metadata: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    traces: list[Trace] = field(default_factory=list, repr=False)
    _id_label: ClassVar[str] = "Node id"  # as in llama-index-core

    def __post_init__(self) -> None:
        self._read: list[str] = []
        self.response_gen = self._keeping(self.response_gen)

    def _keeping(self, pieces: Pieces) -> Pieces:
        raise NotImplementedError

    @property
    def trace(self) -> Trace | None:
        """Return the trace of the run, once the stream has ended."""
        return self.traces[-1] if self.traces else None


class StreamingResponse(_Streaming[Iterator[str]]):
    """An answer that is still coming: read `response_gen`, or wait for all of it with `str()`."""

    @override
    def _keeping(self, pieces: Iterator[str]) -> Iterator[str]:
        for piece in pieces:
            self._read.append(piece)
            yield piece

    @property
    def response(self) -> str:
        """Wait for the end of the stream, and return the whole text."""
        for _ in self.response_gen:
            pass
        return "".join(self._read)

    def get_response(self) -> Response:
        """Wait for the end of the stream, and return the response."""
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
        """Return the pieces that are still to come."""
        return self.response_gen

    async def get_response(self) -> Response:
        """Return the finished response."""
        async for _ in self.response_gen:
            pass
        return Response("".join(self._read), self.source_nodes, self.metadata, self.trace)

    async def print_response_stream(self) -> None:
        """Print what was read already, and then each piece as it comes."""
        print("".join(self._read), end="", flush=True)
        async for piece in self.response_gen:
            print(piece, end="", flush=True)


def make_response(
    result: Any, sources: list[NodeWithScore], traces: list[Trace]
) -> Response | StreamingResponse | AsyncStreamingResponse:
    """Make the response of a text, an object or an iterator; SynthError for anything else."""
    metadata = {source.node.node_id: source.node.metadata for source in sources}
    if isinstance(result, str | BaseModel):
        return Response(result, sources, metadata, traces[0] if traces else None)
    if isinstance(result, AsyncIterator):
        return AsyncStreamingResponse(result, sources, metadata, traces)
    if isinstance(result, Iterator):
        return StreamingResponse(result, sources, metadata, traces)
    raise SynthError(
        f"The synthesizer's answer is {describe(result)}: it must be a string, an object of a"
        " pydantic model, or a generator of strings."
    )


def pieces(events: Iterator[Event], traces: list[Trace]) -> Iterator[str]:
    """Yield the response as it comes: pieces of the verbatim call, or all at once at the end."""
    streamed = False
    for event in events:
        if isinstance(event, Token) and event.verbatim:
            streamed = streamed or bool(event.text)
            yield event.text
        if isinstance(event, Finished):
            yield from _rest(event, streamed, traces)


async def apieces(events: AsyncIterator[Event], traces: list[Trace]) -> AsyncIterator[str]:
    """Do as `pieces`, for `async for`."""
    streamed = False
    async for event in events:
        if isinstance(event, Token) and event.verbatim:
            streamed = streamed or bool(event.text)
            yield event.text
        if isinstance(event, Finished):
            for piece in _rest(event, streamed, traces):
                yield piece


def _rest(end: Finished, streamed: bool, traces: list[Trace]) -> Iterator[str]:
    traces.append(end.trace)
    if end.error is not None:
        raise end.error
    if not streamed:
        yield end.trace.response or ""


async def once(text: str) -> AsyncIterator[str]:
    """Yield a stream of one piece."""
    yield text
