"""On a slow line the first words stand before the code of the page has come."""

from playwright.sync_api import Page, Route, expect

from tests.browser.actions import run_button

_SLOW_LINE = {"offline": False, "latency": 150, "downloadThroughput": 200_000}  # 1.6 Mbit/s
_SLOW_LINE["uploadThroughput"] = 100_000


def test_the_first_words_stand_while_the_code_is_held_back(tab: Page, app_url: str):
    held: list[Route] = []

    def hold(route: Route) -> None:  # Playwright can't wrap a method of a list
        held.append(route)

    chromium = tab.context.new_cdp_session(tab)
    chromium.send("Network.emulateNetworkConditions", _SLOW_LINE)
    tab.route("**/static/js/**", hold)
    tab.goto(f"{app_url}/?w=new", wait_until="commit")
    words = tab.locator("#first-words")
    expect(words).to_contain_text("Synthesis playground")
    expect(words).to_contain_text("Now they must become one answer.")
    assert tab.title() == "Synthesis playground"
    assert held
    expect(tab.get_by_test_id("stApp")).to_have_count(0)
    tab.unroute("**/static/js/**")  # which lets go on what is held
    chromium.detach()
    run_button(tab).wait_for()
    expect(words).to_have_count(0)
