"""Facts on the pages: in Questions of Compare, and in the line of the Playground."""

import pytest

from synth.runs.prices import Price
from tests.fake_openai import Answer, FakeOpenAI
from tests.ui.page import Playground
from tests.ui.test_compare import Compare
from ui.settings.request import Model
from ui.views.put_back import BranchCalls, PutBack, put_back_words

pytestmark = pytest.mark.slow


def test_the_line_of_the_playground_follows_a_fact_through_the_run():
    page = Playground(mode="simple_summarize").finish()
    assert "3 of 12 facts" in page.text
    page.enter("expected", "8 instead of 80")
    assert "was never sent: the window cut it off" in page.text
    page.press("try_change")
    assert page.settings.context_window == 1076
    page.finish()
    assert "“8 instead of 80” is in the answer" in page.text


def test_a_lost_fact_lights_up_is_opened_and_put_back():
    page = Playground(mode="refine").finish()
    page.enter("expected", "73 minutes")
    for said in ("Its way through the calls", "What each call made of it", "lost by call 3"):
        assert said in page.text
    assert "in the answer that it read, not in its own" in page.text
    assert "It adds “Summary. On 14 March" in page.text
    assert "Calls 4 to 12 are asked anew, which costs nothing." in page.text
    page.press("open_lost_call")
    assert "<b>Call 3</b> of 12" in page.text
    page.set(view="answer").finish("put_back")
    assert page.job.info.edited == {3}
    assert page.job.trace.calls[2].answer.endswith("from 09:42 to 10:55 UTC.")
    assert "73 minutes" in page.job.trace.calls[3].prompt.text


def test_a_denied_fact_is_said_as_denied_wherever_it_is_told():
    with FakeOpenAI(Answer("The pool was not set to 80.")) as server:
        own = {"model": "endpoint", "base_url": server.base_url, "model_name": "m"}
        page = Compare({"mode": "compact", **own}, {"mode": "no_text"}, query_str="Why?")
        page.space.values["facts"] = {"Why?": "* set to 80"}
        page.set(compare_view="grid").finish()
    assert "denies “set to 80”" in page.text


PAID = Model("endpoint", price=Price(1, 2))
FEW, MANY, SAME = BranchCalls((4,), 90, 1), BranchCalls((4,), 90, 50), BranchCalls((4, 5), 180, 100)


@pytest.mark.parametrize(
    ("asked", "model", "words"),
    [
        ((FEW, MANY), PAID, "Only call 4 is asked anew: at most $0.0002."),
        ((FEW, MANY), Model(), "Only call 4 is asked anew, which costs nothing."),
        (
            (FEW, MANY),
            Model("endpoint"),
            "Only call 4 is asked anew, at a price that is not known.",
        ),
        ((FEW, SAME), PAID, "About 2 calls are asked anew: $0.0004 with the longest answers."),
        ((BranchCalls((), 0, 0),) * 2, PAID, "No call reads that answer, so none is asked anew."),
        (None, PAID, "The calls that read it are asked anew."),
    ],
)
def test_what_it_costs_to_put_a_fact_back_is_said_before(asked, model, words):
    said = put_back_words(PutBack(3, "It rained.", "It rained.", asked), model)
    assert said == f"It adds “It rained.” to the answer of call 3. {words}"


def test_a_fact_that_was_not_retrieved_is_sent_with_more_chunks():
    page = Playground(
        query_str="Why did the pump fail?",
        chunks=("The pump did fail.", "The pump: why? A pump.", "A seal was worn."),
        selection="top",
        similarity_top_k=1,
    ).finish()
    page.enter("expected", "seal was worn")
    assert "“seal was worn” was not retrieved</b>: it stands in chunk 3 alone" in page.text
    assert "best chunks 1 → 3" in page.text
    page.press("try_change")
    assert page.settings.selection == "all"


def test_a_fact_goes_with_its_question_and_what_is_none_is_said():
    page = Playground().finish()
    assert "has a wording without a letter or digit" in page.enter("expected", "8 | ?").text
    page.enter("expected", "8 instead of 80")
    page.set(mode="refine").finish()
    assert page.at.text_input(key="expected").value == "8 instead of 80"
    page.set(query_str="How long did it last?").finish()
    assert page.at.text_input(key="expected").value == ""
