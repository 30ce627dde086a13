"""Files that would hold a core, dropped in Chromium onto the page that reads them.

How far a reader comes in its time depends on the machine, so the table has what the page says.
"""

import asyncio
import re
from collections.abc import Iterator
from functools import partial

from playwright.sync_api import FilePayload, Page, sync_playwright

from benchmarks.hostile import Hostile
from benchmarks.served import chromium
from tests import hostile
from tests.hostile import HOSTILE, Questions, Trace, Upload

_PATIENCE = 60_000  # milliseconds until the page says what came of a file
_SAID = re.compile(
    r"This (file|set) was not|became [\d,]+ chunk|verified: the same|differs from call"
)
"""In what a page says of a file, be it read or not."""


def _to_chunks(page: Page, url: str) -> None:
    page.goto(f"{url}/?w=new")
    page.get_by_role("button", name="Own text", exact=True).click()


def _to_questions(page: Page, url: str) -> None:
    page.goto(f"{url}/compare?w=new&compare_view=grid")
    page.get_by_role("button", name="1 question").click()


def _to_traces(page: Page, url: str) -> None:
    page.goto(f"{url}/runs?w=new")


_WAYS = {Upload: _to_chunks, Questions: _to_questions, Trace: _to_traces}


def drop(page: Page, row: hostile.Hostile, url: str) -> str:
    """Drop the file there, and wait for what the page says of it."""
    assert isinstance(row.read, Upload | Questions | Trace)
    _WAYS[type(row.read)](page, url)
    file = FilePayload(name=row.read.name, mimeType="application/octet-stream", buffer=row.make())
    page.locator("input[type=file]").set_input_files(file)
    return " ".join(page.locator(".num", has_text=_SAID).first.inner_text().split())


def _drop(row: hostile.Hostile, url: str) -> str:
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        page = browser.new_page()
        page.set_default_timeout(_PATIENCE)
        said = drop(page, row, url)
        browser.close()
    return said


async def _dropped(row: hostile.Hostile, url: str) -> str:
    return await asyncio.to_thread(_drop, row, url)


def _size(row: hostile.Hostile) -> str:
    kilobytes = row.size / 1e3
    return f"{kilobytes / 1e3:.1f} MB" if kilobytes >= 1e3 else f"{kilobytes:.0f} kB"


def dropped() -> Iterator[Hostile]:
    """What is done with each file that passes its widget; they are made to be measured."""
    for row in HOSTILE:
        if isinstance(row.read, Upload | Questions | Trace) and row.size <= row.read.most:
            yield Hostile(row.name, _size(row), partial(_dropped, row))
