"""Foreign text in a label of Streamlit, which is Markdown: it reads as it is, on every page."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.runs.calls import Logged
from synth.text.wording import reveal
from tests.ui.page import Page, Playground
from tests.ui.test_compare import Compare
from ui.look.markdown import label_text
from ui.pages.compare.columns import Column
from ui.session import keys
from ui.settings.chunk_list import from_texts
from ui.settings.model import Recorded

BAD = "![i](http://127.0.0.1:1/x.png) :red[x] :material/home: :smile: $x^2$"
PLAIN_OPTIONS = {"selectbox", "multiselect"}  # whose options are no Markdown


OTHERS = [type(name, (Page,), {"script": f"pages/{name}.py"}) for name in ("runs", "learn")]


def values():
    columns = [Column(letter, (("model_name", BAD),)) for letter in "AB"]
    columns[0] = columns[0].with_override("model", "endpoint")
    return {
        "query_str": BAD,
        "chunks": from_texts([BAD, BAD], BAD),
        "model_name": BAD,
        "text_qa_template": f"{BAD} {{query_str}} {{contxt_str}} {{tone}}",
        "variables.tone": BAD,
        keys.TEMPLATE_SETS: {BAD: {"text_qa_template": BAD}},
        keys.COLUMNS: tuple(columns),
        keys.FACTS: {BAD: f"* {BAD}"},
        keys.RECORDED: Recorded(BAD, {1: Logged("0", BAD)}),
    }


def markdown_of(page):
    """What Streamlit reads as Markdown: labels, help, and the options of buttons in a row."""
    for part in (page.at.main, page.at.sidebar):
        for element in part:
            proto = getattr(element, "proto", None)
            kind = type(proto).__name__.casefold()
            for field in ("label", "help", "text"):
                yield kind, getattr(proto, field, "")
            if kind not in PLAIN_OPTIONS:
                for option in getattr(proto, "options", ()):
                    yield kind, getattr(option, "content", option)
            if kind == "markdown":
                yield kind, proto.body


def reads(text):
    return any(mark.search(str(text)) for mark in MARKS)


MARKS = [
    re.compile(r"\]\(http"),
    re.compile(r":red\[x"),
    re.compile(r":material/home:"),
    re.compile(r":smile:"),
    re.compile(r"(?<!\\)\$x"),
    re.compile("http://127"),
]


@pytest.fixture(scope="module")
def space():
    """A workspace in which all texts are bad, after a run."""
    ran = Playground(query_str=BAD, chunks=[BAD, BAD]).finish()
    ran.space.values.update(values())
    return ran.space


@pytest.mark.parametrize("make", [Playground, Compare, *OTHERS])
def test_no_label_of_a_page_reads_foreign_text_as_markdown(make, space):
    page = make.of(space)
    page.set(share=True)
    [uploader] = [one for one in page.at.file_uploader if one.label == "A workspace or a run"]
    file = b'{"kind": "workspace", "version": 1, "values": {}}'
    uploader.set_value([(f"{BAD}.json", file, "application/json")])
    page.draw()
    found = list(markdown_of(page))
    assert len(found) > 20
    assert [one for one in found if reads(one[1])] == []
    assert any("smile" in str(text) for _, text in found)


def test_the_check_sees_a_mark():
    assert reads(BAD)
    assert not reads(label_text(BAD))


@given(st.text())
def test_a_label_reads_as_the_text_that_it_was(text):
    shown = label_text(text)
    assert "\n" not in shown
    read = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", shown).replace("\u2060", "")
    assert read == reveal(" ".join(text.split())).replace("\u2060", "")
