"""After a run, as a person goes through it: steps by keyboard, sources, an answer by hand."""

from playwright.sync_api import Page, expect

from tests.browser.actions import (
    choose,
    close_menu,
    link,
    look_at,
    open_model,
    run,
    run_button,
    sentence,
    settled,
)
from tests.browser.test_axe import MAIN, check


def test_a_link_opens_a_step_that_is_left_by_keys(tab: Page, app_url: str):
    tab.goto(link(app_url, mode="refine") + "&view=steps&step=5")
    run_button(tab).wait_for()
    run(tab, "Step 5 of 12")
    for key, number in (("ArrowRight", 6), ("ArrowLeft", 5)):
        settled(tab)  # a key that is pressed while the button is drawn anew is lost
        tab.keyboard.press(key)
        sentence(tab, f"Step {number} of 12").wait_for()


def _sources_light_up(page: Page):
    words, row = page.locator(".q-9 .s-context"), page.locator("details.from-9")
    words.wait_for()
    plain = words.evaluate("at => getComputedStyle(at).backgroundColor")
    row.locator("summary").hover()
    expect(words).not_to_have_css("background-color", plain)
    page.mouse.move(5, 5)
    expect(words).to_have_css("background-color", plain)
    words.hover()
    expect(row).not_to_have_css("box-shadow", "none")
    row.locator("summary").press("Enter")
    row.locator(".whole").wait_for()


def test_a_source_lights_its_words_a_press_counts_though_drawn_over_and_a_person_answers(
    page: Page,
):
    run(page, "compact made")
    look_at(page, "Answer")
    settled(page)
    _sources_light_up(page)
    question = page.get_by_role("textbox", name="Question")
    question.fill("What was reversed?")
    box = run_button(page).bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.get_by_text("is out of date").wait_for()  # the page was drawn meanwhile
    page.mouse.up()
    expect(page.get_by_text("is out of date")).to_have_count(0)
    a_person_types_undisturbed_while_the_page_waits(page)


def a_person_types_undisturbed_while_the_page_waits(page: Page):
    open_model(page)
    choose(page, "You")
    settled(page)
    expect(page.locator(".st-key-model_menu_contents")).to_be_visible()  # though its name changed
    close_menu(page)
    run_button(page).click()
    answer = page.get_by_role("textbox", name="Your answer to call 1")
    expect(answer).to_be_focused()
    check(page, MAIN)
    page.locator(".lede").evaluate("at => { at.dataset.drawn = 'once' }")
    page.keyboard.type("It was the resolver, they thought.", delay=60)  # the page looks four times
    expect(page.locator("[data-stale=true]")).to_have_count(0)
    expect(page.locator(".lede[data-drawn=once]")).to_have_count(1)
    expect(answer).to_have_value("It was the resolver, they thought.")
    expect(page.get_by_text("8 of 128 tokens", exact=True)).to_be_visible()
    expect(answer).to_be_focused()
    page.mouse.wheel(0, 500)
    expect(answer).to_be_in_viewport()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("textbox", name="Your answer to call 2")).to_be_focused()
    expect(page.locator(".s-answer")).to_have_text("It was the resolver, they thought.")
    page.keyboard.type("It was the pool.")
    page.keyboard.press("Control+Enter")
    page.locator(".st-key-head", has_text="You were the model.").wait_for()
