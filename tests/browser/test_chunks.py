"""The list of chunks by the mouse and by the keyboard alone."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import settled

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
