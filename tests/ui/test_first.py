"""The first screen: what it says, its three ways in, and what the fold in the sidebar says."""

import pytest

from synth.quality.samples import SAMPLES
from tests.ui.page import Playground
from ui.pages.learn.lessons import LESSONS
from ui.pages.playground.notices import FIRST_LESSON

pytestmark = pytest.mark.slow

WORDS = "Now they must become one answer."


def test_the_page_says_what_happens_until_the_row_is_hidden():
    page = Playground()
    assert WORDS in page.text
    assert WORDS not in page.press("Hide this row").text
    page.open()
    assert WORDS not in page.text


def test_the_sample_runs_whatever_was_typed_before():
    page = Playground(query_str="Who?", chunks=("one",)).finish("Run the sample")
    assert "<b>compact</b> made <b>2 calls</b>" in page.text
    assert page.job.request.query_str == SAMPLES[0].question
    assert WORDS not in page.set(context_window=900).text


def test_the_way_in_by_a_lesson_names_lesson_1_and_the_way_back_keeps_the_question():
    assert LESSONS[0].key == FIRST_LESSON
    page = Playground()
    page.enter("query_str", "Who was told?")
    assert "Lesson 1" in page.press("4-minute lesson").text
    page.at.switch_page("app.py")
    assert WORDS not in page.draw().text
    assert page.at.text_area(key="query_str").value == "Who was told?"


def test_own_text_opens_its_popover():
    page = Playground().press("Use my own text")
    assert page.at.session_state["own_text"]
    assert WORDS not in page.text


def named_on_the_fold(page):
    """What the stylesheet writes behind the words "More limits"."""
    [rule] = [one for one in page.at.get("html") if "summary p::after" in one.proto.body]
    return rule.proto.body.partition('content: "')[2].partition('"')[0]


def test_the_fold_names_what_differs_from_its_default():
    page = Playground()
    assert named_on_the_fold(page) == ""
    page.set(response_padding_size=40, chunk_overlap_ratio=0.2)
    assert named_on_the_fold(page) == " · safety margin 40, overlap 0.2"
    page = Playground(cap_calls=3, behaviour="llama_index", chunk_size_limit=1_500)
    assert (
        named_on_the_fold(page) == " · chunk size limit 1,500, cap 3 calls, behaviour llama_index"
    )
