"""Every number that the Playground says, in random workspaces, before a run and after it.

Compare, opened traces and Learn have such tests of their own (`tests/ui/test_compare_analysis.py`,
`tests/traces/test_applications.py`, `tests/ui/test_lessons.py`). For 200 workspaces:

    pytest tests/ui/sentences --hypothesis-profile=deep -o faulthandler_timeout=0

They take longer than the ten minutes after which a test is otherwise ended.
"""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from streamlit.testing.v1.element_tree import Element

from synth.modes.registry import MODES
from synth.quality.samples import SAMPLES
from synth.runs.trace import Plan
from tests.examples import examples
from tests.ui.page import Page, Playground
from tests.ui.sentences.readings import claims
from tests.ui.sentences.source import Source

pytestmark = pytest.mark.slow

MOST_CHUNKS = {"documented": 5, "llama_index": 2}
"""The time of a test grows with the chunks, most under llama_index."""


_INLINE = {"a", "abbr", "b", "bdi", "bdo", "br", "code", "dfn", "em", "i", "kbd", "mark"}
_INLINE |= {"small", "span", "strong", "sub", "sup", "u", "wbr"}
_EMPTY = {"br", "hr", "img", "input", "wbr"}  # these have no end
_SILENT = {"script", "style", "svg", "template"}  # pictures have tests of their own
_WORDS = ("label", "help", "body")
_MARKS = re.compile(r":small\[([^]]*)\]|\*+|`|\\(?=_)")
_NUMBER = re.compile(r"\d")


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


def said(page: Page) -> list[str]:
    """The sentences of a page that have a number, each once, in their order."""
    blocks = [" ".join(block.split()) for shown in _shown(page) for block in _blocks(shown)]
    return [block for block in dict.fromkeys(blocks) if _NUMBER.search(block)]


def _shown(page: Page) -> Iterator[Page]:
    """The page with its picture, with each of its panels, and with the view Answer of a run."""
    yield page.open()
    for name in ("context_window", *MODES[page.settings.mode].templates[:1], "model"):
        assert page.reach(name)
        yield page
    if page.job is not None:
        yield page.open(view="answer")


def _blocks(page: Page) -> Iterator[str]:
    for element in page.at.main:
        if not isinstance(element, Element):
            continue
        for name in _WORDS:
            text = getattr(element.proto, name, None)
            if isinstance(text, str) and element.type == "html":
                yield from _Blocks(text).found
            elif isinstance(text, str):
                yield _MARKS.sub(r"\1", text)
        if element.type == "radio":
            yield from element.proto.options


@st.composite
def workspaces(draw) -> dict[str, object]:
    """The settings of a workspace: a sample, or some of its chunks, and limits around it."""
    sample = draw(st.sampled_from(SAMPLES))
    behaviour = draw(st.sampled_from(("documented", "documented", "llama_index")))
    count = draw(st.integers(1, MOST_CHUNKS[behaviour]))
    return {
        "query_str": sample.question,
        "chunks": draw(st.permutations(sample.chunks))[:count],
        "mode": draw(st.sampled_from(sorted(MODES))),
        "behaviour": behaviour,
        "context_window": draw(st.integers(200, 3_000)),
        "num_output": draw(st.integers(8, 160)),
        "chunk_overlap_ratio": draw(st.sampled_from((0.0, 0.1, 0.5))),
        "chunk_size_limit": draw(st.none() | st.integers(60, 500)),
        "response_padding_size": draw(st.none() | st.integers(0, 200)),
        "tokenizer": draw(st.sampled_from(("cl100k_base", "o200k_base"))),
        "selection": draw(st.sampled_from(("all", "top"))),
        "similarity_top_k": draw(st.integers(1, 12)),
    }


def check(page: Playground, plans: dict[object, Plan]) -> None:
    """Each number has a source, and is the number of it."""
    source = Source(page.settings, page.job.trace if page.job else None, plans)
    for claim in (claim for one in said(page) for claim in claims(source, one)):
        if claim.quantity is None:
            assert claim.number is None, claim
        else:
            assert claim.number == source.value(claim.quantity), claim


REFUSED = {"mode": "refine", "context_window": 340, "num_output": 130}
FEW = {"chunks": SAMPLES[0].chunks[:4], "selection": "top", "similarity_top_k": 3}


@examples(3)
@given(workspaces())
@example({**FEW, "context_window": 500})  # llama-index-core makes more calls of it
@example({**FEW, **REFUSED})
def test_each_number_is_what_it_speaks_of(settings):
    page, plans = Playground(**settings), {}
    check(page, plans)
    if page.can_run:
        check(page.finish(), plans)
