"""The question, which own text may remove."""

import pytest

from synth.quality.samples import SAMPLES
from tests.ui.page import Playground

pytestmark = pytest.mark.slow


FIRST = SAMPLES[0].question


@pytest.mark.parametrize("question", [sample.question for sample in SAMPLES])
def test_the_question_of_a_sample_goes_when_own_text_is_taken_and_comes_back(question):
    page = Playground(query_str=question).paste("A pump failed.")
    assert page.settings.query_str == ""
    assert "would make <b>1 call</b>" in page.text
    assert page.find_button("run_button").help == "The question is missing."
    assert not page.can_run
    page.press("undo_chunks")
    assert page.settings.query_str == question
    assert page.can_run


def test_a_question_of_ones_own_stays():
    page = Playground(query_str="Who was told?").paste("A pump failed.")
    assert page.settings.query_str == "Who was told?"
    assert page.can_run
    page = Playground(query_str=f"{FIRST} And when?").paste("A pump failed.")
    assert page.settings.query_str == f"{FIRST} And when?"


def test_the_question_of_a_sample_stays_while_its_chunks_do():
    page = Playground().set(paste_adds=True).paste("A pump failed.")
    assert page.settings.query_str == FIRST


def test_an_undo_leaves_the_question_that_was_asked_since():
    page = Playground().paste("A pump failed.").set(query_str="Which pump?")
    page.press("undo_chunks")
    assert page.settings.query_str == "Which pump?"


def test_without_a_question_only_what_asks_no_model_can_run():
    page = Playground(query_str=" \n", mode="refine")
    assert "refine</b> would make <b>12 calls" in page.text
    assert not page.can_run
    for mode in ("no_text", "context_only"):
        page.set(mode=mode)
        assert page.can_run
        assert not page.find_button("run_button").help
