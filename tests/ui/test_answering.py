"""The page on which a person answers the prompts of a run."""

import pytest

from tests.eventually import eventually
from tests.plans import answers
from tests.ui.page import Playground

pytestmark = pytest.mark.slow


def asked(**settings):
    """A run whose first prompt waits for a person."""
    page = Playground(model="human", **settings).press("run_button")
    waits(page)
    return page.draw()


def waits(page, number=1):
    waiting = page.job.person
    eventually(lambda: waiting.waiting and number in page.job.calls, "a prompt for the person")


def answer_box(page):
    [box] = [area for area in page.at.text_area if area.label.startswith("Your answer to call")]
    return box


def send(page, text):
    answer_box(page).set_value(text)
    return page.press("send_answer")


def test_a_run_is_answered_by_a_person():
    page = asked()
    assert "Call <b>1</b> of 2 of <b>compact</b> waits" in page.text
    assert "in at most 128 tokens" in page.text
    assert "Next, call 2 reads chunks 8 to 12 and the answer of call 1." in page.text
    send(page, "It was the DNS resolver.")
    assert "Call <b>2</b> of 2 of <b>compact</b> waits" in page.text
    assert "It was the DNS resolver." in page.text
    assert answer_box(page).value == ""
    assert "This is the last call" in page.text
    answer_box(page).set_value("It was the pool.")
    page.finish("send_answer")
    assert page.job.trace.response == "It was the pool."
    assert "You were the model." in page.text
    assert "Out of date." not in page.text
    page.put(model="offline")
    assert "You were the model." not in page.finish().text


@pytest.mark.parametrize(
    ("text", "problem"),
    [(" \n", "Write an answer first."), ("word " * 200, "A model would be cut off 73 tokens")],
)
def test_what_can_not_be_sent_stays_in_the_box(text, problem):
    page = send(asked(), text)
    assert problem in page.text
    assert answer_box(page).value == text
    assert page.job.answered == []


def test_an_answer_that_comes_too_late_is_said_to_be_of_no_use(monkeypatch):
    page = asked()
    monkeypatch.setattr("ui.runs.person.answer", lambda *_: False)  # another tab was faster
    send(page, "It was the DNS resolver.")
    assert "Your press did nothing." in page.text
    assert answer_box(page).value == "It was the DNS resolver."


def test_of_several_prompts_that_wait_the_first_is_shown():
    page = asked(mode="accumulate", chunks=("one", "two", "three"))
    for number in (1, 2, 3):
        assert f"Call <b>{number}</b> of 3" in page.text
        send(page, f"answer {number}")
    page.job.wait()
    assert answers(page.job.trace) == ["answer 1", "answer 2", "answer 3"]


def test_a_run_that_a_person_stopped_is_resumed_at_the_same_call():
    page = send(asked(mode="refine"), "the first answer").press("stop_button")
    page.job.wait()
    assert "The run was stopped." in page.draw().text
    page.press("resume")
    waits(page, 2)
    assert "Call <b>2</b> of 12" in page.draw().text
    page.press("stop_button")
