"""What a notebook shows, put into a page as notebooks do it: its theme, and nothing around it."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from synth import PromptHelper, get_response_synthesizer

WHITE, DARK = "rgb(255, 255, 255)", "rgb(16, 18, 21)"
THEMES = {
    "JupyterLab": ('data-jp-theme-light="true"', 'data-jp-theme-light="false"'),
    "VS Code": ('class="vscode-light"', 'class="vscode-dark"'),
    "Colab": ('theme="light"', 'theme="dark"'),
}
AROUND = """
<style>.prompt { min-width: 14ex; padding: 0.4em; text-align: right }</style>
<p class="key">A key with a <dfn>term</dfn></p>
<div class="figure"><svg><rect class="k-answer"/></svg></div>
<div class="tag prompt answer box">Out[1]:</div>
<details><summary class="head">more</summary>
</details><ins>new</ins>"""
LOOK = """() => [...document.querySelectorAll("#around, #around *")].map(element => {
  const style = getComputedStyle(element);
  return [...style].map(name => `${name}: ${style.getPropertyValue(name)}`).join("; ");
})"""

# As JupyterLab does it: unknown elements leave their text, and empty attributes are dropped.
TAKEN_OUT = """html => {
  const output = document.getElementById("output");
  output.innerHTML = html;
  output.querySelectorAll("style").forEach(one => one.remove());
  output.querySelectorAll("svg").forEach(one => one.replaceWith(one.textContent));
  output.querySelectorAll("[hidden='']").forEach(one => one.removeAttribute("hidden"));
}"""


@pytest.fixture(scope="module")
def output() -> str:
    helper = PromptHelper(context_window=600, num_output=64)
    chunks = [f"Chunk {number}: the pool was set to 8. " * 20 for number in range(1, 7)]
    synthesizer = get_response_synthesizer("compact", prompt_helper=helper)
    return synthesizer.run("What was the pool set to?", chunks)._repr_html_()


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    yield page
    page.close()


def put(page: Page, output: str, attribute: str = "") -> None:
    """A page like a notebook's with this attribute of its body, and our HTML in it."""
    html = f'<html lang="en"><title>n</title><body {attribute}><main id="around">{AROUND}</main>'
    page.set_content(f'{html}<div id="output"></div>')
    page.evaluate("html => { document.getElementById('output').innerHTML = html }", output)


def ground(page: Page) -> str:
    return page.evaluate(
        "getComputedStyle(document.querySelector('#output > div')).backgroundColor"
    )


def test_it_has_the_theme_of_the_notebook_and_else_that_of_the_reader(page, output):
    for scheme, own in (("light", WHITE), ("dark", DARK)):
        page.emulate_media(color_scheme=scheme)
        for name, (light, dark) in THEMES.items():
            for attribute, expected in ((light, WHITE), (dark, DARK), ("", own)):
                put(page, output, attribute)
                assert ground(page) == expected, (name, scheme)


def test_where_styles_and_pictures_are_taken_out_an_image_stays(page, output):
    image = page.get_by_role("img", name="6 chunks went into")
    put(page, output)
    assert not page.locator("#output img").is_visible()
    put(page, "")
    page.evaluate(TAKEN_OUT, output)
    assert image.is_visible()
    assert image.evaluate("one => one.decode().then(() => one.naturalWidth)") > 800
    text = page.locator("#output").inner_text()
    assert "compact made " in text
    assert "= window" not in text


def test_nothing_around_it_changes(page, output):
    put(page, "")
    before = page.evaluate(LOOK)
    put(page, output)
    assert page.evaluate(LOOK) == before
    assert len(before) > 8


def test_it_is_whole_at_every_width_and_can_be_read_by_all(page, output):
    put(page, output)
    for width in (1440, 800, 390):
        page.set_viewport_size({"width": width, "height": 900})
        [box] = [one.bounding_box() for one in page.locator("#output .scene:visible").all()]
        assert box["x"] + box["width"] <= width
    page.locator("#output summary.head").evaluate_all("all => all.forEach(one => one.click())")
    sizes = page.locator("#output .prompt").evaluate_all("all => all.map(one => one.scrollWidth)")
    assert sizes
    assert max(sizes) <= 390
    prompt = page.locator("#output .prompt").last
    assert prompt.evaluate("one => getComputedStyle(one).textAlign") == "start"
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page, context="#output").response["violations"]
        assert not [(each["id"], each["nodes"][0]["html"]) for each in found], scheme
