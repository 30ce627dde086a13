"""Arabic and Hebrew read from the right, wherever they stand."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import (
    ask,
    choose,
    choose_mode,
    look_at,
    paste,
    run_button,
    sentence,
    settled,
)

ARABIC = "توقف الخادم في الساعة 8 لأن القرص امتلأ. ثم عاد الخادم إلى العمل (بعد ساعة)."
HEBREW = "השרת נעצר בשעה 8 כי הדיסק התמלא. אחר כך חזר השרת לפעול (כעבור שעה)."
QUESTION = "لماذا توقف الخادم؟"

# The texts with letters that are read from the right, and are drawn from the left all the same:
# neither the direction of their element is right to left, nor does each paragraph have its own.
FROM_THE_LEFT = """() => {
  const wrong = [], found = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const own = element => getComputedStyle(element).unicodeBidi === 'plaintext'
    || getComputedStyle(element).direction === 'rtl';
  while (found.nextNode()) {
    const text = found.currentNode, element = text.parentElement;
    if (!/[\\u0590-\\u06ff]/.test(text.data) || !element.checkVisibility()) continue;
    if (element.closest('svg, canvas, script, style')) continue;
    if (!own(element) && !own(element.closest('[dir=auto], p') ?? element)) wrong.push(text.data);
  }
  for (const field of document.querySelectorAll('textarea, input[type=text]'))
    if (/[\\u0590-\\u06ff]/.test(field.value) && !own(field)) wrong.push(field.value);
  return wrong;
}"""


@pytest.fixture
def asked(page: Page) -> Page:
    """The Playground with an Arabic and a Hebrew chunk, and an Arabic question."""
    paste(page, f"{ARABIC}\n\n{HEBREW}")
    ask(page, QUESTION)
    return page


def check(page: Page, where: str) -> None:
    settled(page)
    assert page.evaluate(FROM_THE_LEFT) == [], where


def test_text_from_the_right_in_every_view(asked: Page):
    choose_mode(asked, "refine")
    asked.locator(".st-key-templates summary").click()
    template = asked.get_by_role("textbox", name="Text of the template")
    template.fill(f"{HEBREW} {{context_str}} {{query_str}} {{tone}}")
    value = asked.get_by_role("textbox", name="Value of tone")
    value.fill(ARABIC)
    value.press("Enter")
    check(asked, "inputs and plan")
    run_button(asked).click()
    expect(sentence(asked, "refine made 2 calls")).to_be_visible()
    switch = asked.get_by_role("radiogroup", name="View of the run")
    for view in switch.get_by_role("radio").all_inner_texts():
        look_at(asked, view)
        check(asked, view)
    look_at(asked, "Calls")
    expect(asked.locator(".prompt .s-context").first).to_have_css("direction", "rtl")
    expect(asked.locator(".prompt .s-template").first).to_have_css("direction", "rtl")


def test_text_from_the_right_on_compare(asked: Page, app_url: str):
    asked.get_by_role("link", name="Compare").click()
    asked.get_by_role("button", name="Run all").click()
    expect(asked.get_by_role("button", name="Run again")).to_be_visible()
    check(asked, "Compare")
    choose(asked, "Facts")
    facts = asked.get_by_role("textbox", name="Facts that the answer should hold")
    facts.fill(HEBREW)
    facts.press("Control+Enter")
    label = asked.locator(".figure .shortened", has_text=HEBREW[:9]).first
    expect(label).to_have_css("direction", "rtl")
    expect(asked.locator(".figure text").first).to_have_css("unicode-bidi", "plaintext")
    quoted = asked.locator(".lede bdi").first
    expect(quoted).to_have_css("direction", "rtl")
    expect(asked.locator(".lede").first).to_have_css("direction", "ltr")
    check(asked, "Facts")
