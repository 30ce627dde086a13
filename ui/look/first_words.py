"""The first words of the app, in the HTML with which Streamlit begins each page.

That HTML is empty until Streamlit's code has come, two megabytes, and has connected. On a slow
line these words are there meanwhile; `page.js` takes them away when the page is drawn.
"""

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from synth.html.markup import tag
from ui.look.theme import image_colours

NAME = "Synthesis playground"
HEADLINE = "Retrieval found the chunks. Now they must become one answer."
SUBTITLE = (
    "Compare the response modes of LlamaIndex by calls, tokens and text cut off, before you pay."
)

_RULES = """#first-words { position: fixed; inset: 0; padding: 21px 27px; line-height: 1.35;
  background: var(--paper); color: var(--ink); font: 14px "Source Sans", sans-serif; }
#first-words b { font-size: 16.5px; }
#first-words p { color: var(--muted); margin-top: 28px; }"""
_STYLE = image_colours(_RULES).replace(":root", "#first-words") + _RULES
_WORDS = tag("div", tag("b", NAME), tag("p", tag("b", HEADLINE), " ", SUBTITLE), id="first-words")
_WITHOUT_SCRIPTS = "<noscript><style>#first-words { position: static; }</style></noscript>"
_CHANGES = (
    (b"<title>Streamlit</title>", f"<title>{NAME}</title><style>{_STYLE}</style>".encode()),
    (b"</body>", f"{_WORDS}{_WITHOUT_SCRIPTS}</body>".encode()),
)
_OF_THE_FILE = ("accept-encoding", "if-none-match", "if-modified-since", "range")
"""Headers of a request that ask for something else than the whole file as text."""


class FirstWords:
    """Middleware that puts the words into each page that a browser opens."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; what is no page goes through as it is."""
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self._app(scope, receive, send)
            return
        asked = [one for one in scope["headers"] if one[0].decode() not in _OF_THE_FILE]
        start: Message = {}
        parts: list[bytes] = []

        async def take(message: Message) -> None:  # it is sent when all of it is there
            if message["type"] == "http.response.start":
                start.update(message)
                return
            parts.append(message.get("body", b""))
            if not message.get("more_body"):
                body = _with_words(MutableHeaders(scope=start), b"".join(parts))
                await send(start)
                await send({"type": "http.response.body", "body": body})

        await self._app({**scope, "headers": asked, "extensions": {}}, receive, take)


def _with_words(headers: MutableHeaders, body: bytes) -> bytes:
    """The body of a response, with the words if it is Streamlit's page."""
    if not body or not headers.get("content-type", "").startswith("text/html"):
        return body
    for before, after in _CHANGES:
        body = body.replace(before, after)
    headers["content-length"] = str(len(body))
    for name in ("etag", "last-modified"):
        del headers[name]
    return body
