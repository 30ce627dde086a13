"""The error texts of servers, made readable."""

from __future__ import annotations

import re

import openai

from synth.llms.retries import retry_after
from synth.wording import counted

_LONGEST = 500  # characters
_HEAD = 5_000  # characters of a web page in which its title stands
_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)


class ErrorSent(Exception):
    """A reply with a status of success holds an error, which is `body`."""

    def __init__(self, body: object) -> None:
        super().__init__("an error in place of an answer")
        self.body = body


def complaint(error: Exception) -> str:
    """The whole text of a server's error, to search for words in it."""
    return f"{error} {getattr(error, 'body', '')}"


def words(error: Exception, secret: str) -> str:
    """The server's message as a sentence, without the secret; "" if it sent none."""
    body = getattr(error, "body", None)
    while isinstance(body, dict):
        body = body.get("message") or body.get("detail") or body.get("error") or str(body)
    text = " ".join(str(body or "").split())
    text = text.replace(secret, "[key]") if secret else text
    if text.startswith("<"):
        title = _TITLE.search(text[:_HEAD])
        return (
            f"It sent a web page, “{title[1].strip()[:100]}”." if title else "It sent a web page."
        )
    return f"It says: “{text[:_LONGEST].rstrip('.')}”." if text else ""


def wait(error: Exception) -> str:
    """The advice to wait, for as long as the server asks if it names a time."""
    named = retry_after(error) if isinstance(error, openai.APIStatusError) else None
    seconds = round(named or 0)
    return f"wait {counted(seconds, 'second')}" if seconds else "wait a little"


def location(error: Exception) -> str:
    """The address that a redirect points to."""
    if not isinstance(error, openai.APIStatusError):
        return ""
    return error.response.headers.get("location", "another address")[:_LONGEST]
