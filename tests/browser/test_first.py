"""The first screen as a person sees it, at every size."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import (
    ask,
    link,
    open_model,
    open_panel,
    press,
    run,
    run_button,
    sentence,
    settled,
)
from tests.browser.first_screen import read_screen
from tests.browser.layout import MENU, SIZES, cut, faults, fits_across

MAIN = (
    ".st-key-menu",
    ".st-key-query_str",
    ".st-key-inputs_shown",
    ".st-key-mode_cards",
    ".st-key-head",
    ".st-key-views",
    ".st-key-picture .scene",
)
PLACED = (
    ".st-key-query_str",
    ".st-key-inputs_shown",
    ".st-key-mode_cards",
    ".lede",
    ".st-key-views",
    ".answer-strip",
    ".st-key-picture .scene",
)
"""What stands at one place before a run and after it."""
LOW = {"mode": "tree_summarize", "context_window": 600, "num_output": 200}
WARNED = (
    ("Your cap may end it.", {"cap_calls": 1}),
    ("this plan stops early", LOW),
    ("Runs would send your text to api.openai.com.", {"model": "endpoint", "model_name": "m"}),
)
WORDS = (".st-key-menu a", ".lede", ".st-key-run button")


def test_nothing_overlaps_or_is_cut_at_any_size_and_own_text_waits(tab: Page, app_url: str):
    tab.goto(link(app_url, mode="compact"))
    tab.locator(".scene rect").first.wait_for(state="attached")
    for width, height in SIZES:
        tab.set_viewport_size({"width": width, "height": height})
        settled(tab)
        assert faults(tab, *MENU) == [], width
        assert faults(tab, *MAIN) == [], width
        assert cut(tab, *WORDS) == [], width
        assert fits_across(tab), width
        expect(run_button(tab)).to_be_in_viewport()
        if width <= 800:  # the bar with Run has room of its own
            says = re.compile(r"compact\s*2 calls, at most 1,863 tokens")
            expect(tab.locator(".run-words")).to_have_text(says)
    press(tab, "Own text", exact=True)
    expect(tab.get_by_role("textbox", name="Text", exact=True)).to_be_visible()


@pytest.mark.parametrize("values", [{}, {"mode": "compact"}], ids=["opening", "plan"])
def test_the_first_screen_has_few_words_and_controls(tab: Page, app_url: str, values):
    tab.set_viewport_size({"width": 1440, "height": 900})
    tab.goto(link(app_url, **values))
    tab.locator(".scene rect").first.wait_for(state="attached")
    settled(tab)
    screen = read_screen(tab)
    assert 60 < len(screen.words) <= 130, screen.words
    assert 20 < len(screen.controls) <= 35, screen.controls


@pytest.mark.parametrize(("width", "height"), SIZES[:4])
def test_nothing_moves_at_run(tab: Page, app_url: str, width: int, height: int):
    tab.set_viewport_size({"width": width, "height": height})
    tab.goto(link(app_url, mode="compact"))
    sentence(tab, "compact would make 2 calls").wait_for()
    open_panel(tab, "Limits")  # folded on a narrow page
    places = _places(tab)
    run(tab, "compact made 2 calls")
    _stay(tab, places)
    field = tab.get_by_role("spinbutton", name="Context window")
    field.fill("900")
    field.press("Enter")
    expect(tab.get_by_role("status").get_by_text("Last answer is out of date")).to_be_visible()
    settled(tab)  # a slider with another end is another one, and both are there for a moment
    expect(tab.locator(".st-key-num_output_slider input")).to_have_value("128")
    _stay(tab, places)
    press(tab, "Show the last answer")
    expect(tab.get_by_role("button", name="Show the new plan")).to_be_visible()
    _stay(tab, places)
    field.fill("40")
    field.press("Enter")
    expect(tab.get_by_role("alert")).to_contain_text("needs")
    _stay(tab, places)
    for words, values in WARNED:
        tab.goto(link(app_url, **{"mode": "compact"} | values))
        expect(tab.get_by_role("status").get_by_text(words)).to_be_visible()
        _stay(tab, places)


_PLACE = """element => {
  const { x, y } = element.getBoundingClientRect()
  return [x, y + document.querySelector("[data-testid=stMain]").scrollTop]
}"""


def _places(tab: Page) -> dict[str, list[float]]:
    placed = [name for name in PLACED if name != ".st-key-inputs_shown" or not is_narrow(tab)]
    return {name: tab.locator(name).evaluate(_PLACE) for name in placed}


def is_narrow(tab: Page) -> bool:
    """Whether the inputs stand below the picture, and go where its height has them."""
    size = tab.viewport_size
    return size is not None and size["width"] <= 1000


def _stay(tab: Page, places: dict[str, list[float]]):
    """All is where it was, to two pixels."""
    settled(tab)
    for name, place in _places(tab).items():
        assert place == pytest.approx(places[name], abs=2), name


MANUAL = [f"Part {number}. The pump of group {number} is checked. " * 20 for number in range(19)]
MANUAL.append("The grinder is opened by a quarter turn. " * 20)


def test_an_engineer_has_mode_price_and_the_missing_fact_in_eight_actions(tab: Page, app_url: str):
    tab.goto(f"{app_url}/?w=new")
    open_model(tab)  # 1
    price = tab.get_by_role("combobox", name="Price as")
    price.fill("gpt-4")  # 2
    price.press("Enter")
    press(tab, "Own text", exact=True)  # 3, which closes the menu
    tab.get_by_role("textbox", name="Text", exact=True).fill("\n\n".join(MANUAL))  # 4
    tab.keyboard.press("Control+Enter")  # 5
    tab.get_by_text("became 20 chunks").wait_for()
    window = tab.get_by_role("slider", name="Context window, in tokens")
    expect(window).to_have_attribute("aria-valuenow", "8192")  # of the model that is paid for
    ask(tab, "How is the pump checked?")  # 6
    expect(tab.locator(".st-key-head")).to_contain_text("$0.")
    cards = tab.locator(".st-key-mode_cards")
    expect(cards).to_contain_text(re.compile(r"compact.*1 call", re.DOTALL))
    expect(cards).to_contain_text(re.compile(r"refine.*20 calls", re.DOTALL))
    run_button(tab).click()  # 7
    fact = tab.get_by_role("textbox", name="Follow a fact")
    settled(tab)
    fact.fill("a quarter turn")  # 8
    fact.press("Enter")
    sentence(tab, "left out “a quarter turn”").wait_for()
