"""PDF files: the text of each page, as far as the file holds text."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

from synth.errors import SynthError
from ui.controls.uploads.loaded import Loaded
from ui.settings.chunk_list import require_few


def pages(name: str, data: bytes) -> Iterator[Loaded]:
    """The text of each page; SynthError if the file is broken, is encrypted or holds no text.

    It is also raised for more pages than there can be chunks, before any is read. What one page
    may cost is bounded by pypdf, and what all of them cost by whoever ends the process.
    """
    number, has_text = 0, False
    for number, text in enumerate(_texts(name, data), 1):
        has_text = has_text or bool(text.strip())
        yield Loaded(text, f"{name}, page {number:,}", "page")
    if not has_text:
        raise SynthError(
            f"{name} has no text (pages: {number:,}), perhaps only pictures of it: run it through"
            " text recognition (OCR) first."
        )


def _texts(name: str, data: bytes) -> Iterator[str]:
    from pypdf import PdfReader  # noqa: PLC0415  slow to import, and most files are not PDFs
    from pypdf.errors import DependencyError, FileNotDecryptedError  # noqa: PLC0415

    try:
        found = PdfReader(BytesIO(data)).pages
        require_few(len(found), f"With one for each page, {name} holds", "Upload a part of it.")
        for page in found:
            yield page.extract_text()
    except SynthError:
        raise
    except (FileNotDecryptedError, DependencyError) as problem:
        raise SynthError(
            f"{name} is encrypted: save it without a password, or paste its text."
        ) from problem
    except Exception as problem:  # a broken file may lead to any error
        raise SynthError(
            f"{name} can't be read as a PDF ({type(problem).__name__}: {problem}): it may be cut"
            " short. Save it again, or paste its text."
        ) from problem
