"""The vocabulary of the pages, and the explanations of its terms."""

import re

from synth.html.escape import TERMS, sentence_html, term_html
from synth.text.wording import Bold
from tests.ui.page import Playground


def test_a_term_has_one_sentence():
    for name, term in TERMS.items():
        assert re.fullmatch(r"[A-Z].*[^.]\.", term.meaning.replace("0.14.25", "")), name
        assert ". " not in term.meaning


def test_a_term_can_be_reached_with_the_keyboard_and_is_read_aloud():
    assert term_html("free") == (
        '<dfn tabindex="0" aria-description="Tokens of the window that nothing fills.">free</dfn>'
    )


def test_a_sentence_explains_each_of_its_terms_once():
    html = sentence_html(["9 prompt tokens, ", Bold("2 levels"), ", 3 prompt tokens, <level"])
    assert re.findall("<dfn.*?>(.*?)</dfn>", html) == ["prompt tokens", "levels"]
    assert "<b>2 <dfn" in html
    assert html.endswith("3 prompt tokens, &lt;level</div>")


def test_the_plan_explains_its_words():
    html = Playground().html
    explained = set(re.findall("<dfn.*?>(.*?)</dfn>", html))
    assert {"output tokens", "room for the answer", "free"} <= explained
