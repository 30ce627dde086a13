"""The error texts of servers, made readable."""

import re

import openai

from synth.llms.echoes import hiding
from synth.llms.retries import retry_after
from synth.text.wording import counted

_LONGEST = 500  # characters that are shown
_HEAD = 5_000  # characters that are read; the title of a web page stands in them
_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)


class ErrorSent(Exception):
    """A reply with a status of success holds an error, which is `body`."""

    def __init__(self, body: object) -> None:
        super().__init__("an error in place of an answer")
        self.body = body


def complaint(error: Exception) -> str:
    """The whole text of a server's error, to search for words in it."""
    return f"{error} {getattr(error, 'body', '')}"


def said(text: str, secret: str) -> str:
    """The beginning of what a server says, in which the secret can't be read."""
    return hiding(secret)(text[:_HEAD])


def words(error: Exception, secret: str) -> str:
    """The server's message as a sentence, without the secret; "" if it sent none."""
    body = getattr(error, "body", None)
    while isinstance(body, dict):
        body = body.get("message") or body.get("detail") or body.get("error") or str(body)
    text = said(" ".join(str(body or "").split()), secret)
    if text.startswith("<"):
        title = _TITLE.search(text)
        return (
            f"It sent a web page, “{title[1].strip()[:100]}”." if title else "It sent a web page."
        )
    return f"It says: “{text[:_LONGEST].rstrip('.')}”." if text else ""


def wait(error: Exception) -> str:
    """The advice to wait, for as long as the server asks if it names a time."""
    named = retry_after(error) if isinstance(error, openai.APIStatusError) else None
    seconds = round(named or 0)
    return f"wait {counted(seconds, 'second')}" if seconds else "wait a little"


def location(error: Exception, secret: str) -> str:
    """The address that a redirect points to, without the secret."""
    if not isinstance(error, openai.APIStatusError):
        return ""
    return said(error.response.headers.get("location", "another address"), secret)[:_LONGEST]
