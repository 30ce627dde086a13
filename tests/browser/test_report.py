"""A report as a browser opens it from the disk."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Page

from synth.llms import FunctionLLM
from synth.quality import read_facts
from tests.browser.test_directions import FROM_THE_LEFT
from tests.ui.compare_columns import comparison_of, ran, row_of
from tests.ui.report.reported import CHUNKS, QUESTION, reported
from ui.export.report_pages import run_html
from ui.pages.compare.comparison import Asked
from ui.pages.compare.report import report_html
from ui.settings.request import Model

MADE = datetime(2026, 3, 14, 9, 42, tzinfo=UTC)
NASTY = (
    '</p></style><img src="http://x.example/" onerror="document.title=1">'
    "<script>document.title=2</script>"
)
ARABIC = "توقف الخادم في الساعة 8 لأن القرص امتلأ (بعد ساعة)."
HOSTILE = (NASTY, ARABIC, *CHUNKS)


SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# The words that are drawn out of their figure.
_OUTSIDE = """() => [...document.querySelectorAll('.scene .label > span')]
  .filter(words => words.checkVisibility()).filter(words => {
    const inner = words.getBoundingClientRect();
    const outer = words.closest('.scene').getBoundingClientRect();
    return inner.left < outer.left - 1 || inner.right > outer.right + 1
      || inner.bottom > outer.bottom + 2; }).map(words => words.textContent)"""


def reports() -> dict[str, str]:
    """A report of each kind, with texts that would like to be more."""
    model = Model("endpoint", NASTY)
    asked = f"{QUESTION} {NASTY}"
    run = reported(
        "tree_summarize", text_chunks=HOSTILE, query_str=asked, context_window=300, model=model
    )
    failed = replace(run.trace, response=None, error="It ended.", error_kind="CapReached")
    runs = {
        NASTY: run,
        "refine": reported("refine", FunctionLLM(lambda _: NASTY), text_chunks=HOSTILE),
        "simple_summarize": reported("simple_summarize", text_chunks=("Every word. " * 200,)),
        "failed": replace(run, trace=failed),
    }
    rows = [
        ran(row_of(column, one.request), one.trace)._replace(note=NASTY)
        for column, one in zip("ABCD", runs.values(), strict=True)
    ]
    comparison = comparison_of(rows, Asked(NASTY, facts=read_facts("the pool")))
    return {"run": run_html(run, MADE), "comparison": report_html(comparison, MADE)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reports")
    for name, source in reports().items():
        (folder / f"{name}.html").write_text(source, "utf-8")
    return folder


@pytest.fixture(params=["run", "comparison"])
def opened(
    tab: Page, folder: Path, requests: list[str], request: pytest.FixtureRequest
) -> Iterator[Page]:
    """The page; at the end, it must have asked for nothing and said nothing."""
    said: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        said.append(message.text)

    tab.on("console", hear)
    address = (folder / f"{request.param}.html").as_uri()
    tab.goto(address)
    title = tab.title()
    yield tab
    tab.remove_listener("console", hear)
    assert requests == [address]
    assert said == []
    assert tab.title() == title
    assert title not in ("1", "2")


def fits(opened: Page, width: int):
    opened.set_viewport_size({"width": width, "height": 900})
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
    figures = opened.locator(".scene")
    shown = figures.locator("visible=true")
    rights = "all => all.map(one => one.getBoundingClientRect().right)"
    assert max(shown.evaluate_all(rights)) <= width
    assert opened.evaluate(_OUTSIDE) == []


def test_it_fits_every_width_is_light_on_paper_and_axe_finds_nothing(opened: Page):
    for width in (1440, 1100, 800, 390, 320):
        fits(opened, width)
    prompt = opened.locator("details .prompt").first
    assert not prompt.is_visible()
    opened.emulate_media(media="print", color_scheme="dark")
    assert prompt.is_visible()
    paper = opened.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == "rgb(255, 255, 255)"
    opened.set_viewport_size({"width": 1440, "height": 900})
    opened.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    for scheme in SCHEMES:
        opened.emulate_media(media="null", color_scheme=scheme)
        found = Axe().run(opened, options={"resultTypes": ["violations"]})
        assert not found.violations_count, f"{scheme}: {found.generate_report()}"
    assert opened.evaluate(FROM_THE_LEFT) == []
