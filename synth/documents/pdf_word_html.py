"""Texts of PDFs, page by page; and of Word files and HTML, as Markdown with its headings."""

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from time import monotonic
from zipfile import ZipFile

from synth.documents.decoding import Loaded, decode, require_few
from synth.errors import SynthError, extra

_CHARSET = re.compile(rb"""<meta[^>]+charset=["']?([\w-]+)""", re.IGNORECASE)
_HEAD = 2_000  # bytes in which HTML names its encoding
_MOST_BYTES = 100_000_000  # of a Word file, unpacked
_HEADING = re.compile(r"heading ([1-6])", re.IGNORECASE)


PAGES_SECONDS = 20.0
"""How long pages of a PDF may be read: a small file may ask for any amount of work."""


def _within_time(name: str, texts: Iterable[str]) -> Iterator[str]:
    """Give the texts of a file; SynthError once they took more than PAGES_SECONDS."""
    end = monotonic() + PAGES_SECONDS
    for text in texts:
        yield text
        if monotonic() > end:
            raise SynthError(
                f"Reading {name} took more than {PAGES_SECONDS:g} seconds: take a part of it, or"
                " paste its text."
            )


def read_pages(name: str, data: bytes) -> Iterator[Loaded]:
    """Read the text of each page, for PAGES_SECONDS at most; SynthError where there is none."""
    number, has_text = 0, False
    for number, text in enumerate(_within_time(name, _page_texts(name, data)), 1):
        has_text = has_text or bool(text.strip())
        yield Loaded(text, f"{name}, page {number:,}", "page")
    if not has_text:
        raise SynthError(
            f"{name} has no text (pages: {number:,}), perhaps only pictures of it: run it through"
            " text recognition (OCR) first."
        )


def _page_texts(name: str, data: bytes) -> Iterator[str]:
    with extra("app"):  # slow to import, and most files are not PDFs
        from pypdf import PdfReader  # noqa: PLC0415

    try:
        found = PdfReader(BytesIO(data)).pages
        require_few(len(found), f"With one for each page, {name} holds", "Take a part of it.")
        for page in found:
            yield page.extract_text()
    except SynthError:
        raise
    except Exception as problem:  # a broken file may lead to any error
        raise SynthError(
            f"{name} can't be read as a PDF ({type(problem).__name__}: {problem}): save it again,"
            " without a password, or paste its text."
        ) from problem


def read_html(name: str, data: bytes) -> Iterator[Loaded]:
    """Read the text of a page as Markdown, without its scripts, pictures and addresses."""
    with extra("app"):
        from html_to_markdown import ConversionOptions, convert  # noqa: PLC0415
    try:
        charset = _CHARSET.search(data[:_HEAD])
        text = data.decode(charset[1].decode()) if charset else decode(name, data)
    except (LookupError, UnicodeDecodeError):
        text = decode(name, data)
    options = ConversionOptions(extract_metadata=False, skip_images=True, strip_tags=["a"])
    yield Loaded(convert(text, options).content or "", name)


def read_word(name: str, data: bytes) -> Iterator[Loaded]:
    """Read the paragraphs and tables of a Word file, in the time that pages of a PDF have."""
    yield Loaded("".join(_within_time(name, _blocks(name, data))).strip(), name)


def _blocks(name: str, data: bytes) -> Iterator[str]:
    with extra("app"):
        from docx import Document  # noqa: PLC0415
        from docx.table import Table  # noqa: PLC0415
    try:
        with ZipFile(BytesIO(data)) as file:
            size = sum(part.file_size for part in file.infolist())
        if size > _MOST_BYTES:
            raise ValueError(f"it unpacks to {size:,} bytes, and {_MOST_BYTES:,} is the limit")
        document = Document(BytesIO(data))
        styles = {style.style_id: style.name or "" for style in document.styles}
        for block in document.iter_inner_content():
            if isinstance(block, Table):
                for row in block.rows:
                    yield " | ".join(cell.text for cell in row.cells) + "\n"
                yield "\n"
                continue
            style = styles.get(block._p.style or "", "")  # paragraph.style looks through all
            heading = _HEADING.fullmatch(style)
            mark = "#" * int(heading[1]) if heading else "-" if style.startswith("List") else ""
            yield f"{mark} {block.text}".strip() + "\n\n"
    except Exception as problem:  # a broken file may lead to any error
        raise SynthError(
            f"{name} can't be read as a Word file ({type(problem).__name__}: {problem}): save it"
            " again as .docx, or paste its text."
        ) from problem
