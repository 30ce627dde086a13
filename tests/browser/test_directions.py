"""Arabic and Hebrew read from the right, wherever they stand."""

from playwright.sync_api import Page, expect

from tests.browser.actions import (
    ask,
    choose,
    choose_mode,
    look_at,
    open_panel,
    paste,
    press,
    run,
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


def check(page: Page, where: str) -> None:
    settled(page)
    assert page.evaluate(FROM_THE_LEFT) == [], where


def test_text_from_the_right_in_every_view(page: Page):
    paste(page, f"{ARABIC}\n\n{HEBREW}")
    ask(page, QUESTION)
    choose_mode(page, "refine")
    settled(page)
    open_panel(page, "Templates")
    template = page.get_by_role("textbox", name="Text of the template")
    template.fill(f"{HEBREW} {{context_str}} {{query_str}} {{tone}}")
    value = page.get_by_role("textbox", name="Value of tone")
    value.fill(ARABIC)
    value.press("Enter")
    check(page, "inputs and plan")
    run(page, "refine made 2 calls")
    switch = page.get_by_role("radiogroup", name="View of the run")
    for view in switch.get_by_role("radio").all_inner_texts():
        look_at(page, view)
        check(page, view)
    look_at(page, "Calls")
    expect(page.locator(".prompt .s-context").first).to_have_css("direction", "rtl")
    expect(page.locator(".prompt .s-template").first).to_have_css("direction", "rtl")
    settled(page)
    page.get_by_role("link", name="Compare").click()
    press(page, "Run all")
    page.get_by_role("button", name="Run again").wait_for()
    check(page, "Compare")
    choose(page, "Questions")
    settled(page)
    page.get_by_text("Facts and rubrics of this question").click()
    facts = page.get_by_role("textbox", name="Facts that the answer should hold")
    facts.fill(HEBREW)
    facts.press("Control+Enter")
    page.get_by_text(f"A good answer holds “{HEBREW[:9]}").wait_for()
    check(page, "Questions")
