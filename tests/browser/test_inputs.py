"""The inputs as a person uses them: texts, chunks, a template, the keyboard alone."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import open_panel, press, run, run_button, sentence, settled
from tests.eventually import eventually


def test_a_text_is_taken_by_ctrl_enter(page: Page):
    press(page, "Own text", exact=True)
    dialog = page.get_by_role("dialog")
    box = dialog.get_by_role("textbox", name="Text", exact=True)
    box.press_sequentially("A pump failed.\n\nNobody saw it.\n\nRain.")
    box.press("Control+Enter")
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


FIRST = ["Summary.", "Detection.", "First hypothesis.", "DNS ruled out."]


def rows(page: Page) -> Locator:
    return page.get_by_role("list", name="Chunks").get_by_role("listitem")


def expect_first(page: Page, *words: str):
    """Wait until these are the first words of the first chunks, and the page is drawn."""
    expect(rows(page).locator("b").nth(len(words) - 1)).to_have_text(words[-1])
    assert rows(page).locator("b").all_inner_texts()[: len(words)] == [*words]
    settled(page)


def test_a_chunk_is_dragged_to_another_place(page: Page):
    settled(page)
    start, end = (rows(page).nth(place).bounding_box() for place in (3, 1))
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + 99, start["y"] + 9)
    page.mouse.down()
    page.mouse.move(end["x"] + 99, end["y"] + 3, steps=5)
    expect(rows(page).nth(1)).to_have_class("drop")
    page.mouse.up()
    expect_first(page, FIRST[0], FIRST[3], FIRST[1], FIRST[2])
    expect(page.get_by_role("textbox", name="Text of the chunk")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect_first(page, *FIRST)


def test_chunks_are_moved_switched_off_and_edited_with_the_keyboard_alone(page: Page):
    settled(page)
    rows(page).first.get_by_role("button", name="Summary").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Alt+ArrowUp")
    page.keyboard.press("Alt+ArrowUp")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")  # before the move is drawn
    expect_first(page, FIRST[2], FIRST[0], FIRST[1])
    row = rows(page).first
    expect(row.get_by_role("button", name="Switch on")).to_be_focused()
    expect(row.get_by_role("button", name="Chunk – switched off First")).to_be_visible()
    settled(page)
    expect(rows(page).nth(1).get_by_role("button", name="Chunk 1 sent Summary.")).to_be_visible()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    text = row.get_by_role("textbox", name="Text of the chunk")
    expect(text).to_be_focused()
    text.fill("DNS. A guess.")
    page.keyboard.type(" It was wrong.")  # before what was written first is drawn
    expect(row.locator(".tokens")).to_have_text("114 9")
    expect(text).to_be_focused()
    expect(text).to_have_value("DNS. A guess. It was wrong.")
    settled(page)
    page.keyboard.press("Escape")
    expect(text).to_have_count(0)
    expect(row.get_by_role("button", name="DNS.")).to_be_focused()


def test_a_text_that_is_being_written_is_taken_when_another_chunk_is_opened(page: Page):
    settled(page)
    rows(page).first.click()
    text = page.get_by_role("textbox", name="Text of the chunk")
    text.fill("A short summary.")
    rows(page).nth(1).click(position={"x": 60, "y": 10})
    expect(rows(page).first.get_by_role("button", name="A short summary.")).to_be_visible()
    expect(rows(page).nth(1).get_by_role("textbox")).to_be_focused()


def test_a_chunk_is_split_at_the_cursor(page: Page):
    settled(page)
    rows(page).nth(1).click()
    text = page.get_by_role("textbox", name="Text of the chunk")
    expect(text).to_be_focused()
    text.evaluate("area => area.setSelectionRange(11, 11)")
    page.get_by_role("button", name="Split here").click()
    expect(rows(page)).to_have_count(13)
    expect(text).to_have_value("Detection.")
    expect(rows(page).nth(2).get_by_role("button", name="The first alert fired")).to_be_visible()
