"""What the pages may do in a browser under the headers that every response has."""

from playwright.sync_api import Page, expect

from tests.browser.actions import look_at, run_button, settled
from tests.browser.test_first import menu_has_a_line_below_the_name
from ui.frame import PAGES

_INLINE = "document.body.innerHTML += '<img src=x onerror=\"window.ran = 1\">'"


def test_all_pages_work_on_a_phone_under_the_policy_and_no_script_of_theirs_does(
    tab: Page, app_url: str
):
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto(f"{app_url}/?w=new")
    run_button(tab).click()
    settled(tab)
    for view in ("Steps", "Flow"):
        look_at(tab, view)
    for label in [*PAGES.values()][::-1]:
        tab.get_by_test_id("stPageLink").get_by_role("link", name=label, exact=True).click()
        expect(tab).to_have_title(f"{label} · Synthesis playground")
        settled(tab)
        menu_has_a_line_below_the_name(tab, label)
    assert said == []
    tab.evaluate(_INLINE)
    tab.wait_for_timeout(200)
    assert "Content Security Policy" in " ".join(said)
    assert tab.evaluate("window.ran") is None
