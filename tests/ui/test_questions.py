"""Saved questions, and the link to the settings."""

from tests.ui.page import Playground


def test_questions_are_saved_taken_and_forgotten():
    page = Playground(question="Who was told?").press("Save this question")
    page.set(question="What failed?").press("Save this question")
    page.at.selectbox(key="saved_question").select("Who was told?")
    assert page.draw().at.session_state["question"] == "Who was told?"
    page.press("Forget this question")
    assert page.space.values["questions"] == ("What failed?",)


def test_the_link_holds_what_was_changed_and_no_workspace():
    page = Playground(window=900, api_key="sk-secret", question="Secret?")
    [code] = page.at.sidebar.code
    assert code.value.endswith("?window=900")
