"""Foreign text comes out as text: escaped, in order, and none of it missing."""

import html
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from synth import PromptTemplate
from synth.html.escape import answer_html, prompt_html, sentence_html, words_html
from synth.html.markup import escape
from synth.text.spans import Text, join
from synth.text.wording import reveal
from tests.ui.sample_calls import chunk, planned

ANY = st.text(st.characters(), max_size=300)
NASTY = '<img src=x onerror="alert(1)">\u202e\x00\ud800&amp;\'$x$'


FAILS = """
from streamlit.error_util import handle_user_script_exception

from server import app

handle_user_script_exception(ValueError("pasted"), app._on_script_error)
"""


class Reader(HTMLParser):
    """What a person reads: the text without the tags and folds that we add, and the tags."""

    def __init__(self, source):
        super().__init__()
        self.text, self.added, self.names, self._inside = "", [], [], []
        self.feed(str(source))
        self.close()

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        kinds = dict(attrs).get("class", "").split()
        self._inside.append(bool({"from", "fold", "role"} & set(kinds)))

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
    for fold in (True, False):
        reader = Reader(prompt_html(prompt, fold=fold))
        assert reader.text == reveal(prompt.text)
        assert set(reader.names) <= {"bdi", "div", "span", "details", "summary"}


def test_a_prompt_says_where_each_piece_comes_from():
    whole = join([chunk("alpha beta", 1), chunk("gamma delta", 2)], "\n\n")
    call = planned(1, 0, whole.slice(6, 17))
    assert Reader(prompt_html(call.prompt)).added == ["chunk 1, end", "chunk 2, start"]
    middle = planned(1, 0, whole.slice(2, 8))
    assert Reader(prompt_html(middle.prompt)).added == ["chunk 1, middle"]


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
