"""The route to which applications send their spans: OTLP over HTTP.

Streamlit's websockets live in the same event loop, so all but the bytes is read in a thread.
"""

import asyncio
import json
import logging
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import import_module
from types import ModuleType
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from ui.received import access
from ui.received.access import MOST_HELD, MOST_REQUEST, TOO_LARGE, OtlpAnswer

_log = logging.getLogger(__name__)

PATH = "/v1/traces"
_PATIENCE = 30.0  # seconds in which the body of a request comes
_JSON, _PROTOBUF = "application/json", "application/x-protobuf"
_PACKED = {"gzip", "deflate"}

_threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="receiver")


def load_first(module: str) -> Future[ModuleType]:
    """Import a module in the thread that reads spans, since two that import at once may fail."""
    loading = _threads.submit(import_module, module)
    loading.add_done_callback(Future.result)  # a failure is logged
    return loading


class _UnderWay:
    """The bytes of the requests that are under way; only the event loop counts them."""

    bytes = 0


async def receive(request: Request) -> Response:
    """Take the spans of one request, and answer as OTLP says."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    data = bytearray()
    try:
        answer = await _answer(request, kind, data)
    finally:
        _UnderWay.bytes -= len(data)
    return await asyncio.get_running_loop().run_in_executor(_threads, _response, answer, kind)


async def _answer(request: Request, kind: str, data: bytearray) -> OtlpAnswer:
    peer = "" if request.client is None else request.client.host
    if (refused := access.refusal(request.headers, peer)) is not None:
        return refused
    packing = request.headers.get("content-encoding", "identity").strip().lower()
    if kind not in (_JSON, _PROTOBUF) or packing not in {"identity", *_PACKED}:
        return OtlpAnswer(415, f"Send {_PROTOBUF} or {_JSON}, as it is or packed with gzip.")
    try:
        async with asyncio.timeout(_PATIENCE):
            problem = await _read(request, data)
    except TimeoutError:
        return OtlpAnswer(503, f"The request did not come within {_PATIENCE:g} s: send it again.")
    except ClientDisconnect:
        return OtlpAnswer(400, "The request ended in the middle.")
    if problem is not None:
        return problem
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_threads, _take, bytes(data), kind, packing)


async def _read(request: Request, data: bytearray) -> OtlpAnswer | None:
    """Read the body; why it is not read to its end, if it is not."""
    async for part in request.stream():
        if len(data) + len(part) > MOST_REQUEST:
            return OtlpAnswer(413, TOO_LARGE)
        if _UnderWay.bytes + len(part) > MOST_HELD:
            return OtlpAnswer(503, "Too many spans come at once: send them again in a second.")
        data += part
        _UnderWay.bytes += len(part)
    return None


def _take(data: bytes, kind: str, packing: str) -> OtlpAnswer:
    from ui.received import decoding, store  # noqa: PLC0415
    from ui.store.errors import StoreError  # noqa: PLC0415

    try:
        batch = decoding.decode(data, is_json=kind == _JSON, packed=packing in _PACKED)
        refused = store.add(batch.spans)
    except decoding.TooLargeError as problem:
        return OtlpAnswer(413, str(problem))
    except decoding.UnreadableError as problem:
        return OtlpAnswer(400, str(problem))
    except StoreError as problem:
        _log.warning("Received spans can't be kept: %s", problem)
        return OtlpAnswer(503, "The spans can't be kept now: send them again in a second.")
    words = f"{refused:,} {store.TOO_LONG}" if refused else ""
    return OtlpAnswer(200, batch.words or words, batch.refused + refused)


def _response(answer: OtlpAnswer, kind: str) -> Response:
    """The answer in the form of the request: a response of the export, or else a Status."""
    headers = {503: {"Retry-After": "1"}, 401: {"WWW-Authenticate": "Bearer"}}.get(answer.status)
    if kind == _JSON:
        content = json.dumps(_as_json(answer))
        return Response(content, answer.status, headers, _JSON)
    from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as otlp  # noqa: PLC0415

    partial = otlp.ExportTracePartialSuccess(
        rejected_spans=answer.refused, error_message=answer.words
    )
    if answer.status != 200:  # a google.rpc.Status, which has its words where this has them
        return Response(partial.SerializeToString(), answer.status, headers, _PROTOBUF)
    message = otlp.ExportTraceServiceResponse(partial_success=partial if answer.words else None)
    return Response(message.SerializeToString(), answer.status, headers, _PROTOBUF)


def _as_json(answer: OtlpAnswer) -> dict[str, Any]:
    if answer.status != 200:
        return {"message": answer.words}
    if not answer.words:
        return {}
    return {"partialSuccess": {"rejectedSpans": str(answer.refused), "errorMessage": answer.words}}


ROUTE = Route(PATH, receive, methods=["POST"])
