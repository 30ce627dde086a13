"""The inputs as a person uses them: files, a streaming endpoint, being the model, cap, fixes."""

from pathlib import Path

import pytest
from llama_index.core.schema import TextNode
from llama_index.core.storage.docstore import SimpleDocumentStore
from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.browser.actions import choose, choose_mode, run_button, sentence, settled
from tests.eventually import eventually


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


_STAYS_IN_THE_MIDDLE = """field => {
  field.scrollIntoView({block: "center"});
  const {top, bottom} = field.getBoundingClientRect();
  const stays = field.seenAt === top;
  field.seenAt = top;
  return stays && bottom < innerHeight - 100;
}"""


def _stays_in_the_middle(field: Locator) -> bool:
    field.page.wait_for_timeout(500)
    return field.evaluate(_STAYS_IN_THE_MIDDLE) is True


_TOP = "field => field.getBoundingClientRect().top"


@pytest.mark.parametrize("after_a_run", [False, True])
def test_a_template_is_edited_with_the_plan_and_its_error_in_sight(page: Page, after_a_run: bool):
    if after_a_run:
        run_button(page).click()
        expect(sentence(page, "compact made 2 calls")).to_be_visible()
        page.get_by_role("button", name="Inputs", exact=True).click()
    page.locator(".st-key-templates summary").click()
    settled(page)
    field = page.get_by_role("textbox", name="Text of the template")
    eventually(lambda: _stays_in_the_middle(field), "a field that stays where it is")
    top = field.evaluate(_TOP)
    field.fill(field.input_value().replace("context_str", "contxt_str"))
    expect(page.get_by_text("This can't run.")).to_be_in_viewport()
    expect(page.get_by_text("Error.", exact=True)).to_be_in_viewport()
    settled(page)
    expect(field).to_be_focused()
    assert field.evaluate(_TOP) == pytest.approx(top, abs=40)
    field.fill(field.input_value().replace("contxt_str", "context_str") + " {tone}")
    expect(sentence(page, "compact would make 2 calls")).to_be_in_viewport()
    expect(page.get_by_role("textbox", name="Value of tone", exact=True)).to_be_visible()


def test_a_link_brings_the_settings_and_not_the_workspace(page: Page):
    choose_mode(page, "accumulate")
    window = page.get_by_role("spinbutton", name="Context window")
    window.fill("900")
    window.press("Enter")
    expect(page.locator(".figure text", has_text="window 900").first).to_be_attached()
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
    tab_to(page, "compact")
    page.keyboard.press("ArrowRight")
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
