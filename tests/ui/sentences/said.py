"""What the pages say: every sentence with a number in it, without the texts that they only show."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import NamedTuple

from streamlit.testing.v1.element_tree import Element

from tests.ui.page import Page

PAGES = {
    "Playground": None,
    "Runs": "pages/runs.py",
}
"""The pages whose numbers follow from a workspace, with their scripts."""

_INLINE = {"a", "abbr", "b", "bdi", "bdo", "br", "code", "dfn", "em", "i", "kbd", "mark"}
_INLINE |= {"small", "span", "strong", "sub", "sup", "u", "wbr"}
_EMPTY = {"br", "hr", "img", "input", "wbr"}  # these have no end
_SILENT = {"script", "style", "svg", "template"}  # pictures have tests of their own
_WORDS = ("label", "help", "body")
_MARKS = re.compile(r":small\[([^]]*)\]|\*+|`|\\(?=_)")
_NUMBER = re.compile(r"\d")


class Said(NamedTuple):
    """A sentence, and the page that says it."""

    page: str
    text: str


class _Blocks(HTMLParser):
    """The texts of the blocks of some HTML, without those of somebody else (`dir="auto"`)."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found = [""]
        self._open: list[tuple[str, bool]] = []  # tags, and whether their text is heard
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        heard = self._heard and tag not in _SILENT and ("dir", "auto") not in attrs
        if tag not in _EMPTY:
            self._open.append((tag, heard))
        self._break(tag)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass
        self._break(tag)

    def handle_data(self, data: str) -> None:
        if self._heard:
            joined = self.found[-1][-1:].isalnum() and data[:1].isalnum()
            self.found[-1] += f" {data}" if joined else data

    @property
    def _heard(self) -> bool:
        return not self._open or self._open[-1][1]

    def _break(self, tag: str) -> None:
        if tag not in _INLINE:
            self.found.append("")


def said(name: str, page: Page) -> list[Said]:
    """The sentences of a page that have a number, each once, in their order."""
    page.script = PAGES[name]
    page.open()
    blocks = [" ".join(block.split()) for block in _blocks(page)]
    return [Said(name, block) for block in dict.fromkeys(blocks) if _NUMBER.search(block)]


def _blocks(page: Page) -> Iterator[str]:
    for element in (element for part in (page.at.main, page.at.sidebar) for element in part):
        if not isinstance(element, Element):
            continue
        for name in _WORDS:
            text = getattr(element.proto, name, None)
            if isinstance(text, str) and element.type == "html":
                yield from _Blocks(text).found
            elif isinstance(text, str):
                yield _MARKS.sub(r"\1", text)
