"""The text of a file's bytes: UTF-8, UTF-16 with a byte order mark, Windows-1252 or Latin-1."""

from __future__ import annotations

import codecs

from synth.errors import SynthError

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decoded(name: str, data: bytes) -> str:
    """The text of a file with line feeds as line ends; SynthError if it is not text.

    Bytes that are not UTF-8 are read as Windows-1252, or as Latin-1 if Windows-1252 lacks one of
    the characters. This is a guess that can't fail and suits Western European texts.
    """
    text = _text(name, data)
    if "\0" in text:
        raise SynthError(f"{name} is not a text file: save it as plain text in UTF-8.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _text(name: str, data: bytes) -> str:
    if data.startswith(_UTF_16):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError as problem:
            raise SynthError(
                f"{name} begins as UTF-16 and breaks off at byte {problem.start:,}: save it again,"
                " best as UTF-8."
            ) from problem
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")
