"""A new workspace opens on a lost fact, without a call, and one press mends it."""

from dataclasses import replace

import pytest

from synth.llms.extractive import ExtractiveLLM
from synth.pictures.run_picture import draw_run
from synth.quality import follow
from synth.quality.samples import SAMPLES
from synth.words.fact_words import fact_mark
from tests.ui.page import Playground, settings_in
from ui.pages.playground import opening
from ui.runs.start import Runs
from ui.session import keys, workspace
from ui.settings.expected import facts_of
from ui.settings.request import Request
from ui.settings.schema import DEFAULT, OPENING

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
    assert untimed(opening.kept_trace()) == untimed(trace)


def cause():
    [fact] = [one for one in facts_of(REQUEST.query_str)[0] if one.text == SAMPLES[0].cause]
    return fact


def test_the_lost_fact_is_one_of_the_sample_and_is_crossed_out_in_the_picture():
    trace = opening.kept_trace()
    scene = draw_run(trace, mark=fact_mark(follow(cause(), trace)))
    said = ["".join(label.wordings[0]) for label in scene.labels]
    assert {"✕", "no room left"} <= {*said}
    assert "chunks 858" in said  # nothing stands back where no way is lit


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize(("setting", "value"), [("query_str", "Why?"), ("mode refine", None)])
def test_an_edit_shows_the_plan_in_the_mode_that_was_shown(setting, value):
    page = opened()
    page = page.press(setting) if value is None else page.enter(setting, value)
    assert "would make" in page.said
    assert settings_in(page.space).mode == ("simple_summarize" if value else "refine")


@pytest.mark.slow
def test_run_runs_what_is_shown():
    page = opened().finish()
    assert page.job.request == REQUEST
    assert page.settings == OPENING
    assert "The cause is missing." in page.said


@pytest.mark.slow
def test_what_an_address_leaves_out_is_at_its_default():
    page = opened(window="2000")
    assert page.settings == DEFAULT.with_({"context_window": 2000})
    assert "would make" in page.said
