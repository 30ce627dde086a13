"""The Playground: its first screen, a plan at once, the question, and what LlamaIndex would do."""

import pytest

from synth.prompts.defaults import DEFAULTS
from synth.quality.samples import SAMPLES
from tests import plain
from tests.eventually import eventually
from tests.fake_openai import Answer, FakeOpenAI, Silence
from tests.ui.page import Playground, endpoint
from ui.plans.plan_range import plan_range
from ui.settings.request import Request

pytestmark = pytest.mark.slow

POLICY = SAMPLES[1]


def test_first_load_shows_a_plan_and_that_of_llama_index_beside_it():
    page = Playground()
    assert "<b>compact</b> would make <b>2 calls</b>, one after the other" in page.text
    assert page.can_run
    assert page.find("behaviour").options == ["as documented", "as llama-index-core: 5 calls"]
    assert "<b>5 calls</b>" in page.set(behaviour="llama_index").text
    assert page.find("behaviour").options == ["as documented: 2 calls", "as llama-index-core"]
    page.reach("text_qa_template")
    assert "28 tokens, without variables" in page.text


def test_at_most_is_said_of_bounds_alone():
    plain = Playground().said
    assert "2 calls, one after the other.At most 1,607 prompt and 256 output tokens." in plain
    assert "2 calls, at most 1,863 tokens" in plain
    # Answers of middle length can take more calls than short ones and than long ones.
    plain = Playground(mode="tree_summarize", context_window=400, num_output=60).said
    assert "would make about 6 to 8 calls in 2 to 3 levels." in plain
    assert "At most 2,421 prompt and 540 output tokens." in plain
    assert "5 to 9 calls, at most 2,961 tokens" in plain
    plain = Playground(mode="tree_summarize", context_window=600, num_output=200).said
    assert "would make 5 calls, or stop early with long answers." in plain
    assert "The first 11 calls would have 3,759 prompt tokens." in plain
    assert "With answers of 200 tokens this plan stops early." in plain
    assert "4 calls or more, any number of tokens" in plain


def test_the_numbers_of_a_plan_hold_the_chat_template_of_the_model():
    page = Playground(model="endpoint", model_name="gpt-4", mode="accumulate")
    plan = plan_range(Request.of(page.settings)).high
    framed = sum(plain.count(call.prompt.text) + 7 for call in plan.calls)
    assert f"{framed:,} prompt tokens" in page.text


def test_a_sample_brings_its_question_chunks_and_limits():
    page = Playground().press(POLICY.title)
    assert page.settings.query_str == POLICY.question
    assert page.settings.context_window == POLICY.window
    assert f"{len(POLICY.chunks)} ·" in page.text


def test_an_edited_template_changes_the_plan_and_goes_back():
    page = Playground()
    before = page.text
    page.set(
        **{"text_qa_template": DEFAULTS["text_qa_template"].template + "In the voice of {tone}. "}
    )
    assert page.text != before
    page.set(**{"variables.tone": "Shakespeare"})
    assert ("tone", "Shakespeare") in page.finish().job.request.variables
    page.press("Back to default")
    assert page.settings.text_qa_template == DEFAULTS["text_qa_template"].template


def test_top_k_sends_the_best_chunks_and_says_what_is_left_out():
    page = Playground(selection="top", similarity_top_k=3)
    assert "3 of 12 · " in page.text
    shown = page.given("chunk_list")
    assert [number for _, number in shown["numbers"]] == [1, 2, 3, *[None] * 9]
    assert shown["html"].index(">1.42<") < shown["html"].index(">0.87<")
    page.finish()
    assert len(page.job.request.text_chunks) == 3
    assert "of the list, score" in page.text


def test_a_paste_is_cut_as_asked_and_can_be_taken_back():
    page = Playground().paste("one\n\ntwo\n\nthree")
    assert "15 characters became 3 chunks." in page.text
    assert page.at.session_state["pasted"] == ""
    page.press("undo_chunks")
    assert page.chunks == SAMPLES[0].chunks
    page.enter("separator", "Custom separator").enter("own_separator", "two")
    page.enter("paste_adds", True).paste("one two three")
    assert page.chunks == (*SAMPLES[0].chunks, "one ", " three")


def test_stop_keeps_what_arrived_and_resume_asks_only_the_rest():
    with FakeOpenAI(Answer("first"), Silence()) as server:
        page = endpoint(server, mode="refine").press("run_button")
        eventually(lambda: len(page.job.calls) == 2, "the second call")
        assert "1 of 12 calls answered" in page.open().said  # a refresh finds the run
        assert "first" in page.text
        page.press("stop_button")
        assert "The run was stopped." in page.text
        assert "1 answer is kept." in page.text
        assert "There is no answer" in page.set(view="answer").text
        assert "The answer holds" not in page.text
    with FakeOpenAI(Answer("second")) as server:
        page.put(base_url=server.base_url)
        page.set(base_url=server.base_url).press("Show the last run")
        assert "second" in page.finish("resume").text
        assert len(server.requests) == 11


LONG = " ".join(f"word{number}" for number in range(400))
PACKED = {"mode": "compact", "context_window": 1024, "chunks": (LONG,)}
TREE = {"mode": "tree_summarize", "context_window": 300, "num_output": 120, "chunks": (LONG,) * 3}


def asked(**settings):
    return Playground(**{"num_output": 100, "query_str": "What happened?", **settings})


@pytest.mark.parametrize(
    ("settings", "difference"),
    [
        (PACKED, ": 3 calls"),
        ({"mode": "simple_summarize", "chunks": (LONG,)}, ""),
        ({"chunks": ()}, ": 1 call"),
        (PACKED | {"context_window": 600}, ": refuses it"),
        (TREE, ": no end"),
        ({"mode": "no_text", "context_window": 2000, "chunks": ("one", "two")}, ""),
    ],
)
def test_the_behaviour_that_is_not_chosen_says_its_calls_where_they_differ(settings, difference):
    _, other = asked(**settings).find("behaviour").options
    assert other == f"as llama-index-core{difference}"


def test_a_plan_that_stops_at_its_first_level_says_so():
    page = asked(**TREE | {"num_output": 125, "chunk_overlap_ratio": 0.5})
    assert "would make <b>44 calls</b>, or <b>stop early</b> with long answers." in page.text
    assert "With answers of 125 tokens this plan stops early." in page.text


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


LONG = "\n\n".join(f"Pump {number} failed in the rain, and nobody saw it." for number in range(900))


@pytest.mark.parametrize(
    ("settings", "text", "window"),
    [
        ({}, "A pump failed.", 1_024),
        ({}, LONG, 4_096),
        ({"context_window": 1_025}, LONG, 1_025),
        ({"chunk_size_limit": 200}, LONG, 1_024),
        ({"model": "endpoint", "model_name": "gpt-4"}, "A pump failed.", 8_192),
    ],
)
def test_own_text_takes_a_window_that_suits_it_and_gives_it_back(settings, text, window):
    page = Playground(**settings).paste(text)
    assert page.settings.context_window == window
    before = settings.get("context_window", SAMPLES[0].window)
    assert page.press("undo_chunks").settings.context_window == before


def test_a_question_of_ones_own_stays():
    page = Playground(query_str="Who was told?").paste("A pump failed.")
    assert page.settings.query_str == "Who was told?"
    assert page.can_run
    page = Playground(query_str=f"{FIRST} And when?").paste("A pump failed.")
    assert page.settings.query_str == f"{FIRST} And when?"


def test_the_question_of_a_sample_stays_while_its_chunks_do_and_an_undo_leaves_a_newer_one():
    page = Playground().set(paste_adds=True).paste("A pump failed.")
    assert page.settings.query_str == FIRST
    page.set(paste_adds=False).paste("A pump failed.").set(query_str="Which pump?")
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
