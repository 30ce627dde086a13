"""A run that has ended: edited, resumed, looked at closely; and what its answer quotes."""

import re

import pytest

from synth.text.wording import dollars
from tests.eventually import eventually
from tests.fake_openai import Answer, Failure, FakeOpenAI, Silence
from tests.plans import answers
from tests.ui.page import Playground, endpoint
from ui.settings.schema import Pricing
from ui.store.runs import load_run
from ui.store.store import current_store

pytestmark = pytest.mark.slow


def test_an_edited_answer_makes_a_branch_that_asks_only_what_changed():
    with FakeOpenAI(*(Answer(f"answer {number}") for number in range(1, 13))) as server:
        page = endpoint(server, mode="refine").finish().set(view="steps", step=10)
        assert len(server.requests) == 12
        page.press("edit_answer")
        [editor] = [area for area in page.at.text_area if area.label == "New answer"]
        editor.set_value("written by hand")
        page.finish("go_on")
        assert len(server.requests) == 14
    assert "This run goes on from an answer that was edited by hand: call 10." in page.text
    assert "edited by hand" in page.text
    assert page.job.info.planned == 12
    page.set(view="calls", call=10)
    assert "answer edited by hand" in page.text
    assert page.scene("call_list").count("↺") == 10
    assert "answer reused" in page.set(call=9).text
    branch = page.job.trace
    assert [call.replayed for call in branch.calls] == [True] * 10 + [False] * 2
    assert "written by hand" in branch.calls[10].prompt.text
    page.enter("branch", 0)
    assert "Goes on from an answer" not in page.text
    assert page.job.trace.calls[9].answer == "answer 10"


def test_resume_asks_only_what_failed():
    replies = (Answer("one"), Failure(401, "no such key"), Answer("two"))
    with FakeOpenAI(*replies) as server:
        prices = {"m": Pricing(prompt=1.0, output=2.0)}
        page = endpoint(server, mode="refine", prices=prices).finish()
        assert "no such key" in page.text
        page.finish("resume")
        assert len(server.requests) == 13
    assert answers(page.job.trace) == ["one"] + ["two"] * 11
    paid = f", {dollars(page.job.dollars)}. "  # with that for the request that failed
    assert paid in page.text
    saved = load_run(current_store(), page.space.id, page.job.run).info
    assert saved.dollars == pytest.approx(page.job.dollars)


def test_a_run_goes_on_with_its_own_model_and_server_whatever_was_chosen_since():
    replies = (Answer("one"), Failure(400, "no such tool"), Answer("two"))
    with FakeOpenAI(*replies) as server:
        chunks = ("One.", "Two.", "Three.")
        page = endpoint(server, mode="refine", chunks=chunks, num_output=100).finish()
        page.set(model_name="another", base_url="http://127.0.0.1:9/v1", num_output=90)
        page.press("Show the last run").finish("resume")
        assert page.job.trace.response == "two"
        bodies = [request.body for request in server.requests]
        assert {(body["model"], body["max_tokens"]) for body in bodies} == {("m", 100)}


def test_an_edit_shows_the_new_plan_and_says_what_has_changed_since():
    page = Playground(mode="refine").finish()
    assert "out of date" not in page.text
    assert "<b>refine</b> made" in page.open().text
    page.set(context_window=900, query_str="Who was told?")
    assert "changed since: the question; window 1,024 → 900." in page.text
    assert "<b>refine</b> would make" in page.open().text
    page.finish().set(mode="accumulate", text_qa_template="{context_str} {query_str}")
    assert "mode refine → accumulate" in page.text
    assert "text_qa_template edited" in page.text
    assert "<b>accumulate</b> would make <b>12 calls</b>" in page.text
    assert "<b>refine</b> made <b>12 calls</b>" in page.press("Show the last answer").text
    page.press("Show the new plan")
    assert "<b>accumulate</b> would make <b>12 calls</b>" in page.text
    page.press("Show the last answer")
    assert "<b>refine</b> made" in page.text
    assert "<b>compact</b> would make" in page.set(mode="compact").text


def test_coverage_names_what_was_never_sent_and_shows_its_text():
    page = Playground(mode="simple_summarize").finish().set(view="coverage")
    assert " of 1,296 tokens sent · <b>" in page.text
    assert "Chunk 8: " in page.text
    assert page.text.count('class="lost-text"') == 1
    assert "Chunk 2: all of it is sent" in page.enter("covered chunk", 2).text


def test_a_stopped_call_is_no_failed_one_and_has_its_place_in_time():
    with FakeOpenAI(Answer("first"), Silence()) as server:
        page = endpoint(server, mode="refine").press("run_button")
        job = page.job
        eventually(lambda: len(job.calls) == 2, "the second call")
        page.press("stop_button").set(view="calls", call=2)
    assert "This call was stopped." in page.text
    stopped = page.job.trace.calls[1]
    assert stopped.started > 0
    assert stopped.seconds > 0
    assert "</b> not sent" in page.set(view="coverage").text
    assert "Chunk 3: 114 of 114 tokens are not sent" in page.text
    assert "are cut off" not in page.text


def test_an_answer_that_was_cut_is_said_and_a_failed_call_is_marked():
    with FakeOpenAI(
        Answer("one"), Answer("two", finish_reason="length"), Failure(401, "no")
    ) as server:
        page = endpoint(server, mode="refine").finish()
    assert ": raise the answer length." in page.text.partition("The answer of call 2 was ")[2]
    assert page.set(view="calls").scene("call_list").count("✕") == 1


ROW = re.compile(r'<details class="([^"]*)">(.*?)</details>', re.DOTALL)


def rows(page):
    """The classes and the words of the rows of chunks."""
    found = ROW.findall(page.text)
    words = [(classes, re.sub(r"<[^>]+>", " ", body)) for classes, body in found]
    return [(classes, body) for classes, body in words if "row-context" in classes]


def test_the_sources_say_which_of_them_are_quoted():
    chunks = ("Pumps fail often in winter.", "Valves were shut by hand.", "Nobody was told at all.")
    quoting = "Valves were shut by hand, and so it froze."
    with FakeOpenAI(Answer(quoting)) as server:
        page = endpoint(server, chunks=chunks).finish()
    assert "Sources · 1 of 3 chunks is quoted" in page.text
    (first, one), (second, two), (_, three) = rows(page)
    assert "dim" in first
    assert "not quoted" in one
    assert second == "row row-context from-2"
    assert "5 words" in two
    assert "not quoted" in three
    assert '<span class="q-2">' in page.text
    assert "<style>.st-key-two_answer:has(.from-2:is(" in page.text
    assert ".from-1:is(" not in page.text


def test_a_chunk_that_no_call_carried_is_said_to_be_cut_off():
    page = Playground(mode="simple_summarize").finish()
    notes = [body for _, body in rows(page)]
    assert all("cut off" not in note for note in notes[:7])
    assert " are cut off" in notes[7]
    assert all(" are cut off" in note for note in notes[8:])
    assert "tokens of the chunks were cut off." in page.text


@pytest.mark.parametrize(
    ("settings", "reached"),
    [({"mode": "context_only"}, 12), ({"mode": "refine", "cap_calls": 3}, 3)],
)
def test_what_is_given_back_or_not_reached_is_not_cut_off(settings, reached):
    page = Playground(**settings).finish()
    notes = [body for _, body in rows(page)]
    assert ["are not sent" in note for note in notes] == [at >= reached for at in range(12)]
    assert not any("cut off" in note for note in notes)


def test_the_playground_underlines_what_is_unfounded():
    with FakeOpenAI(Answer("The pump failed at 9:30, Bo said.")) as server:
        page = endpoint(server, query_str="Why?", chunks=("The pump failed at noon.",)).finish()
    assert '<span class="unfounded">9:30</span>' in page.text
    assert "A wavy line is below" in page.text
