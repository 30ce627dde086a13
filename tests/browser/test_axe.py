"""axe-core finds nothing wrong on the Playground; the tests of other pages ask `check` too."""

from itertools import combinations
from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.actions import link, look_at, open_panel, press, run, settled

AXE = Axe()
MAIN = "[data-testid=stMain]"
"""Where a page differs from what it was when all of it was looked at: its menu stays."""

THEIRS = {
    "presentation-role-conflict": "the drop zone of Streamlit's uploader has no role, but a name"
}
"""Rules that Streamlit's own elements break, and how."""

_PLAN = ".st-key-stage"  # beside the inputs
_OPTIONS: tuple[dict[str, Any], ...] = (
    {"rules": {rule: {"enabled": False} for rule in THEIRS}},
    {"runOnly": ["color-contrast"]},
)
_SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
_WITH_FIGURES = ("Picture", "Coverage", "Steps")
# The boxes of the words that are shown on the figures, and the number of the figure.
_BOXES = """() => [...document.querySelectorAll('.scene .drawing')].flatMap((plot, number) => {
  const frame = plot.getBoundingClientRect();
  return [...plot.querySelectorAll('.label span')].filter(text => text.textContent.trim()
      && text.checkVisibility()).map(text => {
    const box = text.getBoundingClientRect();
    return [number, text.textContent, box.left - frame.left, box.right - frame.left, box.top,
      box.bottom, frame.width];
  });
})"""


def check(page: Page, within: str = "html") -> None:
    """Look for all faults in the theme that is on, then for those of colours in the other."""
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    for other, options in enumerate(_OPTIONS):
        scheme = _SCHEMES[dark != bool(other)]
        page.emulate_media(color_scheme=scheme)
        for _ in range(5):  # colours change over some frames, and code that is late may be missing
            settled(page)
            found = AXE.run(page, within, options | {"resultTypes": ["violations"]})
            if not found.violations_count:
                break
        assert not found.violations_count, f"{scheme}: {found.generate_report()}"


def test_the_playground_before_a_run(page: Page):
    for panel in ("Limits", "Templates", "Chunks"):
        open_panel(page, panel)
        check(page)
        if panel == "Templates":
            press(page, "Versions")
            check(page, "[data-testid=stPopoverBody]")
            page.keyboard.press("Escape")
    for popover in ("Own text", "Samples"):
        page.keyboard.press("Escape")
        page.get_by_role("button", name=popover, exact=True).click()
        check(page, "[data-testid=stPopoverBody]")
    _follow_the_theme(page)
    page.keyboard.press("Escape")
    switch = page.get_by_role("radiogroup", name="View of the plan")
    for view in ("Calls", "Coverage"):
        switch.get_by_role("radio", name=view).click()
        check(page, _PLAN)


def _follow_the_theme(page: Page):
    """So do a figure and a popover, which hangs outside of Streamlit's app."""
    box, popover, fills = (
        page.locator(".scene rect.k-context").first,
        page.get_by_role("dialog"),
        set(),
    )
    for scheme in _SCHEMES:
        page.emulate_media(color_scheme=scheme)
        expect(popover).to_have_css("color-scheme", scheme)
        settled(page)
        fills.add(box.evaluate("element => getComputedStyle(element).fill"))
    assert len(fills) == 2


def _collisions(page: Page) -> list[str]:
    settled(page)
    boxes = page.evaluate(_BOXES)
    assert boxes
    met = [
        f"{one[1]} / {other[1]}"
        for one, other in combinations(boxes, 2)
        if one[0] == other[0]
        and max(one[2], other[2]) < min(one[3], other[3]) - 1
        and max(one[4], other[4]) < min(one[5], other[5]) - 3
    ]
    cut = [box[1] for box in boxes if box[2] < -1.5 or box[3] > box[6] + 1.5]
    return met + cut


def test_every_view_of_a_run_and_the_words_of_its_figures_stand_apart(tab: Page, app_url: str):
    texts = [f"The pool of server {one} failed at noon." for one in range(20)]
    chunks = [{"text": text, "source": "pasted", "on": True} for text in texts]
    tab.goto(link(app_url, mode="refine", query_str="Which server failed?", chunks=chunks))
    run(tab, "refine made")
    switch = tab.get_by_role("radiogroup", name="View of the run")
    for number, view in enumerate(switch.get_by_role("radio").all_inner_texts()):
        look_at(tab, view)
        check(tab, MAIN if number else "html")
        for width in (390, 800, 1024, 1440) if view in _WITH_FIGURES else ():
            tab.set_viewport_size({"width": width, "height": 900})
            assert _collisions(tab) == [], (view, width)
