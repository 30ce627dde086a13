"""Facts on the pages, in Compare and in the Playground, which opens on a lost one."""

from dataclasses import replace

import pytest

from synth.llms.extractive import ExtractiveLLM
from synth.pictures.run_picture import draw_run
from synth.quality import follow
from synth.quality.samples import SAMPLES
from synth.words.fact_words import fact_mark
from tests.fake_openai import Answer, FakeOpenAI
from tests.ui.page import Playground, endpoint, settings_in
from tests.ui.test_compare import Compare
from ui.pages.playground import latest_run
from ui.runs.start import Runs
from ui.session import keys, workspace
from ui.settings.expected import facts_of
from ui.settings.request import Request
from ui.settings.schema import DEFAULT, OPENING

pytestmark = pytest.mark.slow


def test_the_headline_says_where_a_fact_was_lost_and_one_press_sends_it():
    page = Playground(mode="simple_summarize").finish()
    page.enter("expected", "set max_pool_size")
    assert "“set max_pool_size” is not in the answer." in page.said
    assert "It was cut off before the call." in page.said
    page.press("try_change")
    assert page.settings.context_window == 1065
    assert "“set max_pool_size” is in the answer." in page.said
    assert '<b class="fact-words">set max_pool_size</b>' in page.text


def test_a_dropped_fact_lights_its_way_and_is_put_back():
    page = Playground(mode="refine").finish()
    page.enter("expected", "73 minutes")
    assert "Call 3 dropped “73 minutes”." in page.said
    assert "It came with chunk 1 and stood in 2 answers." in page.said
    put_back = page.find_button("put_back").help
    assert "It adds “Summary. On 14 March" in put_back
    page.set(view="answer")
    assert "call 3: lost here" in page.text
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


def test_a_fact_goes_with_its_question_and_what_is_none_is_said():
    page = Playground().finish()
    assert "has a wording without a letter or digit" in page.enter("expected", "8 | ?").text
    page.enter("expected", "8 instead of 80")
    page.set(mode="refine").finish()
    assert page.at.text_input(key="expected").value == "8 instead of 80"
    page.set(query_str="How long did it last?").finish()
    assert page.at.text_input(key="expected").value == ""


REQUEST = Request.of(OPENING)


def opened(**params):
    """The Playground in a workspace in which nobody has set anything."""
    return Playground.of(workspace.registry().find(None), **params)


def untimed(trace):
    calls = tuple(replace(call, started=0, seconds=0) for call in trace.calls)
    return replace(trace, calls=calls, seconds=0)


def test_the_kept_run_is_that_of_the_offline_model():
    model = ExtractiveLLM(OPENING.context_window, OPENING.num_output)
    trace = REQUEST.synthesizer(model).run(REQUEST.query_str, REQUEST.text_chunks)
    assert untimed(latest_run.kept_trace()) == untimed(trace)


def test_the_lost_fact_is_one_of_the_sample_and_is_crossed_out_in_the_picture():
    workspace._current.set(workspace.registry().find(None))
    trace = latest_run.kept_trace()
    [cause] = [one for one in facts_of(REQUEST.query_str)[0] if one.text == SAMPLES[0].cause]
    scene = draw_run(trace, mark=fact_mark(follow(cause, trace)))
    said = ["".join(label.wordings[0]) for label in scene.labels]
    assert {"✕", "no room left"} <= {*said}
    assert "chunks 858" in said  # nothing stands back where no way is lit


def test_the_page_opens_on_a_lost_fact_and_the_press_beside_it_mends_that():
    page = opened()
    assert "The cause is missing." in page.said
    assert page.said.count("It was cut off before the call.") == 1
    assert page.find_button("run_button").proto.type == "secondary"
    assert page.at.query_params.keys() == {"w"}  # a reload shows the same
    assert keys.SETTINGS not in page.space.values
    assert not page.space.holding(Runs).jobs
    page.press("try_change")
    assert page.settings == DEFAULT
    assert page.job.request == Request.of(DEFAULT)
    assert "Now the cause is there." in page.said
    assert "“8 instead of 80” came from chunk 9 through call 2 into the answer." in page.said


@pytest.mark.parametrize(("setting", "value"), [("query_str", "Why?"), ("mode refine", None)])
def test_an_edit_shows_the_plan_in_the_mode_that_was_shown(setting, value):
    page = opened()
    page = page.press(setting) if value is None else page.enter(setting, value)
    assert "would make" in page.said
    assert settings_in(page.space).mode == ("simple_summarize" if value else "refine")


def test_run_runs_what_is_shown():
    page = opened().finish()
    assert page.job.request == REQUEST
    assert page.settings == OPENING
    assert "The cause is missing." in page.said
