"""axe-core finds nothing wrong on the Playground; the tests of other pages ask `check` too."""

from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.actions import look_at, run_button, sentence, settled

AXE = Axe()
THEIRS = {
    "presentation-role-conflict": "the drop zone of Streamlit's uploader has no role, but a name"
}
"""Rules that Streamlit's own elements break, and how."""

_OPTIONS: dict[Literal["dark", "light"], dict[str, Any]] = {
    "dark": {"runOnly": ["color-contrast"]},
    "light": {"rules": {rule: {"enabled": False} for rule in THEIRS}},
}


def check(page: Page) -> None:
    """Look for the faults that colours make in the dark, and for all of them in the light."""
    for scheme, options in _OPTIONS.items():
        page.emulate_media(color_scheme=scheme)
        for _ in range(5):  # colours change over some frames, and code that is late may be missing
            settled(page)
            found = AXE.run(page, options=options | {"resultTypes": ["violations"]})
            if not found.violations_count:
                break
        assert not found.violations_count, f"{scheme}: {found.generate_report()}"


def test_the_playground_before_a_run(page: Page):
    page.get_by_text("Templates ·").click()
    check(page)
    for view in ("Calls", "Coverage", "Data"):
        page.get_by_role("radiogroup", name="View of the plan").get_by_role(
            "radio", name=view
        ).click()
        check(page)
    for popover in ("Own text", "Samples"):
        page.get_by_role("button", name=popover, exact=True).click()
        check(page)
        page.keyboard.press("Escape")


def test_the_playground_after_a_run(tab: Page, app_url: str):
    tab.goto(f"{app_url}/?w=new&mode=refine")
    run_button(tab).click()
    sentence(tab, "refine made 12 calls").wait_for()
    switch = tab.get_by_role("radiogroup", name="View of the run")
    for view in switch.get_by_role("radio").all_inner_texts():
        look_at(tab, view)
        check(tab)
