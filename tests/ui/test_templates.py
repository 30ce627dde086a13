"""Templates on the page: chat or plain, one-click fixes, sets."""

import pytest

from synth.prompts.templates import DEFAULTS
from tests.ui.page import Playground

pytestmark = pytest.mark.slow

NAME = "text_qa_template"
TEXT = NAME
NAMES = "template of text_qa_template, refine_template, summary_template, simple_template"


def test_a_chat_is_sent_as_its_messages():
    page = Playground(**{f"{NAME}_chat": True, f"{NAME}_system": "Speak {tone}."})
    assert page.find("variables.tone").label == "Value of tone"
    page.set(**{"variables.tone": "plainly"}).finish()
    prompt = page.job.trace.calls[0].prompt
    assert [message.role for message in prompt.messages] == ["system", "user"]
    assert prompt.messages[0].content == "Speak plainly."


def test_a_misspelt_variable_offers_the_right_one_and_asks_for_no_value():
    page = Playground(mode="accumulate", **{TEXT: "{contxt_str} {query_str}"})
    assert page.find("fix 1").label == r"Use \{context\_str\}"
    assert "Value of" not in page.text
    assert page.text.count("contxt_str") == 1
    page.press("fix 1")
    assert page.settings.value(TEXT) == "{context_str} {query_str}"


def test_a_set_is_saved_used_and_deleted():
    page = Playground(**{TEXT: "{context_str} {query_str} Hm."})
    page.enter("template_set_name", "![x](http://x) mine").press("Back to default")
    assert page.settings.value(TEXT) == DEFAULTS[NAME].template
    page.enter("version", "![x](http://x) mine").press("Use this set")
    assert page.settings.value(TEXT) == "{context_str} {query_str} Hm."
    page.press("delete_set")
    assert page.space.values["template_sets"] == {}


def test_the_field_of_a_variable_is_named_by_it():
    names = ("my_tone", "_tone_", "www.example.com")
    own = " ".join(f"{{{name}}}" for name in names)
    page = Playground(mode="accumulate", **{TEXT: f"{{context_str}} {{query_str}} {own}"})
    for name in names:
        label = page.find(f"variables.{name}").label
        assert label.replace("\u2060", "") == f"Value of {name}"
        assert ("\u2060" in label) == (name != "my_tone")  # else it would be cursive, or a link


def test_an_error_keeps_the_plan_of_before_in_grey():
    page = Playground(mode="accumulate")
    page.reach(TEXT)
    before = page.draw().text
    assert "The plan before the error" not in before
    page.set(**{TEXT: "{contxt_str} {query_str}"})
    assert not page.can_run
    assert "The plan before the error" in page.text
    assert "accumulate would make 12 calls at once" in page.text
    page.set(**{TEXT: DEFAULTS[NAME].template})
    assert page.text == before


def test_a_template_goes_back_to_an_earlier_text():
    page = Playground(mode="simple_summarize").finish()
    first = page.settings.value(NAME)
    page.set(**{NAME: f"{first}\nBe brief."}).finish()
    latest, earlier = page.find("version").options[-2:]
    page.enter("version", latest)
    assert page.find_button("use_version").disabled
    page.enter("version", earlier)
    assert "<del>Be brief.</del>" in page.text
    page.press("use_version")
    assert page.settings.value(NAME) == first


def test_the_first_call_that_reads_a_template_is_shown():
    page = Playground(mode="compact", refine_template="{existing_answer} {context_msg} Go on.")
    page.reach("text_qa_template")
    assert "Call 1 reads it like this" in page.said
    assert "Summary. On 14 March the checkout API of Lume" in page.said
    page.enter(NAMES, "refine_template")
    assert "Call 2 reads it like this" in page.said
    assert "Go on." in page.said
    page.enter(NAMES, "summary_template")
    assert "No call of this plan reads it." in page.said
    assert "reads it like this" not in page.said


def test_a_template_from_elsewhere_is_taken_or_its_problem_told():
    page = Playground(mode="accumulate").enter("foreign_template", "{% if a %}{{ question }}")
    assert "Line 1 is computed, and a template here has names alone" in page.text
    page.enter("foreign_template", "{{ context }} Q: {{ question }}")
    assert "became {context_str}." in page.text
    assert page.find("version").value == "From elsewhere"
    page.press("use_version")
    assert page.settings.value(TEXT) == "{context_str} Q: {query_str}"
