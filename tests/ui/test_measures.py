"""What is seen of an answer without a model: in the Playground, and as rows of Compare."""

import dataclasses
import html
import re

import pytest

from synth.html.provenance import provenance_html
from synth.quality.support import unfounded
from synth.words.provenance import Match
from tests.fake_openai import Answer, FakeOpenAI
from tests.quality.answered import answered
from tests.ui.page import endpoint
from tests.ui.test_compare import Compare, at

CHUNKS = ("The pool was set to 8 instead of 80 on 3 May.", "Ada mended it at 14:15.")


def test_what_is_unfounded_is_underlined_even_across_a_tag():
    answer = "on 4 May <b>"
    run = dataclasses.replace(answered("x", CHUNKS), response=answer)
    missing = unfounded(run).missing
    shown = provenance_html(answer, [Match(0, 4, 2), Match(4, 12, None)], missing)
    assert re.findall('<span class="unfounded">(.*?)</span>', shown) == ["4", " May"]
    assert shown.count("&lt;b&gt;") == 1
    assert 'class="unfounded"' not in provenance_html(answer, [Match(0, 12, None)])


@pytest.mark.slow
def test_the_playground_underlines_what_is_unfounded():
    with FakeOpenAI(Answer("The pump failed at 9 pm, Bo said.")) as server:
        page = endpoint(server, query_str="Why?", chunks=("The pump failed at noon.",)).finish()
    assert '<span class="unfounded">9 pm</span>' in page.text
    assert "A wavy line is below" in page.text


def test_compare_shows_measures_of_answers_where_there_is_something_to_see():
    with FakeOpenAI(Answer("The pump failed at 9."), Answer("No pump.")) as server:
        page = Compare(
            at(server, model_name="m"),
            at(server, model_name="another", mode="accumulate"),  # else an answer may be reused
            query_str="Why?",
            chunks=("The pump failed at noon.",),
        )
        assert "unfounded" not in page.text
        page.finish()
    assert "words from the chunks" in page.text
    assert sorted(re.findall(r'"number">(\d+)\u00a0%<', page.text)) == ["0", "80"]
    share = r'style="width: ([\d.]+)%"></i></span><span class="number">80\u00a0%<'
    assert re.findall(share, page.text) == ["80.0"]
    assert page.text.count("<span>unfounded</span>") == 2


@pytest.mark.slow
def test_compare_tags_an_answer_that_abstains():
    with FakeOpenAI(Answer("I don't know.")) as server:
        page = Compare(at(server, model_name="m"), {"mode": "refine"}).finish()
    assert html.unescape(page.text).count(">says that it can't answer<") == 1
