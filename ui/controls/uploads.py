"""Several uploaded files at once, each read where it can be ended if it is large or a PDF."""

import sys
from collections.abc import Iterable

from synth.documents import Loaded, read_file
from synth.documents.decoding import Collected
from synth.errors import SynthError
from ui.session.apart import TookTooMuch, apart_if_long


def readable_texts(files: Iterable[tuple[str, bytes]]) -> tuple[list[Loaded], list[str]]:
    """The texts of all files that can be used together, and the problems of the other files."""
    readable = Collected("All files together hold")
    problems: list[str] = []
    for name, data in files:
        try:
            readable.add(_read(name, data))
        except SynthError as error:
            problems.append(str(error))
    return readable.texts, problems


def _read(name: str, data: bytes) -> list[Loaded]:
    # A small PDF may ask for any amount of work.
    work = sys.maxsize if name.lower().endswith(".pdf") else len(data)
    try:
        return apart_if_long(work, read_file, name, data)
    except TookTooMuch as problem:
        raise SynthError(
            f"Reading {name} {problem}: upload a part of it, or paste its text."
        ) from problem
