"""A key that a person typed, and the chunks, never reach a host that the person did not choose."""

import json
import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from benchmarks.served import served
from synth.export import links
from tests.browser.actions import run_button, settled, use_endpoint
from tests.fake_openai import Answer, FakeOpenAI

KEY = "sk-PLANTED-0123456789"
BAD_LABEL = "![i]({}/x.png) :red[x] :material/home: :smile: $x^2$ *b* www.evil.test"


@pytest.fixture
def ours() -> Iterator[FakeOpenAI]:
    """The server that the person chooses."""
    with FakeOpenAI(Answer("fine"), models=["m"]) as server:
        yield server


@pytest.fixture
def sink() -> Iterator[FakeOpenAI]:
    """Another host, which somebody else would like to see the key or the chunks."""
    with FakeOpenAI(Answer("thanks"), models=["m"]) as server:
        yield server


def knows(server: FakeOpenAI) -> str:
    """All that a server was sent."""
    return repr(server.requests)


def link(app_url: str, values: dict[str, object]) -> str:
    text = json.dumps({"kind": "workspace", "version": 1, "values": values})
    return f"{app_url}/?open={links.packed(text)}"


def fill(page: Page, label: str, text: str) -> None:
    field = page.get_by_role("textbox", name=label, exact=True)
    field.fill(text)
    field.press("Tab")
    settled(page)


def run(page: Page) -> None:
    run_button(page).click()
    expect(page.get_by_text(re.compile("made .* call|The run failed"))).not_to_have_count(0)
    settled(page)


def with_key(page: Page, server: FakeOpenAI) -> None:
    use_endpoint(page, server)
    fill(page, "API key", KEY)


def test_a_set_of_a_link_takes_no_key_along(
    page: Page, app_url: str, ours: FakeOpenAI, sink: FakeOpenAI
) -> None:
    hostile = {"model": "endpoint", "base_url": sink.base_url, "model_name": "m"}
    page.goto(link(app_url, {"template_sets": {"Formal tone": hostile}}))
    expect(page.get_by_text("model does not belong in a set of templates")).to_be_visible()
    with_key(page, ours)
    page.get_by_text(re.compile("^Templates ·")).click()
    page.get_by_role("button", name="Template sets").click()
    page.get_by_role("button", name="Use this set").click()
    settled(page)
    page.keyboard.press("Escape")
    run(page)
    assert KEY in knows(ours)
    assert sink.requests == []


def test_a_column_of_a_live_workspace_sends_nothing_before_the_click(
    page: Page, app_url: str, sink: FakeOpenAI
) -> None:
    workspace = re.search(r"[?&]w=([^&]+)", page.url)
    assert workspace is not None
    theirs = page.context.new_page()  # another session in the same workspace
    theirs.set_default_timeout(60_000)
    theirs.goto(f"{app_url}/compare?w={workspace[1]}")
    theirs.get_by_role("button", name="Edit columns").click()
    settled(theirs)
    theirs.get_by_role("combobox", name="Model").nth(2).click()
    theirs.get_by_role("option", name="OpenAI-compatible endpoint").click()
    settled(theirs)
    fill(theirs, "Base URL", sink.base_url)
    fill(theirs, "Model name", "m")
    expect(theirs.get_by_role("button", name=re.compile("^Send to"))).to_have_count(0)
    theirs.close()
    page.goto(f"{app_url}/compare?w={workspace[1]}")
    settled(page)
    host = sink.base_url.removesuffix("/v1")
    expect(page.get_by_text(f"Runs would send your text to {host}.")).to_be_visible()
    run_all = page.get_by_role("button", name="Run all").first
    expect(run_all).to_be_disabled()
    page.keyboard.press("Control+Enter")
    settled(page)
    assert sink.requests == []
    page.get_by_role("button", name=re.compile("^Send to")).click()
    settled(page)
    run_all.click()
    expect(page.get_by_text("thanks").first).to_be_visible()
    assert sink.requests


def test_a_key_does_not_follow_a_changed_address(
    page: Page, app_url: str, ours: FakeOpenAI, sink: FakeOpenAI
) -> None:
    with_key(page, ours)
    page.get_by_role("link", name="Compare").click()
    page.wait_for_url("**/compare**")
    settled(page)
    fill(page, "Base URL", sink.base_url)
    expect(page.get_by_role("textbox", name="API key", exact=True)).to_have_value("")
    expect(page.get_by_text("The key that you typed is for")).to_be_visible()
    page.go_back()
    expect(run_button(page)).to_have_count(1)  # two while one page gives way to the other
    run_button(page).wait_for()
    settled(page)
    for button in ("Test", "List models"):
        page.get_by_role("button", name=button, exact=True).click()
        settled(page)
    run(page)
    assert sink.requests
    assert KEY not in knows(sink)
    page.get_by_role("combobox", name="Known server").click()
    page.get_by_role("option", name="vLLM").click()
    settled(page)
    expect(page.get_by_role("textbox", name="API key", exact=True)).to_have_value("")
    fill(page, "Base URL", ours.base_url)
    expect(page.get_by_role("textbox", name="API key", exact=True)).to_have_value(KEY)


def test_a_key_in_the_path_of_an_address_stays_there(
    page: Page, ours: FakeOpenAI, sink: FakeOpenAI
) -> None:
    use_endpoint(page, ours)
    fill(page, "Base URL", ours.base_url.replace("/v1", f"/{KEY}/v1"))
    run(page)
    assert KEY in knows(ours)
    page.get_by_role("button", name="Share").click()
    code = page.locator(".st-key-workspace_link code")
    [letters] = parse_qs(urlsplit(code.inner_text().replace("\n", "")).query)["open"]
    assert KEY not in links.unpacked(letters)
    page.keyboard.press("Escape")
    fill(page, "Base URL", sink.base_url)
    run(page)
    assert sink.requests
    assert KEY not in knows(sink)


def test_a_reopened_workspace_names_its_host_before_the_first_run(
    page: Page, ours: FakeOpenAI
) -> None:
    with_key(page, ours)
    page.reload()
    run_button(page).wait_for()
    settled(page)
    expect(run_button(page)).to_be_disabled()
    page.get_by_role("button", name=re.compile("^Send to")).click()
    settled(page)
    run(page)
    assert ours.requests
    assert KEY not in knows(ours)


def test_the_key_of_the_environment_goes_to_no_visitor_and_no_address_of_theirs(
    browser: Browser, ours: FakeOpenAI, sink: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", ours.base_url)
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"X-Secret: {KEY}")
    context = browser.new_context(extra_http_headers={"X-Forwarded-For": "192.0.2.1"})
    context.set_default_timeout(60_000)
    with served("server.py") as app:
        page = context.new_page()
        page.goto(f"{app.url}/?w=new")
        run_button(page).wait_for()
        use_endpoint(page, sink)
        run(page)
        fill(page, "Base URL", "")
        expect(run_button(page)).to_be_disabled()
        run_button(page).hover(force=True)
        expect(page.get_by_text("needs an API key and got none")).to_be_visible()
        context.close()
    assert sink.requests
    assert KEY not in knows(sink)
    assert ours.requests == []


def test_the_name_of_a_file_is_a_label_and_nothing_else(
    page: Page, sink: FakeOpenAI, requests: list[str]
) -> None:
    host = sink.base_url.removesuffix("/v1")
    name = BAD_LABEL.format(host).replace("/", "\u2215") + ".json"
    page.get_by_role("button", name="Share").click()
    text = json.dumps({"kind": "workspace", "version": 1, "values": {}})
    file = FilePayload(name=name, mimeType="application/json", buffer=text.encode())
    page.locator("input[type=file]").last.set_input_files(file)
    settled(page)
    label = page.get_by_test_id("stLinkButton").inner_text().replace("\u2060", "")
    assert f"Open {name}" in label
    assert page.get_by_test_id("stLinkButton").locator("img, .katex").count() == 0
    assert not any(address.startswith(host) for address in requests)
