"""What leaves the app, as a browser gets it: files made when they are asked for."""

import ast
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import FilePayload, Page

from tests.browser.actions import press, run, sentence, settled
from tests.eventually import eventually
from ui.store.rows import Run
from ui.workspaces import files

BAD_LABEL = (
    "![i](http:\u2215\u2215evil.test\u2215x.png) :red[x] :material\u2215home: :smile: $x^2$ *b*"
    " www.evil.test.json"
)


def saved(page: Page, label: str) -> str:
    settled(page)
    with page.expect_download() as download:
        page.get_by_role("button", name=label, exact=True).click()
    return Path(download.value.path()).read_text("utf-8")


def test_a_run_is_saved_and_opened_again_whatever_its_file_is_called(
    page: Page, requests: list[str]
):
    run(page, "compact made 2 calls")
    press(page, "Share", exact=True)
    text = saved(page, "Run as JSON")
    exported = files.read(text)
    assert isinstance(exported, Run)
    assert exported.trace.call_count == 2
    ast.parse(saved(page, "LlamaIndex script"))
    share = page.locator(".st-key-share_contents")
    share.get_by_text("Contract", exact=True).click()
    ast.parse(saved(page, "Contract for pytest"))
    share.get_by_text("Open a file").click()
    settled(page)
    file = FilePayload(name=BAD_LABEL, mimeType="application/json", buffer=text.encode())
    share.locator("input[type=file]").set_input_files(file)
    settled(page)
    way = page.get_by_test_id("stLinkButton")
    eventually(
        lambda: f"Open {BAD_LABEL}" in way.inner_text().replace("\u2060", ""),
        "a link with the whole name",
    )
    assert way.locator("img, .katex").count() == 0
    assert {urlsplit(url).hostname for url in requests if url.startswith("http")} == {"127.0.0.1"}
    with page.context.expect_page() as opened:
        way.locator("a").click()
    sentence(opened.value, "compact made 2 calls").wait_for()
    opened.value.close()
