"""PDF files: the text of each page, as far as the file holds text."""

from __future__ import annotations

from io import BytesIO

from synth.errors import SynthError
from ui.controls.uploads.loaded import Loaded


def pages(name: str, data: bytes) -> list[Loaded]:
    """The text of each page; SynthError if the file is broken, is encrypted or holds no text."""
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
    from pypdf import PdfReader  # noqa: PLC0415  slow to import, and most files are not PDFs
    from pypdf.errors import DependencyError, FileNotDecryptedError  # noqa: PLC0415

    try:
        return [page.extract_text() for page in PdfReader(BytesIO(data)).pages]
    except (FileNotDecryptedError, DependencyError) as problem:
        raise SynthError(
            f"{name} is encrypted: save it without a password, or paste its text."
        ) from problem
    except Exception as problem:  # a broken file may lead to any error
        raise SynthError(
            f"{name} can't be read as a PDF ({type(problem).__name__}: {problem}): it may be cut"
            " short. Save it again, or paste its text."
        ) from problem
