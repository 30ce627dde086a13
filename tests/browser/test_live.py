"""On the machine of its user: a running application that a page follows, and a real model."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from benchmarks.served import served
from synth.llms.on_this_machine import model_file
from tests.browser.actions import run_button, sentence, settled
from tests.browser.layout import at_usual_size, menu_has_a_line_below_the_name
from tests.browser.test_axe import check

MINUTES = 300_000  # milliseconds: two cores that have much else to do
FOCUSED = "document.activeElement.closest('[class*=st-key-live-]')?.innerText"


@pytest.fixture(scope="module")
def app_url() -> Iterator[str]:
    """A server on the machine of its user, who alone may send to it."""
    with served("server.py", own_machine=True) as app:
        yield app.url


def application(url: str) -> subprocess.Popen[str]:
    """An application that sends its spans there; its model waits for a line before each answer."""
    variables = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": url,
        "OTEL_BSP_SCHEDULE_DELAY": "200",
        "OTEL_SERVICE_NAME": "support-bot",
    }
    return subprocess.Popen(
        [sys.executable, "-m", "tests.traces.sending", "compact", "What caused the outage?"],
        env=os.environ | variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_synthesis_grows_call_by_call_is_verified_and_opens_its_steps(tab: Page, app_url: str):
    tab.goto(f"{app_url}/live")
    expect(tab.locator(".headline")).to_contain_text("Waiting for a run of your application.")
    check(tab)
    tab.set_viewport_size({"width": 390, "height": 844})
    settled(tab)
    menu_has_a_line_below_the_name(tab)
    at_usual_size(tab)
    listed = tab.locator(".st-key-live_list")
    with application(app_url) as sender:
        assert sender.stdin is not None
        sender.stdin.write("\n")
        sender.stdin.flush()
        expect(listed).to_contain_text("call 2 of about 3")
        expect(tab.locator(".going-on")).to_contain_text("1 of about 3 calls answered")
        check(tab)
        tab.get_by_role("button", name="What caused the outage?").focus()
        sender.communicate("\n" * 10)
    assert sender.returncode == 0
    expect(listed).to_contain_text("✓ same 3 prompts")
    assert "What caused the outage?" in tab.evaluate(FOCUSED)
    sentence(tab, "compact made 3 calls").wait_for()
    check(tab)
    tab.get_by_role("button", name="Steps").click()
    expect(tab.get_by_role("radio", name="Steps", exact=True)).to_be_checked()
    tab.get_by_role("link", name="Back to the trace").wait_for()


@pytest.mark.skipif(model_file() is None, reason="`make tiny` was not run")
def test_a_real_model_is_chosen_loads_reads_answers_and_is_counted(tab: Page, app_url: str):
    tab.goto(f"{app_url}/?w=new&window=600&num_output=16&top_k=1&selection=top")
    tab.get_by_role("combobox", name="Model").click()
    tab.get_by_role("option", name="SmolLM2, 135M, on this machine").click()
    expect(tab.get_by_text("tokens, from the server")).to_be_visible(timeout=MINUTES)
    run_button(tab).click()
    expect(sentence(tab, re.compile("compact made 1 call"))).to_be_visible(timeout=MINUTES)
    expect(tab.locator(".tagged")).to_contain_text(re.compile(r"\w+"))
