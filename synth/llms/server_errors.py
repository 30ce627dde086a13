"""The error texts of servers, made readable, and without the key."""

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from string import ascii_lowercase, ascii_uppercase

import openai

from synth.llms.fallbacks import retry_after
from synth.text.wording import counted

SHORTEST = 8
"""Characters of a key, or of a part of one, from which on it is hidden.

Shorter ones are words such as "ollama", which people type where a server wants any key at all.
"""
_MARK = "[key]"
_IN_BASE64 = 10  # letters that eight bytes have for themselves at any alignment
_LETTER = re.compile(r"%(?:25)*([0-9a-f]{2})|.", re.IGNORECASE | re.DOTALL)  # also %2573
_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


def hiding(secret: str) -> Callable[[str], str]:
    """The function that puts [key] in the place of eight or more characters of the secret.

    They are found as they are, in the other case, backwards, percent-encoded, in hexadecimal, and
    in base64 of either alphabet at any alignment.
    """
    known: dict[int, set[str]] = {}
    forms = _forms(secret) if len(secret) >= SHORTEST else ()
    for size, form in forms:
        lower = form.translate(_LOWER)
        pieces = (lower[at : at + size] for at in range(len(lower) - size + 1))
        known.setdefault(size, set()).update(pieces)
    return partial(_without, known)


def _without(pieces: Mapping[int, set[str]], text: str) -> str:
    if not pieces:
        return text
    letters = list(_LETTER.finditer(text))
    plain = "".join(chr(int(one[1], 16)) if one[1] else one[0] for one in letters)
    hidden = _hidden(pieces, plain.translate(_LOWER))
    parts = []
    for at, letter in enumerate(letters):
        if not hidden[at]:
            parts.append(letter[0])
        elif not at or not hidden[at - 1]:
            parts.append(_MARK)
    return "".join(parts)


def _hidden(pieces: Mapping[int, set[str]], text: str) -> bytearray:
    """For each character of the text whether it belongs to the secret."""
    hidden = bytearray(len(text))
    for size, known in pieces.items():
        for at in range(len(text) - size + 1):
            if text[at : at + size] in known:
                hidden[at : at + size] = b"\1" * size
    return hidden


def _forms(secret: str) -> Iterator[tuple[int, str]]:
    """Each form in which a secret may come back, and how much of it gives it away."""
    for turned in (secret, secret[::-1]):
        data = turned.encode()
        yield SHORTEST, turned
        yield 2 * SHORTEST, data.hex()
        for before in range(3):  # bytes of something else, with which the first letters are shared
            letters = base64.b64encode(bytes(before) + data).decode()
            own = letters[-(-before * 8 // 6) : (before + len(data)) * 8 // 6]
            yield _IN_BASE64, own
            yield _IN_BASE64, own.replace("+", "-").replace("/", "_")


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
