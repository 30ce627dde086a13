"""The vocabulary of the pages, and the explanations of its terms."""

import re

from synth.html.escape import legend_html, sentence_html
from synth.html.glossary import TERMS, help_of, term_html
from synth.pictures.meanings import MEANINGS
from synth.text.wording import Bold
from tests.ui.page import Playground


def test_a_term_has_one_sentence():
    for name, term in TERMS.items():
        assert re.fullmatch(r"[A-Z].*[^.]\.", term.meaning.replace("0.14.25", "")), name
        assert ". " not in term.meaning


def test_the_name_in_llama_index_stands_beside_ours_once():
    names = [term.api_name for term in TERMS.values() if term.api_name]
    assert len(set(names)) == len(names)
    assert help_of("answer length").endswith(" In LlamaIndex: `num_output`.")
    assert help_of("free") == TERMS["free"].meaning


def test_each_meaning_has_a_swatch_and_its_word_is_a_term_but_for_variables():
    legend = legend_html(list(MEANINGS))
    plain = re.findall(r"</i>([^<]+)</span>", legend)
    assert plain == ["variables"]
    assert legend.count("<dfn ") == len(MEANINGS) - 1
    assert legend.count("<i ") == len(MEANINGS)
    assert "estimate: dashed" in legend_html(["query"], estimated=True)
    assert "estimate" not in legend


def test_a_term_can_be_reached_with_the_keyboard_and_is_read_aloud():
    assert term_html("free") == (
        '<dfn tabindex="0" aria-description="Tokens of the window that nothing fills.">free</dfn>'
    )


def test_plurals_are_terms_and_other_words_are_escaped():
    assert 'Node.">chunks</dfn>' in term_html("chunks")
    assert term_html("<b>") == "&lt;b&gt;"


def test_a_sentence_explains_each_of_its_terms_once():
    html = sentence_html(["9 prompt tokens, ", Bold("2 levels"), ", 3 prompt tokens, <level"])
    assert re.findall("<dfn.*?>(.*?)</dfn>", html) == ["prompt tokens", "levels"]
    assert "<b>2 <dfn" in html
    assert html.endswith("3 prompt tokens, &lt;level</div>")


def test_the_plan_explains_its_words():
    html = Playground().html
    explained = set(re.findall("<dfn.*?>(.*?)</dfn>", html))
    assert {"output tokens", "room for the answer", "free"} <= explained
