"""After a run, as a person goes through it: steps by keyboard, an edit, a failure, a refresh."""

import re

from playwright.sync_api import Page, expect

from tests.browser.actions import look_at, run_button, sentence, settled, use_endpoint
from tests.browser.test_axe import MAIN, check
from tests.fake_openai import Answer, Failure, FakeOpenAI, Silence


def refine_at(tab: Page, app_url: str, server: FakeOpenAI):
    """Run the sample's twelve chunks through refine on this endpoint."""
    use_endpoint(tab, app_url, server)
    run_button(tab).click()


def test_steps_by_keyboard_then_edit_and_go_on(tab: Page, app_url: str):
    with FakeOpenAI(*(Answer(f"the answer of call {number}") for number in range(1, 13))) as server:
        refine_at(tab, app_url, server)
        look_at(tab, "Steps")
        sentence(tab, "Step 1 of 12").wait_for()
        for number in (2, 3, 4):
            settled(tab)  # a key that is pressed while the button is drawn anew is lost
            tab.keyboard.press("ArrowRight")
            sentence(tab, f"Step {number} of 12").wait_for()
        settled(tab)
        tab.keyboard.press("ArrowLeft")
        sentence(tab, "Step 3 of 12").wait_for()
        settled(tab)
        assert "step=3" in tab.url
        assert "view=steps" in tab.url
        tab.get_by_role("button", name="Edit and go on").click()
        tab.get_by_role("textbox", name="New answer").fill("It was the pool, said a person.")
        tab.get_by_role("button", name="Go on from here").click()
        tab.get_by_text("edited by hand: call 3").wait_for()
        edited = tab.locator(".section", has_text=re.compile("New answer.*edited by hand"))
        edited.wait_for()  # only the view Steps has it, after the end of the run
        sentence(tab, "Step 3 of 12").wait_for()
        tab.locator(".answer").get_by_text("said a person").wait_for()
        assert len(server.requests) == 12 + 9
        settled(tab)
        tab.get_by_role("radio", name="Original").click()
        expect(tab.locator(".answer ins")).to_have_text("3")


def test_a_link_opens_a_step_that_fits_with_the_slider_under_it(tab: Page, app_url: str):
    tab.goto(f"{app_url}/?w=new&mode=refine&view=steps&step=5")
    run_button(tab).click()
    sentence(tab, "Step 5 of 12").wait_for()
    slider = tab.get_by_role("slider", name="Step")
    slider.focus()
    for number in (6, 7):
        settled(tab)
        tab.keyboard.press("ArrowRight")
        sentence(tab, f"Step {number} of 12").wait_for()
    for width in (1440, 800, 390):
        tab.set_viewport_size({"width": width, "height": 900})
        settled(tab)
        frame = tab.locator(".st-key-step_figure .frame:visible").bounding_box()
        thumb = tab.locator(".st-key-step_slider [style*='left:']").bounding_box()
        assert frame
        assert thumb
        middle = frame["x"] + frame["width"] / 2
        assert abs(thumb["x"] + thumb["width"] / 2 - middle) < 4
        scrolled = tab.get_by_test_id("stMain").evaluate("at => at.scrollHeight - at.clientHeight")
        assert scrolled <= 0 or width < 1000


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
    run_button(page).click()
    sentence(page, "compact made").wait_for()
    _sources_light_up(page)
    page.get_by_role("button", name="Inputs").click()
    settled(page)
    question = page.get_by_role("textbox", name="Question")
    question.fill("What was reversed?")
    box = run_button(page).bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.get_by_text("is out of date").wait_for()  # the page was drawn meanwhile
    page.mouse.up()
    expect(page.get_by_role("radio", name="Answer")).to_be_checked()
    expect(page.get_by_text("is out of date")).to_have_count(0)
    a_person_types_undisturbed_while_the_page_waits(page)


def test_a_failed_call_is_resumed_and_a_refresh_loses_nothing(tab: Page, app_url: str):
    replies = (Answer("the first"), Failure(401, "no such key"), Answer("the second"), Silence())
    with FakeOpenAI(*replies) as server:
        refine_at(tab, app_url, server)
        tab.get_by_text("no such key").first.wait_for()
        tab.get_by_role("button", name="Resume").click()
        sentence(tab, "2 of 12 calls answered").wait_for()
        tab.reload()
        sentence(tab, "2 of 12 calls answered").wait_for()
        tab.get_by_text("the second").wait_for()
        expect(tab.locator(".running").locator("visible=true")).to_have_count(1)
        expect(tab.locator(".waiting").locator("visible=true")).to_have_count(9)
        tab.get_by_role("button", name="Stop").click()
        tab.get_by_text("2 answers were kept").wait_for()
        look_at(tab, "Calls")
        expect(tab.locator(".answer")).to_have_text("the first")
        assert len(server.requests) == 4


def a_person_types_undisturbed_while_the_page_waits(page: Page):
    page.get_by_role("button", name="Answer it yourself").click()
    answer = page.get_by_role("textbox", name="Your answer to call 1")
    expect(answer).to_be_focused()
    check(page, MAIN)
    page.locator(".lede").evaluate("at => { at.dataset.drawn = 'once' }")
    page.keyboard.type("It was the resolver, they thought.", delay=60)  # the page looks four times
    expect(page.locator("[data-stale=true]")).to_have_count(0)
    expect(page.locator(".lede[data-drawn=once]")).to_have_count(1)
    expect(answer).to_have_value("It was the resolver, they thought.")
    expect(page.locator(".meter")).to_have_text("8 of 128 tokens")
    expect(answer).to_be_focused()
    page.mouse.wheel(0, 500)
    expect(answer).to_be_in_viewport()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("textbox", name="Your answer to call 2")).to_be_focused()
    expect(page.locator(".s-answer")).to_have_text("It was the resolver, they thought.")
    page.keyboard.type("It was the pool.")
    page.keyboard.press("Control+Enter")
    sentence(page, "You were the model.").wait_for()
