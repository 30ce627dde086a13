"""The inputs as a person uses them: a text that is typed, a template, the keyboard alone."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import open_panel, press, run, run_button, sentence, settled
from tests.eventually import eventually


def test_a_text_is_counted_while_it_is_typed_and_taken_by_ctrl_enter(page: Page):
    press(page, "Own text", exact=True)
    dialog = page.get_by_role("dialog")
    box = dialog.get_by_role("textbox", name="Text", exact=True)
    box.press_sequentially("A pump failed.\n\nNobody saw it.")
    dialog.get_by_role("button", name="Use these 2 chunks").wait_for()
    dialog.get_by_text("2 chunks · 8 tokens").wait_for()
    expect(box).to_be_focused()
    box.press_sequentially("\n\nRain.")
    box.press("Control+Enter")  # before the pause after which it is counted
    page.get_by_text("became 3 chunks").wait_for()
    expect(dialog).to_have_count(0)
    question = page.get_by_role("textbox", name="Question")
    expect(question).to_be_focused()
    expect(question).to_have_value("")
    sentence(page, "compact would make 1 call").wait_for()
    expect(run_button(page)).to_be_disabled()
    page.keyboard.type("What failed?")
    expect(run_button(page)).to_be_enabled()  # so a typed question can be run with one click
    page.keyboard.press("Control+Enter")
    settled(page)
    expect(sentence(page, "compact made")).to_have_count(0)
    expect(dialog).to_have_count(0)


_STAYS_IN_THE_MIDDLE = """field => {
  field.scrollIntoView({block: "center"});
  const {top, bottom} = field.getBoundingClientRect();
  const stays = field.seenAt === top;
  field.seenAt = top;
  return stays && bottom < innerHeight - 100;
}"""


def _stays_in_the_middle(field: Locator) -> bool:
    field.page.wait_for_timeout(500)
    return field.evaluate(_STAYS_IN_THE_MIDDLE) is True


_TOP = "field => field.getBoundingClientRect().top"


def test_a_template_is_edited_with_the_plan_and_its_error_in_sight(page: Page):
    open_panel(page, "Templates")
    _edit_with_the_error_in_sight(page, "")
    run(page, "compact made 2 calls")
    _edit_with_the_error_in_sight(page, " {tone}")
    expect(page.get_by_role("textbox", name="Value of tone", exact=True)).to_be_visible()


def _edit_with_the_error_in_sight(page: Page, added: str):
    settled(page)
    field = page.get_by_role("textbox", name="Text of the template")
    eventually(lambda: _stays_in_the_middle(field), "a field that stays where it is")
    top = field.evaluate(_TOP)
    field.fill(field.input_value().replace("context_str", "contxt_str"))
    expect(sentence(page, "This can't run.")).to_be_in_viewport()
    expect(page.get_by_text("Error.", exact=True)).to_be_in_viewport()
    settled(page)
    expect(field).to_be_focused()
    assert field.evaluate(_TOP) == pytest.approx(top, abs=40)
    field.fill(field.input_value().replace("contxt_str", "context_str") + added)
    expect(sentence(page, "compact would make 2 calls")).to_be_in_viewport()


_FOCUSED = """() => {
  const at = document.activeElement;
  return at.tabIndex < 0 ? '' : `${at.ariaLabel} ${at.innerText} ${at.labels?.[0]?.innerText}`;
}"""


def tab_to(page: Page, name: str, most: int = 80):
    """Press Tab until what has the focus has this name or label."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if name in page.evaluate(_FOCUSED):
            return
    raise AssertionError(f"Tab never came to {name!r}")


def test_with_the_keyboard_alone(page: Page):
    settled(page)
    tab_to(page, "Question")
    page.keyboard.press("Control+a")
    page.keyboard.type("Who was told?")
    tab_to(page, "refine")
    page.keyboard.press("Enter")
    sentence(page, "refine would make 12 calls").wait_for()
    settled(page)
    tab_to(page, "Run")
    page.keyboard.press("Control+Enter")
    sentence(page, "refine made 12 calls").wait_for()
    settled(page)
    tab_to(page, "Picture")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    sentence(page, "Step 1 of 12").wait_for()
    settled(page)
    page.keyboard.press("ArrowRight")
    sentence(page, "Step 2 of 12").wait_for()
