"""From events to responses: pieces of an answer as they come, and the object around them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from pydantic import BaseModel

from synth.errors import SynthError, shown
from synth.events import Event, Finished, Token
from synth.schema import AsyncStreamingResponse, NodeWithScore, Response, StreamingResponse
from synth.trace import Trace


def make_response(
    result: Any, sources: list[NodeWithScore], traces: list[Trace]
) -> Response | StreamingResponse | AsyncStreamingResponse:
    """The response object for a text, an object or an iterator, with its sources.

    SynthError for anything else that a custom synthesizer may return.
    """
    metadata = {source.node.node_id: source.node.metadata for source in sources}
    if isinstance(result, str | BaseModel):
        return Response(result, sources, metadata, traces[0] if traces else None)
    if isinstance(result, AsyncIterator):
        return AsyncStreamingResponse(result, sources, metadata, traces)
    if isinstance(result, Iterator):
        return StreamingResponse(result, sources, metadata, traces)
    raise SynthError(
        f"The synthesizer's answer is {shown(result)}: it must be a string, an object of a"
        " pydantic model, or a generator of strings."
    )


def pieces(events: Iterator[Event], traces: list[Trace]) -> Iterator[str]:
    """The response as it comes: pieces of the verbatim call, or all at once at the end."""
    streamed = False
    for event in events:
        if isinstance(event, Token) and event.verbatim:
            streamed = streamed or bool(event.text)
            yield event.text
        if isinstance(event, Finished):
            yield from _rest(event, streamed, traces)


async def apieces(events: AsyncIterator[Event], traces: list[Trace]) -> AsyncIterator[str]:
    """`pieces`, for `async for`."""
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
    """A stream of one piece."""
    yield text
