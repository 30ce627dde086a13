"""The inputs as a person uses them: files, a streaming endpoint, being the model, cap, fixes."""

import re
from pathlib import Path

from llama_index.core.schema import TextNode
from llama_index.core.storage.docstore import SimpleDocumentStore
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.actions import (
    choose,
    choose_mode,
    run_button,
    sentence,
    settled,
    use_endpoint,
)
from tests.fake_openai import Answer, FakeOpenAI, Silence
from tests.ui.pdf_files import pdf


def choose_model(page: Page, name: str):
    page.get_by_role("combobox", name="Model").click()
    page.get_by_role("option", name=name).click()


def test_each_type_of_file_is_read_and_what_is_broken_is_named(page: Page):
    page.get_by_role("button", name="Own text", exact=True).click()
    files = (
        ("a.txt", b"A pump failed."),
        ("b.md", b"# Title\n\nA valve was shut."),
        ("c.csv", b"text,n\nIt rained.,1\nIt snowed.,2"),
        ("d.jsonl", b'{"text": "Somebody called."}'),
        ("e.pdf", pdf("A page of a report")),
        ("f.pdf", b"no pdf at all"),
    )
    upload(page, *files)
    expect(page.get_by_text("became 6 chunks")).to_be_visible()
    expect(page.get_by_text("f.pdf can't be read as a PDF")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(sentence(page, "compact would make 1 call")).to_be_visible()


def upload(page: Page, *files: tuple[str, bytes]):
    kind = "application/octet-stream"
    page.locator("input[type=file]").set_input_files(
        [FilePayload(name=name, mimeType=kind, buffer=data) for name, data in files]
    )


def test_a_docstore_of_llama_index_becomes_chunks_and_a_broken_file_is_forgotten(
    page: Page, tmp_path: Path
):
    store = SimpleDocumentStore()
    store.add_documents([TextNode(text="A pump failed.\n\nNobody saw it."), TextNode(text="Rain.")])
    store.persist(str(tmp_path / "docstore.json"))
    dump = (tmp_path / "docstore.json").read_bytes()
    page.get_by_role("button", name="Own text", exact=True).click()
    upload(page, ("broken.json", dump[:-9]))
    expect(page.get_by_text("broken.json is not JSON")).to_be_visible()
    settled(page)
    upload(page, ("docstore.json", dump))
    expect(page.get_by_text("became 2 chunks")).to_be_visible()
    expect(page.get_by_text("broken.json")).to_have_count(0)
    expect(sentence(page, "compact would make 1 call")).to_be_visible()


def test_a_text_is_counted_while_it_is_typed_and_taken_by_ctrl_enter(page: Page):
    page.get_by_role("button", name="Own text", exact=True).click()
    dialog = page.get_by_role("dialog")
    box = dialog.get_by_role("textbox", name="Text", exact=True)
    box.press_sequentially("A pump failed.\n\nNobody saw it.")
    expect(dialog.get_by_role("button", name="Use these 2 chunks")).to_be_visible()
    expect(dialog.get_by_text("2 chunks · 8 tokens")).to_be_visible()
    expect(box).to_be_focused()
    box.press_sequentially("\n\nRain.")
    box.press("Control+Enter")  # before the pause after which it is counted
    expect(page.get_by_text("became 3 chunks")).to_be_visible()
    expect(dialog).to_have_count(0)
    question = page.get_by_role("textbox", name="Question")
    expect(question).to_be_focused()
    expect(question).to_have_value("")
    expect(sentence(page, "compact would make 1 call")).to_be_visible()
    expect(page.get_by_text("The question is missing.")).to_be_visible()
    expect(run_button(page)).to_be_disabled()
    page.keyboard.type("What failed?")
    page.keyboard.press("Control+Enter")
    expect(run_button(page)).to_be_enabled()
    expect(page.get_by_text("The question is missing.")).to_have_count(0)
    expect(sentence(page, "compact made")).to_have_count(0)
    expect(dialog).to_have_count(0)


def test_an_answer_streams_in(page: Page):
    with FakeOpenAI(Answer("the first answer"), Silence()) as server:
        use_endpoint(page, server)
        run_button(page).click()
        expect(page.get_by_text("the first answer")).to_be_visible()
        assert server.requests[0].body["stream"]
        page.get_by_role("button", name="Stop").click()
        expect(run_button(page)).to_be_visible()


def test_you_are_the_llm(page: Page):
    choose_model(page, "You are the LLM")
    run_button(page).click()
    for number in (1, 2):
        expect(sentence(page, f"Call {number} of 2 of compact waits")).to_be_visible()
        expect(page.locator(".prompt .s-query").first).to_be_visible()
        page.get_by_role("textbox", name=f"Your answer to call {number}").fill(f"Mine, {number}.")
        page.get_by_role("button", name=f"Send answer {number}").click()
    expect(sentence(page, "compact made 2 calls")).to_be_visible()
    expect(page.get_by_text("Mine, 2.").first).to_be_visible()


def test_a_run_ends_at_its_cap_and_goes_on_once_that_is_raised(page: Page):
    with FakeOpenAI(Answer("one"), Answer("two")) as server:
        use_endpoint(page, server)
        page.get_by_text("More limits").click()
        calls = page.get_by_role("spinbutton", name="Calls", exact=True)
        calls.fill("2")
        calls.press("Enter")
        expect(page.get_by_text("The run could need 12 calls (cap: 2)")).to_be_visible()
        run_button(page).click()
        page.get_by_text("The cap of 2 calls is reached").wait_for()
        assert len(server.requests) == 2
        calls.fill("")
        calls.press("Enter")
        settled(page)
        page.get_by_role("button", name="Resume").click()
        expect(sentence(page, "refine made 12 calls")).to_be_visible()
        assert len(server.requests) == 12


def test_one_click_puts_a_template_right(page: Page):
    choose_mode(page, "refine")
    settled(page)
    page.locator(".st-key-templates summary").click()
    text = page.get_by_role("textbox", name="Text of the template")
    mend(
        page,
        "{{context_str}} Question: {query_str}",
        "Use {context_str}",
        "{context_str} Question: {query_str}",
    )
    page.get_by_role("radio", name="refine_template").click()
    expect(text).to_have_value(re.compile("existing_answer"))
    settled(page)
    mend(
        page,
        "{query_str} {existing_answer}",
        "Add {context_msg}",
        "{context_msg}\n{query_str} {existing_answer}",
    )
    expect(sentence(page, "refine would make 12 calls")).to_be_visible()


def mend(page: Page, wrong: str, fix: str, right: str):
    """Write a template with a mistake, and press the button that puts it right."""
    text = page.get_by_role("textbox", name="Text of the template")
    text.fill(wrong)
    text.press("Tab")
    page.get_by_role("button", name=fix).click()
    expect(text).to_have_value(right)
    expect(page.get_by_text("no problems found")).to_be_visible()
    settled(page)


def test_a_link_brings_the_settings_and_not_the_workspace(page: Page):
    choose_mode(page, "accumulate")
    window = page.get_by_role("spinbutton", name="Context window")
    window.fill("900")
    window.press("Enter")
    expect(page.locator(".figure .note", has_text="window 900")).to_be_attached()
    page.get_by_role("button", name="All in order").click()
    choose(page, "Best for the question")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Share").click()
    link = page.locator(".st-key-settings_link code")
    expect(link).to_contain_text("selection=")
    expect(link).to_contain_text("window=900")
    address = link.inner_text()
    assert "w=" not in address.replace("window=", "")
    page.goto(address)
    expect(sentence(page, "accumulate would make")).to_be_visible()
    expect(window).to_have_value("900")
    expect(page.get_by_role("button", name="Best 4")).to_be_visible()


_FOCUSED = """() => {
  const at = document.activeElement;
  return at.tabIndex < 0 ? '' : `${at.ariaLabel} ${at.innerText} ${at.labels?.[0]?.innerText}`;
}"""


def tab_to(page: Page, name: str):
    """Press Tab until what has the focus has this name or label."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if name in page.evaluate(_FOCUSED):
            return
    raise AssertionError(f"Tab never came to {name!r}")


def test_with_the_keyboard_alone(page: Page):
    settled(page)
    tab_to(page, "Question")
    page.keyboard.press("Control+a")
    page.keyboard.type("Who was told?")
    tab_to(page, "Saved")
    settled(page)
    page.keyboard.press("Enter")
    tab_to(page, "Save this question")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Forget this question")).to_be_visible()
    page.keyboard.press("Escape")
    settled(page)
    tab_to(page, "refine")
    page.keyboard.press("Space")
    expect(sentence(page, "refine would make 12 calls")).to_be_visible()
    settled(page)
    tab_to(page, "Run")
    page.keyboard.press("Control+Enter")
    expect(sentence(page, "refine made 12 calls")).to_be_visible()
    settled(page)
    tab_to(page, "Answer")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(sentence(page, "Step 1 of 12")).to_be_visible()
    settled(page)
    page.keyboard.press("ArrowRight")
    expect(sentence(page, "Step 2 of 12")).to_be_visible()
