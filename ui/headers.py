"""The headers with which every response tells a browser what the pages may do.

Streamlit sends none. No script in the HTML of a page runs but that of Streamlit's own first page.
"""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
