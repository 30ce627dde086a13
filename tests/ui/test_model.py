"""The model: its server, tokenizer, price and cap; the person as the model; answers paid for."""

import re

import pytest

from synth.llms.model_prices import model_facts
from synth.quality.samples import SAMPLES
from synth.runs.prices import Price
from synth.text.wording import agree, counted
from tests.eventually import eventually
from tests.fake_openai import Answer, FakeOpenAI
from tests.plans import answers
from tests.ui.page import Playground, endpoint
from ui.runs import start
from ui.session import keys
from ui.settings import model
from ui.settings.request import Request
from ui.settings.schema import DEFAULT
from ui.store.runs import load_run
from ui.store.store import current_store

pytestmark = pytest.mark.slow

PRICED = {"model": "endpoint", "model_name": "gpt-4.1-mini"}


def test_a_listed_model_brings_its_name():
    with FakeOpenAI(Answer("ok"), models=["tiny"]) as server:
        page = endpoint(server).press("List models")
        assert page.enter("listed_model", "tiny").settings.model_name == "tiny"
    assert "price unknown" in page.text


def test_the_plan_says_what_of_the_cap_it_would_cross():
    page = Playground(**PRICED, cap_calls=1, cap_tokens=500, cap_dollars=0.0001)
    assert "The run could need 2 calls (cap: 1), " in page.text
    assert "(cap: $0.0001)" in page.text
    assert "The cap may be reached." not in page.set(**dict.fromkeys(CAPS)).text


def test_one_click_takes_the_window_of_the_model_and_its_tokenizer_is_named():
    page = Playground(**PRICED, context_window=2_000_000, tokenizer="cl100k_base")
    window = model_facts("gpt-4.1-mini").context_window
    page.press(f"Set the window to {window:,}")
    assert page.settings.context_window == window
    assert "Tokens are estimated with cl100k_base" in page.said_of_model
    page.set(tokenizer="")
    assert "Tokens are exact for gpt-4.1-mini" in page.said_of_model


CAPS = ("cap_calls", "cap_tokens", "cap_dollars")


@pytest.mark.parametrize("cap", [{"cap_calls": 2}, {"cap_tokens": 600}])
def test_a_run_ends_at_its_cap_and_goes_on_once_that_is_raised(cap):
    uncounted = [Answer(text, usage=None) for text in ("first", "second")]
    with FakeOpenAI(*uncounted) as server:
        page = endpoint(server, mode="refine", **cap).finish()
        assert "Your cap stopped the run." in page.text
        assert f"The cap of {next(iter(cap.values()))} " in page.text
        sent = len(server.requests)
        assert 0 < sent < 12
        assert f"{counted(sent, 'answer')} {agree('are', sent)} kept." in page.text
        page.finish("resume")
        assert "Your cap stopped the run." in page.text
        assert len(server.requests) == sent
        page.set(**dict.fromkeys(cap)).finish("resume")
        assert "<b>refine</b> made <b>12 calls</b>" in page.text
        assert "reused" not in page.text
        assert len(server.requests) == 12
    assert page.job.spent.calls == 12


ENDLESS = {
    "context_window": 300,
    "num_output": 220,
    "mode": "tree_summarize",
    "behaviour": "llama_index",
}


def test_a_run_without_a_cap_of_calls_stops_by_itself_and_goes_on_as_often_as_one_likes(
    monkeypatch,
):
    monkeypatch.setattr(start, "PLANNED_CALLS", 9)  # so that it takes less time
    page = Playground(**ENDLESS, chunks=SAMPLES[0].chunks[:5]).finish()
    assert "Your cap stopped the run." in page.text
    assert "The cap of 9 calls is reached" in page.text
    assert "9 answers are kept." in page.text
    hint = page.find_button("resume").help
    assert hint.startswith("The cap is set in Limits, one of dollars beside the price. Without")
    assert page.job.spent.calls == 9
    assert page.finish("resume").job.spent.calls == 18
    assert page.set(cap_calls=20).finish("resume").job.spent.calls == 20
    assert "The cap of 20 calls is reached" in page.text


def test_a_cap_in_dollars_is_held_at_the_list_price():
    settings = {**PRICED, "base_url": "", "mode": "refine", "cap_dollars": 0.0005}
    given = Playground(**settings).settings
    options = start.limits_of(Request.of(given), given)
    assert options["cap"].price == model.price(given)
    assert options["cap"].dollars == 0.0005


def test_run_again_asks_again():
    with FakeOpenAI(Answer("first"), Answer("second")) as server:
        page = endpoint(server, mode="accumulate", chunks=("One.", "Two."))
        page.finish().finish()
        assert len(server.requests) == 4
        assert "<b>accumulate</b> made <b>2 calls</b>" in page.text


def test_a_call_that_never_left_is_no_call():
    page = Playground(model="endpoint", base_url="http://127.0.0.1:1/v1", model_name="m")
    assert "The run failed. 0 answers are kept." in page.finish().text
    assert "can&#39;t be reached" in page.text
    assert page.job.trace.calls == ()
    saved = load_run(current_store(), page.space.id, page.job.run).info
    assert (saved.calls, saved.requests, saved.prompt_tokens) == (0, 0, 0)
    assert not page.set(model_name="").can_run
    assert "No model is named" in page.text


def test_you_are_the_llm_of_a_filtered_run():
    page = asked(chunks=("It rained.",), structured_answer_filtering=True)
    [box] = [box for box in page.at.checkbox if box.label == "It answers the question"]
    box.uncheck()
    answer_box(page).set_value("I can't say.")
    [call] = page.finish("send_answer").job.trace.calls
    assert not call.satisfied


def test_another_model_is_named_with_its_address_and_without_a_user():
    page = Playground(mode="refine").finish()
    page.set(model="endpoint", base_url="", model_name="offline")  # like a kind of ours
    assert "model offline → offline · at the default address" in page.text
    page.set(model="endpoint", base_url="https://user:s@cret@host/v1", model_name="gpt-4o", seed=1)
    assert "model offline → gpt-4o · at https://host/v1 · seed 1" in page.text
    assert "s@cret" not in page.text


@pytest.mark.parametrize(
    ("address", "name", "known"),
    [
        ("https://proxy.example/v1", "gpt-4o-mini", True),
        ("http://localhost:4000/v1", "openai/gpt-4o-mini", True),
        ("https://proxy.example/v1", "gpt-oss-20b", True),
        ("http://localhost.:11434/v1", "gpt-oss-20b", False),
        ("http://2130706433/v1", "gpt-oss-20b", False),
        ("http://[::1]/v1", "gpt-oss-20b", False),
        ("http://8.8/v1", "gpt-oss-20b", True),
        ("https://proxy.example/v1", "team-chat-small", False),
    ],
)
def test_a_price_is_found_by_the_models_name_at_any_address(address, name, known):
    given = {"model": "endpoint", "base_url": address, "model_name": name}
    settings = DEFAULT.with_(given)
    assert (model.price(settings) is not None) == known
    assert model.priced_as(settings) == (name if known else "")


def test_the_price_of_another_model_is_said_of_plan_and_run_also_offline():
    page = Playground()
    assert "$" not in page.text
    page.enter("price_as", "gpt-4o-mini")
    amount = r"\$[\d.]+"
    assert re.search(rf", likely {amount} to {amount}, at most {amount}\.", page.text)
    assert "Price as gpt-4o-mini." in page.text
    assert page.finish().job.dollars == 0
    price = r"\$[\d.]+ \(price as gpt-4o-mini\)\."
    assert re.search(f", {price}", page.text)
    page.enter(keys.EXPECTED, "rolled back")
    assert re.search(f"into the answer.*{price}", page.text)


def test_a_price_that_was_typed_is_kept_for_its_model():
    page = Playground(model="endpoint", base_url="https://host/v1", model_name="own")
    assert "price unknown" in page.text
    page.enter("price_prompt", 0.0)
    assert "output tokens, likely $0." in page.enter("price_output", 0.0).text
    page.enter("price_prompt", 1.0)
    assert model.price(page.enter("price_output", 2.0).settings) == Price(1.0, 2.0)
    assert "Your price." in page.text
    assert "kept for this model" in page.said_of_model
    assert "price unknown" in page.set(model_name="another").text
    assert "Your price." in page.set(model_name="own").text
    page.open()
    assert "Your price." in page.text


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


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (" \n", "Write an answer first."),
        ("word " * 200, "201 of 128 tokens, 73 too many: shorten it"),
    ],
)
def test_what_can_not_be_sent_stays_in_the_box(text, problem):
    page = send(asked(), text)
    assert problem in page.text
    assert answer_box(page).value == text
    assert page.job.answered == []


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
