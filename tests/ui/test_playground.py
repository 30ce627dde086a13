"""The Playground: its first screen, a plan at once, the question, and what is dragged in it."""

import pytest

from synth.quality.samples import SAMPLES
from tests.ui.page import Playground
from ui.session import keys

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


def test_a_sample_brings_its_question_chunks_and_limits():
    page = Playground().press(POLICY.title)
    assert page.settings.query_str == POLICY.question
    assert page.settings.context_window == POLICY.window
    assert f"{len(POLICY.chunks)} ·" in page.text


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
        (PACKED | {"context_window": 600}, ": refused"),
        (TREE, ": no end"),
        ({"mode": "no_text", "context_window": 2000, "chunks": ("one", "two")}, ""),
    ],
)
def test_the_behaviour_that_is_not_chosen_says_its_calls_where_they_differ(settings, difference):
    _, other = asked(**settings).find("behaviour").options
    assert other == f"as llama-index-core{difference}"


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


def moved(page, move):
    return page.tell("picture", "moved", move)


def lens(page):
    """The first call under the lens."""
    html = page.given("picture")["html"]
    [found] = [tag for tag in html.split("<") if 'data-handle="lens"' in tag]
    return found.split('aria-valuenow="')[1].split('"')[0]


@pytest.mark.parametrize(
    ("move", "name", "value"),
    [
        ("window 2000", "context_window", 2_000),
        ("answer 64", "num_output", 64),
        ("window 0", "context_window", 1),
        ("window 999999999", "context_window", 10_000_000),
        ("window -5", "context_window", 1_024),
    ],
)
def test_a_handle_changes_its_setting_within_bounds(move, name, value):
    assert getattr(moved(Playground(), move).settings, name) == value


def test_the_sliders_of_the_limits_reach_all_text():
    page = Playground().set(context_window=300)
    assert [page.find(f"{name}_slider").max for name in ("context_window", "num_output")] == [
        2_048,
        150,
    ]
    page.enter("context_window_slider", 2_048)
    assert page.settings.context_window == page.find("context_window").value == 2_048


@pytest.mark.parametrize(
    ("move", "order"),
    [
        ("chunk 3 1", "cab"),
        ("chunk 1 99", "bca"),
        ("chunk 2 0", "abc"),
        ("chunk 77 1", "abc"),
        ("chunk 0 1", "abc"),
    ],
)
def test_a_chunk_goes_to_the_place_where_it_was_dropped(move, order):
    assert "".join(moved(Playground(chunks=("a", "b", "c")), move).chunks) == order


def test_the_lens_moves_over_many_calls():
    chunks = tuple(f"Sentence {number} of the report." for number in range(40))
    page = Playground(mode="refine", chunks=chunks)
    assert lens(page) == "1"
    assert lens(moved(page, "lens 12")) == "12"


def test_a_click_on_a_chunk_opens_it_in_the_list():
    page = Playground(chunks=("a", "b", "c")).do(("switch", 0)).enter(keys.INPUTS, "Limits")
    page.tell("picture", "clicked", "chunk 2")
    assert page.given("chunk_marks")["open"]["text"] == "c"
