"""Templates on the page: chat or plain, one-click fixes, sets."""

import pytest

from synth.default_prompts import CHAT_DEFAULTS, DEFAULTS
from tests.ui.page import Playground

NAME = "text_qa_template"


def test_a_chat_is_sent_as_its_messages():
    page = Playground(**{f"{NAME} chat": True, f"{NAME} system": "Speak {tone}."})
    assert "Value of <b>tone</b>" in page.text
    page.set(**{"variable tone": "plainly"}).finish()
    prompt = page.job.trace.calls[0].prompt
    assert [message.role for message in prompt.messages] == ["system", "user"]
    assert prompt.messages[0].content == "Speak plainly."


def test_a_chat_without_a_system_message_is_plain():
    page = Playground(**{f"{NAME} chat": True, f"{NAME} system": " "}).finish()
    assert not page.job.trace.calls[0].prompt.is_chat


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("Only {query_str}", "{context_str}\nOnly {query_str}"),
        ("{{context_str}} {query_str}", "{context_str} {query_str}"),
        ("{ context_str } {query_str}", "{context_str} {query_str}"),
        ("{context_msg} {query_str}", "{context_str} {query_str}"),
    ],
)
def test_one_click_puts_a_template_right(text, mended):
    page = Playground(mode="accumulate", **{NAME: text})
    fixes = [one.label for one in page.at.button if one.label.startswith("Fix ")]
    page.press(fixes[0])
    assert page.at.session_state[NAME] == mended
    assert page.can_run


def test_a_fix_reaches_the_system_message():
    page = Playground(**{f"{NAME} chat": True, f"{NAME} system": "Use {{query_str}}."})
    page.press("Fix 1")
    assert page.at.session_state[f"{NAME} system"] == "Use {query_str}."
    assert page.at.session_state[NAME] == DEFAULTS[NAME].template


def test_the_template_says_its_share_of_the_window():
    assert "28 tokens without any variable filled in, 3\u00a0% of the window." in Playground().text


def choose_set(page, name):
    page.at.selectbox(key="template_set").select(name)
    return page.draw()


def test_a_set_is_saved_used_and_deleted():
    page = Playground(**{NAME: "{context_str} {query_str} Hm."})
    page.at.text_input(key="template_set_name").set_value("![x](http://x) mine")
    page.press("save_set").press("Back to default")
    assert page.at.session_state[NAME] == DEFAULTS[NAME].template
    choose_set(page, "![x](http://x) mine").press("Use this set")
    assert page.at.session_state[NAME] == "{context_str} {query_str} Hm."
    page.press("delete_set")
    assert page.space.values["template_sets"] == {}


def test_the_sets_that_come_with_the_page():
    page = choose_set(Playground(), "Ours, as a chat").press("Use this set")
    page.finish()
    messages = page.job.trace.calls[0].prompt.messages
    assert messages[0].content == CHAT_DEFAULTS[NAME].message_templates[0][1]


def test_llama_indexs_own_templates():
    theirs = pytest.importorskip("llama_index.core.prompts.default_prompts")
    page = choose_set(Playground(), "LlamaIndex's own").press("Use this set")
    assert page.at.session_state[NAME] == theirs.DEFAULT_TEXT_QA_PROMPT_TMPL
    assert page.can_run
