"""What leaves the app, as a browser gets it: files made when they are asked for."""

import ast
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.actions import run_button, sentence, settled
from ui.history import run_file


def saved(page: Page, label: str) -> str:
    """The text of the file that this button saves."""
    with page.expect_download() as download:
        page.get_by_role("button", name=label, exact=True).click()
    return Path(download.value.path()).read_text("utf-8")


def test_a_run_is_saved_and_opened_again_beside_this_one(page: Page, tmp_path: Path):
    run_button(page).click()
    sentence(page, "compact made 2 calls").wait_for()
    settled(page)  # the plan had files of its own, under a button of the same name
    page.get_by_role("button", name="Export").click()
    text = saved(page, "Run as JSON")
    assert run_file.read(text).trace.call_count == 2
    for label in ("LlamaIndex script", "Contract for pytest"):
        ast.parse(saved(page, label))
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Share").click()
    file = tmp_path / "run.json"
    file.write_text(text, "utf-8")
    page.locator(".st-key-share_contents input[type=file]").set_input_files(file)
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Open run.json").click()
    sentence(opened.value, "compact made 2 calls").wait_for()
