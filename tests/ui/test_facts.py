"""Facts on the pages: in Questions of Compare, and in the line of the Playground."""

import pytest

from synth.quality import Fact, FactPath
from synth.quality.sending import TextPlace
from tests.fake_openai import Answer, Failure, FakeOpenAI
from tests.ui.page import Playground, endpoint
from tests.ui.test_compare import Compare
from ui.pages.playground.head import tagged_answer
from ui.session import keys

pytestmark = pytest.mark.slow


def test_the_headline_says_where_a_fact_was_lost_and_one_press_sends_it():
    page = Playground(mode="simple_summarize").finish()
    assert "facts of the question 2 of 12" in page.set(view="answer").text
    page.enter("expected", "set max_pool_size")
    assert "“set max_pool_size” is not in the answer." in page.said
    assert "It was cut off before the call." in page.said
    page.press("try_change")
    assert page.settings.context_window == 1065
    assert "“set max_pool_size” is in the answer." in page.said
    assert '<b class="fact-words">set max_pool_size</b>' in page.text


def test_a_long_answer_is_shown_from_where_the_followed_fact_stands():
    text = "It was cold. " * 100 + "The needle is here. " + "It was late. " * 200
    start = text.index("needle")
    path = FactPath(
        Fact("needle"), "answered", 1, None, (TextPlace("response", 0, start, start + 6),)
    )
    shown = tagged_answer(text, ["The needle is here."], path)
    assert '<b class="fact-words">needle</b>' in shown.partition("was late")[0]
    assert shown.partition("needle")[0].count("was cold") < 20
    assert '<b class="fact-words">' not in tagged_answer(text, ["The needle is here."])


def test_a_dropped_fact_lights_its_way_and_is_put_back():
    page = Playground(mode="refine").finish()
    page.enter("expected", "73 minutes")
    assert "Call 3 dropped “73 minutes”." in page.said
    assert "It came with chunk 1 and stood in 2 answers." in page.said
    put_back = page.find_button("put_back").help
    assert "It adds “Summary. On 14 March" in put_back
    page.set(view="answer")
    assert "lost by call 3" in page.text
    page.finish("put_back")
    assert page.job.info.edited == {3}
    assert page.job.trace.calls[2].answer.endswith("from 09:42 to 10:55 UTC.")
    assert "73 minutes" in page.job.trace.calls[3].prompt.text


def test_a_fact_that_is_typed_in_one_place_is_known_in_the_other():
    chunks = ("The pump failed at noon.",)
    page = Playground(query_str="Why?", chunks=chunks)
    page.enter(keys.EXPECTED, "at nnoo").enter(keys.EXPECTED, "at noon")
    compare = Compare.of(page.space).finish()
    assert compare.text.count('class="held holds" title="at noon: holds"') == 4
    assert "nnoo" not in compare.text
    compare.set(compare_view="grid")
    assert compare.at.text_area(key="facts Why?").value == "at noon"
    compare.enter("facts Why?", "the pump\nthe valve")
    page = Playground(query_str="Which?", chunks=chunks)
    page.space.values[keys.FACTS] = {"Which?": "rubric: is kind\n* the pump | a pump"}
    assert page.open().find(keys.EXPECTED).value == "the pump | a pump"


def test_a_fact_that_was_not_retrieved_is_sent_with_more_chunks():
    page = Playground(
        query_str="Why did the pump fail?",
        chunks=("The pump did fail.", "The pump: why? A pump.", "A seal was worn."),
        selection="top",
        similarity_top_k=1,
    ).finish()
    page.enter("expected", "seal was worn")
    assert (
        "“seal was worn” is in no chunk that was retrieved.It stands in chunk 3 alone." in page.said
    )
    assert page.find_button("try_change").label == "Try all chunks, in order"
    page.press("try_change")
    assert page.settings.selection == "all"


def test_a_change_runs_at_once_only_where_that_costs_nothing():
    with FakeOpenAI(Answer("It was the DNS.")) as server:
        page = endpoint(server, mode="simple_summarize").finish()
        page.enter("expected", "8 instead of 80").press("try_change")
        assert len(server.requests) == 1
    assert "would make" in page.said


def test_a_run_that_failed_says_what_is_kept_and_goes_on_by_the_main_button():
    with FakeOpenAI(Answer("one"), Answer("two"), Failure(400, "no slot left")) as server:
        page = endpoint(server, mode="refine").finish()
    assert "Call 3 failed. 2 answers are kept." in page.said
    assert "no slot left" in page.said
    assert "Resume asks from call 3 on." in page.said
    assert page.find_button("resume").proto.type == "primary"
    assert page.find_button("run_button").label == "Start again"


def test_a_fact_goes_with_its_question_and_what_is_none_is_said():
    page = Playground().finish()
    assert "has a wording without a letter or digit" in page.enter("expected", "8 | ?").text
    page.enter("expected", "8 instead of 80")
    page.set(mode="refine").finish()
    assert page.at.text_input(key="expected").value == "8 instead of 80"
    page.set(query_str="How long did it last?").finish()
    assert page.at.text_input(key="expected").value == ""
