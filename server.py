"""The server that people start: the app, whose first words stand before its code has come.

Its headers tell a browser with every response what the pages may do; Streamlit sends none. No
script in the HTML of a page runs but that of Streamlit's own first page.
"""

import os
import re
import signal
import webbrowser
from base64 import b64encode
from collections.abc import AsyncIterator
from concurrent.futures import wait
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from threading import Timer

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from synth.terminal import FILES
from ui.received.receiver import ROUTE, load_first

_PAGE = Path(st.__file__).parent / "static" / "index.html"
_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def _hashes(html: str) -> str:
    """What allows the scripts that stand in this HTML, and no other text."""
    digests = (sha256(script.encode()).digest() for script in _INLINE.findall(html))
    return " ".join(f"'sha256-{b64encode(digest).decode()}'" for digest in digests)


_POLICY = {
    "default-src": "'none'",
    "script-src": f"'self' blob: {_hashes(_PAGE.read_text('utf-8'))}",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
_UNUSED = ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")
_HEADERS = {
    "content-security-policy": "; ".join(f"{kind} {of}" for kind, of in _POLICY.items()),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": ", ".join(f"{name}=()" for name in _UNUSED),
    "referrer-policy": "same-origin",  # the id of a workspace stands in the address
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


class Guarded:
    """Middleware that adds the headers, and shows nobody what Streamlit measures of itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; a websocket goes through as it is."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        begun = False

        async def guarded(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        closed = scope["path"].rstrip("/").endswith("/_stcore/metrics")
        try:
            await (Response(status_code=404) if closed else self._app)(scope, receive, guarded)
        except Exception:  # else Starlette answers, outside of all middleware
            if not begun:
                await Response("Internal Server Error", 500)(scope, receive, guarded)
            raise


@asynccontextmanager
async def _lifespan(_: st.App) -> AsyncIterator[None]:
    """Load what pages need before one is opened; at the end stop all runs, and let Python exit.

    A run would go on to the end of its batch, since Python waits for the threads that make its
    calls. One of Python's exit handlers saves the latest edits: once all connections are closed,
    uvicorn would kill the process by the signal that stopped it. No module can be loaded once
    Python ends, so the loading ends first.
    """
    loading = load_first("ui.frame")
    if FILES:  # the port is this server's, and it listens in a moment
        url = f"http://{st.get_option('server.address')}:{st.get_option('server.port')}"
        Timer(1, webbrowser.open, [url]).start()
    yield
    wait([loading])
    from ui.session.workspace import registry  # noqa: PLC0415  a server starts without it

    for space in registry().all():
        space.stop()
    if os.name == "posix":  # Windows blocks no signals
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])


def _say(problem: Exception) -> bool:
    """Say that a page failed as nobody foresaw; Streamlit itself would speak of its cloud."""
    from ui.look.elements import error_box  # noqa: PLC0415  a server starts without it

    error_box(
        "This page fails.",
        f"It is a defect of this app ({type(problem).__name__}): load the page again, or go on with"
        " another one. If it comes back, report it with what the log of the server says.",
    )
    return True


app = st.App(
    "app.py",
    routes=[ROUTE],
    lifespan=_lifespan,
    on_script_error=_say,
    middleware=[Middleware(Guarded)],
)
