"""A model that thinks before it answers, on the Playground: its answer is without its thoughts."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import look_at, run_button, sentence, settled, use_endpoint
from tests.fake_openai import Answer, FakeOpenAI

ROOM = {"context_window": 2_048, "num_output": 512}
THOUGHT = "The alarm came first, so I look for the pump."
COUNTED = {
    "completion_tokens": 403,
    "completion_tokens_details": {"reasoning_tokens": 400},
    "prompt_tokens_details": {"cached_tokens": 64},
}
BESIDE = Answer("The pump failed.", usage=COUNTED, more={"reasoning_content": THOUGHT})
INSIDE = Answer(f"<think>{THOUGHT}</think>The pump failed.", usage={"completion_tokens": 403})


def calls_of(tab: Page):
    """The view of all calls, with the first one open."""
    look_at(tab, "Calls")
    settled(tab)
    return tab.get_by_test_id("stMain")


@pytest.mark.parametrize(
    ("answer", "label", "tokens"),
    [
        pytest.param(BESIDE, "Reasoning, 400 tokens", "400 reasoning", id="beside the text"),
        pytest.param(INSIDE, "Reasoning, about 12 tokens", "12 reasoning", id="in the text"),
    ],
)
def test_the_answer_is_without_reasoning_which_is_folded(
    tab: Page, app_url: str, answer: Answer, label: str, tokens: str
):
    with FakeOpenAI(answer) as server:
        use_endpoint(tab, app_url, server, mode="refine", **ROOM)
        run_button(tab).click()
        expect(sentence(tab, "refine made")).to_be_visible()
        main = tab.get_by_test_id("stMain")
        expect(main.get_by_text("The pump failed.").first).to_be_visible()
        expect(main.get_by_text("I look for the pump")).to_have_count(0)
        calls = calls_of(tab)
        expect(calls.locator("svg text:visible", has_text=tokens).first).to_be_visible()
        fold = calls.get_by_test_id("stExpander").filter(has_text=label)
        expect(fold.get_by_text(THOUGHT)).to_be_hidden()
        fold.locator("summary").click()
        expect(fold.get_by_text(THOUGHT)).to_be_visible()


@pytest.mark.parametrize("answer", [BESIDE, INSIDE], ids=["beside the text", "in the text"])
def test_a_cap_bites_by_what_the_reasoning_took(tab: Page, app_url: str, answer: Answer):
    with FakeOpenAI(answer) as server:
        use_endpoint(tab, app_url, server, mode="refine", cap_tokens=5_000, **ROOM)
        run_button(tab).click()
        expect(tab.get_by_text("The cap is set in More limits")).to_be_visible()
        asked = len(server.requests)
    whole = Answer("The pump failed.", usage={"completion_tokens": 3})
    with FakeOpenAI(whole) as server:
        use_endpoint(tab, app_url, server, mode="refine", cap_tokens=5_000, **ROOM)
        run_button(tab).click()
        expect(sentence(tab, "refine made")).to_be_visible()
        assert len(server.requests) > asked
