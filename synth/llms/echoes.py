"""What a server says, without the key that was sent to it, in whatever form it comes back."""

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from string import ascii_lowercase, ascii_uppercase

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
    return partial(_without, _pieces(secret) if len(secret) >= SHORTEST else {})


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


def _pieces(secret: str) -> dict[int, set[str]]:
    """By their length, the pieces by which each form of the secret is known."""
    found: dict[int, set[str]] = {}
    for size, form in _forms(secret):
        lower = form.translate(_LOWER)
        pieces = (lower[at : at + size] for at in range(len(lower) - size + 1))
        found.setdefault(size, set()).update(pieces)
    return found


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
