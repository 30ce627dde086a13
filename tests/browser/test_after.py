"""After a run, as a person goes through it: steps by keyboard, an edit, a failure, a refresh."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.browser.actions import look_at, run_button, sentence, settled, use_endpoint
from tests.fake_openai import Answer, Failure, FakeOpenAI, Silence

EVIL = (
    "# Cause\nwww.evil.invalid <http://evil.invalid> me@evil.invalid\n"
    "![seen](http://evil.invalid/a.png) [click](http://evil.invalid/b) <img src=x>\n"
    "![ref][r]\n\n[r]: http://evil.invalid/c.png\n\n**eight** connections for $5 and $6"
)


def refine_at(page: Page, server: FakeOpenAI):
    """Run the sample's twelve chunks through refine on this endpoint."""
    use_endpoint(page, server)
    run_button(page).click()


def test_steps_by_keyboard_then_edit_and_go_on(page: Page):
    with FakeOpenAI(*(Answer(f"the answer of call {number}") for number in range(1, 13))) as server:
        refine_at(page, server)
        look_at(page, "Steps")
        expect(sentence(page, "Step 1 of 12")).to_be_visible()
        for number in (2, 3, 4):
            settled(page)  # a key that is pressed while the button is drawn anew is lost
            page.keyboard.press("ArrowRight")
            expect(sentence(page, f"Step {number} of 12")).to_be_visible()
        settled(page)
        page.keyboard.press("ArrowLeft")
        expect(sentence(page, "Step 3 of 12")).to_be_visible()
        settled(page)
        assert "step=3" in page.url
        assert "view=steps" in page.url
        page.get_by_role("button", name="Edit and go on").click()
        page.get_by_role("textbox", name="New answer").fill("It was the pool, said a person.")
        page.get_by_role("button", name="Go on from here").click()
        expect(page.get_by_text("edited by hand: call 3")).to_be_visible()
        edited = page.locator(".section", has_text=re.compile("New answer.*edited by hand"))
        expect(edited).to_be_visible()  # only the view Steps has it, after the end of the run
        expect(sentence(page, "Step 3 of 12")).to_be_visible()
        expect(page.locator(".answer").get_by_text("said a person")).to_be_visible()
        assert len(server.requests) == 12 + 9
        page.get_by_role("radio", name="Original").click()
        expect(page.locator(".answer ins")).to_have_text("3")


def test_a_step_fits_on_the_screen_and_the_slider_stands_under_it(page: Page, app_url: str):
    page.goto(f"{app_url}/?mode=refine&view=steps&step=5")
    run_button(page).click()
    expect(sentence(page, "Step 5 of 12")).to_be_visible()
    slider = page.get_by_role("slider", name="Step")
    slider.focus()
    for number in (6, 7):
        settled(page)
        page.keyboard.press("ArrowRight")
        expect(sentence(page, f"Step {number} of 12")).to_be_visible()
    for width in (1440, 800, 390):
        page.set_viewport_size({"width": width, "height": 900})
        settled(page)
        frame = page.locator(".st-key-step_figure .frame:visible").bounding_box()
        thumb = page.locator(".st-key-step_slider [style*='left:']").bounding_box()
        assert frame
        assert thumb
        middle = frame["x"] + frame["width"] / 2
        assert abs(thumb["x"] + thumb["width"] / 2 - middle) < 4
        scrolled = page.get_by_test_id("stMain").evaluate("at => at.scrollHeight - at.clientHeight")
        assert scrolled <= 0 or width < 1000


def test_a_press_counts_that_begins_on_a_button_and_ends_after_the_page_was_drawn(page: Page):
    run_button(page).click()
    expect(sentence(page, "compact made")).to_be_visible()
    look_at(page, "Plan")
    settled(page)
    question = page.get_by_role("textbox", name="Question")
    question.fill("What was reversed?")
    box = run_button(page).bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    expect(page.get_by_text("is out of date")).to_be_visible()  # the page was drawn meanwhile
    page.mouse.up()
    expect(page.get_by_role("radio", name="Answer")).to_be_checked()
    expect(page.get_by_text("is out of date")).to_have_count(0)


def test_a_failed_call_is_resumed_and_a_refresh_loses_nothing(page: Page):
    replies = (Answer("the first"), Failure(401, "no such key"), Answer("the second"), Silence())
    with FakeOpenAI(*replies) as server:
        refine_at(page, server)
        expect(page.get_by_text("no such key").first).to_be_visible()
        page.get_by_role("button", name="Resume").click()
        expect(sentence(page, "2 of 12 calls answered")).to_be_visible()
        page.reload()
        expect(sentence(page, "2 of 12 calls answered")).to_be_visible()
        expect(page.get_by_text("the second")).to_be_visible()
        page.get_by_role("button", name="Stop").click()
        expect(page.get_by_text("2 answers were kept")).to_be_visible()
        assert len(server.requests) == 4


def test_an_answer_as_markdown_fetches_nothing(page: Page, requests: list[str]):
    with FakeOpenAI(Answer(EVIL)) as server:
        refine_at(page, server)
        expect(sentence(page, "refine made 12 calls")).to_be_visible()
        for form in ("Plain", "To copy", "Markdown"):
            page.get_by_role("radio", name=form).click()
            expect(page.get_by_role("radio", name=form)).to_be_checked()
        expect(page.get_by_role("heading", name="Cause")).to_be_visible()
        expect(page.get_by_text("for $5 and $6").first).to_be_visible()
        expect(page.locator("img[src*=evil], a[href*=evil]")).to_have_count(0)
    assert {urlsplit(url).hostname for url in requests if url.startswith("http")} == {"127.0.0.1"}


def test_a_link_opens_the_same_step(page: Page, app_url: str):
    page.goto(f"{app_url}/?mode=refine&view=steps&step=5")
    run_button(page).click()
    expect(sentence(page, "Step 5 of 12")).to_be_visible()
    page.reload()
    expect(sentence(page, "Step 5 of 12")).to_be_visible()


def test_a_person_types_undisturbed_while_the_page_waits(page: Page):
    page.get_by_role("button", name="Answer it yourself").click()
    answer = page.get_by_role("textbox", name="Your answer to call 1")
    expect(answer).to_be_focused()
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
    expect(sentence(page, "You were the model.")).to_be_visible()


def test_pointing_at_a_source_lights_its_words_and_the_reverse(page: Page):
    run_button(page).click()
    words, row = page.locator(".q-9 .s-context"), page.locator("details.from-9")
    expect(words).to_be_visible()
    plain = words.evaluate("at => getComputedStyle(at).backgroundColor")
    row.locator("summary").hover()
    expect(words).not_to_have_css("background-color", plain)
    page.mouse.move(5, 5)
    expect(words).to_have_css("background-color", plain)
    words.hover()
    expect(row).not_to_have_css("box-shadow", "none")
    row.locator("summary").press("Enter")
    expect(row.locator(".whole")).to_be_visible()
