"""The route to which applications of this machine send their spans: OTLP over HTTP.

Streamlit's websockets live in the same event loop, so all but the bytes is read in a thread.
"""

import asyncio
import logging
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from ui.received import MOST_REQUEST, TOO_LARGE
from ui.session import browser

_log = logging.getLogger(__name__)

PATH = "/v1/traces"
_PROTOBUF = "application/x-protobuf"
_PACKED = {"gzip", "deflate"}

_threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="receiver")


class OtlpAnswer(NamedTuple):
    """The status of HTTP, and why nothing was taken."""

    status: int
    words: str = ""


def load_first(module: str) -> Future[ModuleType]:
    """Import a module in the thread that reads spans, since two that import at once may fail."""
    loading = _threads.submit(import_module, module)
    loading.add_done_callback(Future.result)  # a failure is logged
    return loading


async def receive(request: Request) -> Response:
    """Take the spans of one request, and answer as OTLP says."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    packing = request.headers.get("content-encoding", "identity").strip().lower()
    loop = asyncio.get_running_loop()
    answer = _refuse(request, kind, packing)
    if answer is None:
        try:
            data = await _read(request)
        except ClientDisconnect:
            answer = OtlpAnswer(400, "The request ended in the middle.")
        else:
            answer = await loop.run_in_executor(_threads, _take, data, packing)
    return await loop.run_in_executor(_threads, _respond, answer)


def _refuse(request: Request, kind: str, packing: str) -> OtlpAnswer | None:
    """Say why nothing is taken from this peer, or of this kind; None if it is."""
    if "origin" in request.headers:
        return OtlpAnswer(403, "Spans are taken from applications, and a web page has sent these.")
    peer = "" if request.client is None else request.client.host
    if not browser.is_asked_from_here(request.headers, browser.is_loopback(peer)):
        return OtlpAnswer(403, "Spans are only taken on one's own machine, as docs/live.md says.")
    if kind != _PROTOBUF or packing not in {"identity", *_PACKED}:
        return OtlpAnswer(415, f"Send {_PROTOBUF}, as it is or packed with gzip.")
    return None


async def _read(request: Request) -> bytes:
    """Read the body, at most a little more than a request may have."""
    data = bytearray()
    async for part in request.stream():
        data += part
        if len(data) > MOST_REQUEST:
            break
    return bytes(data)


def _take(data: bytes, packing: str) -> OtlpAnswer:
    from ui.received import store  # noqa: PLC0415
    from ui.store.store import StoreError  # noqa: PLC0415

    if len(data) > MOST_REQUEST:
        return OtlpAnswer(413, TOO_LARGE)
    try:
        spans = store.decode(data, packed=packing in _PACKED)
        store.add(spans)
    except store.TooLargeError as problem:
        return OtlpAnswer(413, str(problem))
    except store.UnreadableError as problem:
        return OtlpAnswer(400, str(problem))
    except StoreError as problem:
        _log.warning("Received spans can't be kept: %s", problem)
        return OtlpAnswer(503, "The spans can't be kept now: send them again in a second.")
    return OtlpAnswer(200)


def _respond(answer: OtlpAnswer) -> Response:
    """Answer with an empty response of the export, or a Status."""
    headers = {503: {"Retry-After": "1"}}.get(answer.status)
    if answer.words:
        _log.warning("Spans were refused with %s: %s", answer.status, answer.words)
    from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as otlp  # noqa: PLC0415

    # A google.rpc.Status has its words where a partial success has them.
    status = otlp.ExportTracePartialSuccess(error_message=answer.words)
    return Response(status.SerializeToString(), answer.status, headers, _PROTOBUF)


ROUTE = Route(PATH, receive, methods=["POST"])
