"""How long the page takes to follow an edit, in Chromium, with the app as a user starts it.

    python -m benchmarks.page

From the event (Enter in the window's field, a click on a mode, Tab out of a template) to the
plan's new sentence, and to the last change of a figure, with 50 and with 2,000 chunks of
about 200 tokens; and from a first request to a warm server to the plan's sentence.
"""

from __future__ import annotations

import shutil
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks import texts

ROUNDS = 8
FIRST = 5  # loads by a browser that was never here
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
MODES = ("tree_summarize", "compact_accumulate", "simple_summarize", "compact")  # all by the window

# The event that starts the clock, the sentence when it changes, each change of a figure.
WATCH = """() => {
  const lede = () => document.querySelector('.st-key-two_head .lede')?.innerText
  const times = window.times = {event: 0, sentence: 0, figure: 0, latest: 0}
  let before = lede()
  window.begin = kind => {
    Object.assign(times, {event: 0, sentence: 0, figure: 0, latest: performance.now()})
    before = lede()
    const started = () => times.event ||= performance.now()
    window.addEventListener(kind, started, {capture: true, once: true})
  }
  new MutationObserver(found => {
    if (!times.event) return
    const now = times.latest = performance.now()
    if (!times.sentence && lede() && lede() !== before) times.sentence = now
    const plotted = node => (node.closest ? node : node.parentElement)?.closest('.js-plotly-plot')
    if (found.some(one => plotted(one.target))) times.figure = now
  }).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true})
}"""
QUIET = "() => times.sentence && performance.now() - times.latest > 400"


def main() -> None:
    with _app() as url, sync_playwright() as playwright:
        path = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        print(f"{'what':<44} {'p50':>6} {'p95':>6}   bar", flush=True)
        _first(browser, url)
        for count, bars in ((50, (150, 300)), (2_000, (350, 350))):
            _edits(browser, url, count, bars)
        browser.close()


def _first(browser: Browser, url: str) -> None:
    """The first load warms the server and is not counted."""
    found = []
    for _ in range(FIRST + 1):
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        began = time.perf_counter()
        page.goto(url)
        page.locator(".st-key-two_head .lede").wait_for()
        found.append(1000 * (time.perf_counter() - began))
        page.close()
    _row("first request: sentence", found[1:], 3_000)


def _edits(browser: Browser, url: str, count: int, bars: tuple[int, int]) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(60_000)
    page.goto(url)
    _paste(page, count)
    page.evaluate(WATCH)
    measured: dict[str, list[tuple[float, float]]] = {"window": [], "mode": [], "template": []}
    for at in range(ROUNDS):
        # A window never seen before, so that no plan is remembered.
        measured["window"].append(_window(page, 1_500 + 40 * at))
        measured["mode"].append(_mode(page, MODES[at % len(MODES)]))
        measured["template"].append(_template(page, at))
    for what, times in measured.items():
        name = f"{count:,} chunks, {what}"
        _row(f"{name}: sentence", [sentence for sentence, _ in times], bars[0])
        _row(f"{name}: figures", [figure for _, figure in times if figure > 0], bars[1])
    page.close()


def _paste(page: Page, count: int) -> None:
    """Chunks of about 200 tokens, through the page's own paste."""
    words = " ".join(texts.english(2 * count * texts.CHUNK).split())
    chunks = (words[at * texts.CHUNK : (at + 1) * texts.CHUNK] for at in range(count))
    page.get_by_role("button", name="Paste").click()
    page.get_by_role("textbox", name="Text", exact=True).fill("\n\n".join(chunks))
    page.get_by_text("Cut it at").click()
    page.get_by_text(f"became {count:,} chunks").wait_for()
    page.keyboard.press("Escape")


def _window(page: Page, tokens: int) -> tuple[float, float]:
    field = page.get_by_role("spinbutton", name="Context window")
    field.fill(str(tokens))
    page.evaluate("begin('keydown')")
    field.press("Enter")
    return _times(page)


def _mode(page: Page, name: str) -> tuple[float, float]:
    page.evaluate("begin('click')")
    page.get_by_role("radio", name=name, exact=True).click()
    return _times(page)


def _template(page: Page, at: int) -> tuple[float, float]:
    """A longer template each time, so that the sentence has other numbers."""
    field = page.get_by_role("textbox", name="Text of the template")
    if not field.is_visible():
        page.get_by_text("Templates ·").click()
    field.fill(field.input_value() + " Be brief." * (at + 1))
    page.evaluate("begin('keydown')")
    field.press("Tab")
    return _times(page)


def _times(page: Page) -> tuple[float, float]:
    """Milliseconds to the sentence, and to the last change of a figure; 0 for no change."""
    page.wait_for_function(QUIET)
    times: dict[str, float] = page.evaluate("times")
    return times["sentence"] - times["event"], max(0.0, times["figure"] - times["event"])


def _row(what: str, found: list[float], bar: int) -> None:
    if not found:
        print(f"{what:<44} {'none drawn':>13}   ≤ {bar:,}")
        return
    p50, p95 = statistics.median(found), sorted(found)[round(0.95 * (len(found) - 1))]
    verdict = "ok" if p50 <= bar else "MISSED"
    print(f"{what:<44} {p50:>6,.0f} {p95:>6,.0f}   ≤ {bar:,} {verdict}", flush=True)


@contextmanager
def _app() -> Iterator[str]:
    """The app on a free loopback port."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    command += ["--server.address", "127.0.0.1", "--server.headless", "true"]
    root = Path(__file__).parents[1]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL) as app:
        try:
            _wait(f"http://127.0.0.1:{port}")
            yield f"http://127.0.0.1:{port}"
        finally:
            app.terminate()


def _wait(url: str) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for _ in range(300):
        try:
            opener.open(f"{url}/_stcore/health")
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("The app did not start within 30 s.")


if __name__ == "__main__":
    main()
