"""PDF files: the text of each page, as far as the file has it as text."""

from __future__ import annotations

from io import BytesIO

from synth.errors import SynthError
from ui.controls.uploads.loaded import Loaded


def pages(name: str, data: bytes) -> list[Loaded]:
    """The text of each page; SynthError if the file is broken, encrypted, or only pictures."""
    texts = _texts(name, data)
    if not any(map(str.strip, texts)):
        raise SynthError(
            f"{name} has no text (pages: {len(texts):,}), perhaps only pictures of it: run it"
            " through text recognition (OCR) first."
        )
    return [
        Loaded(text, f"{name}, page {number:,}", "page") for number, text in enumerate(texts, 1)
    ]


def _texts(name: str, data: bytes) -> list[str]:
    from pypdf import PdfReader  # noqa: PLC0415  slow to import, and most texts are no PDF
    from pypdf.errors import DependencyError, FileNotDecryptedError  # noqa: PLC0415

    try:
        return [page.extract_text() for page in PdfReader(BytesIO(data)).pages]
    except (FileNotDecryptedError, DependencyError) as problem:
        raise SynthError(
            f"{name} is encrypted: save it without a password, or paste its text."
        ) from problem
    except Exception as problem:  # of a broken file, whatever its reading led to
        raise SynthError(
            f"{name} can't be read as a PDF ({type(problem).__name__}: {problem}): it may be cut"
            " short. Save it again, or paste its text."
        ) from problem
