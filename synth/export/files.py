"""Files that this program reads again: versioned JSON with named fields alone, also in a link."""

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import FailFast, ValidationError

from synth.errors import ImportedRunError, SynthError

MOST_BYTES = 20_000_000
"""Of a file; the slowest of that size takes seconds, and half a GB of memory."""

VERSION = 1

T = TypeVar("T")
Many = Annotated[list[T], FailFast()]
"""A list of which the first wrong element is named: a million of them would cost gigabytes."""


def to_text(kind: str, fields: Mapping[str, Any], indent: int | None = 1) -> str:
    """Return the file as text; every character is escaped that a strict reader might refuse."""
    separators = (",", ":") if indent is None else None
    file = {"kind": kind, "version": VERSION, **fields}
    return json.dumps(file, ensure_ascii=True, indent=indent, separators=separators)


def kind_and_fields(text: str) -> tuple[str, dict[str, Any]]:
    """Read what `to_text` wrote, its fields unchecked; ImportedRunError for anything else."""
    if len(text) > MOST_BYTES:
        raise ImportedRunError(
            f"The file has {len(text):,} characters, and {MOST_BYTES:,} is the limit: choose a"
            " smaller one."
        )
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ImportedRunError(
            f"This file is no JSON ({error}): choose one that was exported here."
        ) from error
    fields = data if isinstance(data, dict) else {}
    version, kind = fields.pop("version", None), fields.pop("kind", None)
    if type(version) is not int or not isinstance(kind, str):
        raise ImportedRunError(
            "This file was not exported here, it names no kind and version: choose another one."
        )
    if version > VERSION:
        raise ImportedRunError(
            f"This file has version {version}, and this program reads versions up to {VERSION}:"
            " update the program."
        )
    return kind, fields


def wrong_field(error: ValidationError, what: str) -> ImportedRunError:
    """Make an error that names the first field that is wrong in a run, a call, or whatever."""
    first = error.errors()[0]
    field = ".".join(map(str, first["loc"])) or "the whole"
    said = first["msg"].removeprefix("Value error, ").rstrip(".")
    return ImportedRunError(f"The {what} has a wrong field, {field}: {said}.")


MOST_LETTERS = 7_000
"""The longest text in a link: proxies commonly refuse an address of more than 8,192 bytes."""

_MOST_UNPACKED = 1_000_000  # of what is unpacked; a few letters may claim to hold gigabytes


def pack(text: str) -> str:
    """Return the text in letters for a link; SynthError for one that needs too many of them."""
    letters = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    if len(letters) > MOST_LETTERS:
        raise SynthError(
            f"It takes {len(letters):,} characters, and {MOST_LETTERS:,} is the limit of a link:"
            " save it as a file."
        )
    return letters


def unpack(letters: str) -> str:
    """Return the text that `pack` wrote; ImportedRunError for anything else."""
    if len(letters) > MOST_LETTERS:
        raise ImportedRunError(
            f"The link has {len(letters):,} characters, and {MOST_LETTERS:,} is the limit: ask for"
            " a file instead."
        )
    try:
        body = base64.b64decode(letters + "=" * (-len(letters) % 4), altchars=b"-_", validate=True)
        stream = zlib.decompressobj()
        text = stream.decompress(body, _MOST_UNPACKED)
        if stream.unconsumed_tail:
            raise ImportedRunError(
                f"The link unpacks to more than {_MOST_UNPACKED:,} bytes: ask for a file instead."
            )
        if not stream.eof:
            raise ValueError("its end is missing")
        return text.decode()
    except (binascii.Error, zlib.error, ValueError) as error:
        raise ImportedRunError(f"The link is damaged ({error}): copy it again.") from error
