"""Lessons as a person walks through them, and prints them."""

import re
from io import BytesIO

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pypdf import PdfReader

from tests.browser.actions import press, sentence, settled
from tests.browser.layout import fits_across, menu_has_a_line_below_the_name
from tests.browser.test_axe import MAIN, check
from tests.eventually import eventually
from ui.pages.learn.lessons import LESSONS


@pytest.fixture
def page(tab: Page) -> Page:
    return tab


def open_at(page: Page, app_url: str, query: str):
    page.goto(f"{app_url}/learn?{query}")
    page.locator("h1").wait_for()
    settled(page)


def stage(page: Page, name: str):
    return page.get_by_role("radiogroup", name="Stage").get_by_role("radio", name=name)


def test_a_number_of_calls_is_predicted_drawn_and_revealed(page: Page, app_url: str):
    [lesson] = [lesson for lesson in LESSONS if lesson.key == "cliff"]
    calls = lesson.facts(lesson.preset(0)).trace.call_count
    open_at(page, app_url, "lesson=cliff")
    page.get_by_role("radio", name=f"{calls - 1}", exact=True).click()
    rows = page.locator(".st-key-prediction .row-name", has_text=re.compile("call"))
    expect(rows).to_have_text(["first call", "later calls"])
    press(page, "That is my answer")
    for key, number in (("", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        if key:
            settled(page)  # the buttons that hear the keys are drawn after the sentence
            page.keyboard.press(key)
        sentence(page, f"Step {number} of {calls}").wait_for()
    press(page, "Play")
    sentence(page, f"Step {calls} of {calls}").wait_for()
    press(page, "Reveal", exact=True)
    page.get_by_role("status").filter(has_text=f"{calls} calls.").wait_for()
    page.get_by_text(f"You said {calls - 1}: that leaves").wait_for()
    result = page.locator("table.sums tbody tr:last-child th")
    assert result.evaluate("cell => getComputedStyle(cell).borderTopWidth") != "0px"


def test_a_narrow_page_stacks(page: Page, app_url: str):
    page.set_viewport_size({"width": 800, "height": 900})
    open_at(page, app_url, "lesson=cliff")
    for name, picture in (
        ("3 Reveal", ".scene"),
        ("2 Step", ".scene"),
        ("1 Predict", ".st-key-prediction .scene"),
    ):
        stage(page, name).click()
        expect(stage(page, name)).to_be_checked()
        settled(page)
        check(page, MAIN)
        shown = page.locator(picture).first
        shown.wait_for()
        assert fits_across(page)
        assert left_of(shown) < left_of(page.locator("h1")) + 20
    page.set_viewport_size({"width": 390, "height": 844})
    settled(page)
    assert fits_across(page)
    menu_has_a_line_below_the_name(page)


def left_of(found: Locator):
    return found.evaluate("shown => shown.getBoundingClientRect().left")


def test_a_stage_is_printed_without_buttons(page: Page, app_url: str):
    open_at(page, app_url, "lesson=why&seed=5&stage=predict")
    page.evaluate("window.printed = 0; window.print = () => { printed += 1 }")
    press(page, "Print", exact=True)
    eventually(lambda: page.evaluate("printed === 1"), "printed")
    page.emulate_media(media="print")
    page.get_by_text("How many are left for chunks?").wait_for()
    page.get_by_role("radiogroup", name="Your answer").wait_for()
    for name in ("Print", "That is my answer", "With a class"):
        expect(page.get_by_role("button", name=name)).to_be_hidden()
    expect(page.locator(".st-key-menu")).to_be_hidden()
    page.emulate_media(media="null")
    sheets = "".join(sheet.extract_text() for sheet in PdfReader(BytesIO(page.pdf())).pages)
    assert "Why a budget" in sheets
    assert "chunk 3" in sheets


def test_a_class_answers_in_two_actions_and_its_bars_grow_until_space_reveals(
    browser: Browser, page: Page, app_url: str
):
    """The third action is the reveal; nobody reloads anything."""
    [lesson] = [lesson for lesson in LESSONS if lesson.key == "cliff"]
    task = lesson.task(lesson.facts(lesson.preset(0)))
    bars = page.locator(".class-bars > div")
    open_at(page, app_url, "lesson=against")  # which has more choices than the next
    press(page, "With a class")
    expect(bars).to_have_count(len(task.choices) + 1)
    press(page, "Leave")
    press(page, lesson.words.title)
    press(page, "With a class")
    expect(bars).to_have_count(len(task.choices))
    page.get_by_role("img", name="QR code of the link").wait_for()
    page.get_by_text("Only this machine can open it.").wait_for()
    check(page, MAIN)
    link = page.get_by_test_id("stCode").inner_text().strip()
    choices = task.choices[0], task.answer
    pupils = [browser.new_context() for _ in choices]
    for number, (pupil, choice) in enumerate(zip(pupils, choices, strict=True), 1):
        phone = pupil.new_page()
        phone.set_viewport_size({"width": 390, "height": 844})
        phone.goto(link)
        phone.locator("h2").wait_for()
        settled(phone)
        assert fits_across(phone)
        main = phone.get_by_test_id("stMain")
        expect(main.get_by_role("link")).to_have_count(0)
        for name in ("A hint", "That is my answer"):  # and nothing else
            main.get_by_role("button", name=name).wait_for()
        expect(main.locator("button:not([role=radio])")).to_have_count(2)
        phone.get_by_role("radio", name=f"{choice}", exact=True).click()
        press(phone, "That is my answer")
        phone.get_by_text(f"Your answer: {choice}.").wait_for()
        expect(bars.nth(task.choices.index(choice)).locator("b")).to_have_text("1")
        expect(page.locator(".class-total b")).to_have_text(f"{number}")
    expect(page.get_by_text("✓")).to_have_count(0)
    page.keyboard.press("Space")
    expect(bars.filter(has_text="✓")).to_have_text(f"{task.answer} ✓1")
    phone.get_by_text("That is what you said.").wait_for()
    for pupil in pupils:
        pupil.close()
