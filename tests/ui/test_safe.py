"""Foreign text comes out as text, in labels too: escaped, in order, and none of it missing."""

import html
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from synth import PromptTemplate
from synth.html.escape import answer_html, prompt_html, sentence_html, words_html
from synth.html.markup import escape
from synth.runs.calls import Logged
from synth.text.spans import Text, join
from synth.text.wording import reveal
from tests.ui.page import Page, Playground
from tests.ui.sample_calls import chunk, planned
from tests.ui.test_compare import Compare
from ui.look.elements import label_text
from ui.pages.compare.columns import Column
from ui.session import keys
from ui.settings.schema import from_texts

ANY = st.text(st.characters(), max_size=300)
NASTY = '<img src=x onerror="alert(1)">\u202e\x00\ud800&amp;\'$x$'


FAILS = """
from streamlit.error_util import handle_user_script_exception

from server import app

handle_user_script_exception(ValueError("pasted"), app._on_script_error)
"""


class Reader(HTMLParser):
    """What a person reads: the text without the tags that we add, and the tags."""

    def __init__(self, source):
        super().__init__()
        self.text, self.added, self.names, self._inside = "", [], [], []
        self.feed(str(source))
        self.close()

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        kinds = dict(attrs).get("class", "").split()
        self._inside.append(bool({"from", "role"} & set(kinds)))

    def handle_endtag(self, tag):
        self._inside.pop()

    def handle_data(self, data):
        if any(self._inside):
            self.added.append(data)
        else:
            self.text += data


@given(ANY)
def test_escaped_text_reads_as_it_was(text):
    shown = escape(text)
    assert html.unescape(shown) == reveal(text)
    assert not set("<>\"'") & set(shown)
    shown.encode("utf-8")


def test_what_could_turn_the_page_is_named():
    assert reveal("a\u202eb\x00\ud800") == "a⟨U+202E⟩b⟨U+0000⟩⟨U+D800⟩"
    assert reveal("سلام, 你好, 👩‍👩‍👧\n\t") == "سلام, 你好, 👩‍👩‍👧\n\t"


def test_what_a_sentence_quotes_has_a_direction_of_its_own():
    first = "“القرص (8)” is in no chunk, “<i>הדיסק” in “call 1”"
    told = "“<bdi>القرص (8)</bdi>” is in no chunk, “<bdi>&lt;i&gt;הדיסק</bdi>” in “call 1”"
    assert told in sentence_html([first])
    assert told in words_html(first)


pieces = st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=400), min_size=1)


@given(pieces, st.data())
def test_a_prompt_shows_every_character_in_order(texts, data):
    joined = join([chunk(text, number) for number, text in enumerate(texts, 1)], "\n\n")
    start = data.draw(st.integers(0, len(joined)))
    context = joined.slice(start, data.draw(st.integers(start, len(joined))))
    template = PromptTemplate("A {context_str} <b> {query_str} {tone}")
    prompt = template.fill(context_str=context, query_str="why?", tone=texts[0])
    reader = Reader(prompt_html(prompt))
    assert reader.text == reveal(prompt.text)
    assert set(reader.names) <= {"bdi", "div", "span"}


def test_a_prompt_says_where_each_piece_comes_from():
    whole = join([chunk("alpha beta", 1), chunk("gamma delta", 2)], "\n\n")
    call = planned(1, 0, whole.slice(6, 17))
    assert Reader(prompt_html(call.prompt)).added == ["chunk 1", "chunk 2"]


def test_nothing_in_a_prompt_becomes_html():
    template = PromptTemplate(NASTY + "{context_str}{query_str}{x}")
    prompt = template.fill(context_str=Text.of(NASTY, "chunk", 1), query_str=NASTY, x=NASTY)
    shown = prompt_html(prompt)
    assert "<img" not in answer_html(NASTY)
    assert 'dir="auto"' in answer_html("שלום")
    assert set(Reader(shown).names) <= {"bdi", "div", "span"}
    assert "\u202e" not in shown


def test_a_page_that_fails_as_nobody_foresaw_says_so_without_quoting_what_failed():
    at = AppTest.from_string(FAILS).run()
    [said] = [one.proto.body for one in at.get("html")]
    assert "This page fails." in said
    assert "(ValueError): load the page again" in said
    assert "pasted" not in said
    assert not at.exception


BAD = "![i](http://127.0.0.1:1/x.png) :red[x] :material/home: :smile: $x^2$"
PLAIN_OPTIONS = {"selectbox", "multiselect"}  # whose options are no Markdown


OTHERS = [type(name, (Page,), {"script": f"pages/{name}.py"}) for name in ("runs", "learn")]


def values():
    columns = [Column(letter, (("model_name", BAD),)) for letter in "AB"]
    columns[0] = Column("A", (*columns[0].overrides, ("model", "endpoint")))
    return {
        "query_str": BAD,
        "chunks": from_texts([BAD, BAD], BAD),
        "model_name": BAD,
        "text_qa_template": f"{BAD} {{query_str}} {{contxt_str}} {{tone}}",
        "variables.tone": BAD,
        keys.TEMPLATE_SETS: {BAD: {"text_qa_template": BAD}},
        keys.COLUMNS: tuple(columns),
        keys.FACTS: {BAD: f"* {BAD}"},
        keys.RECORDED: {1: Logged("0", BAD)},
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
