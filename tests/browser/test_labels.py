"""The words on figures don't meet, however wide the page is."""

from itertools import combinations

from playwright.sync_api import Page

from tests.browser.actions import link, look_at, run_button, sentence, settled

# The boxes of the words that are shown on the figures, and the number of the figure.
BOXES = """() => [...document.querySelectorAll('.figure')].flatMap((plot, number) => {
  const frame = plot.getBoundingClientRect();
  return [...plot.querySelectorAll('text')].filter(text => text.textContent.trim()
      && text.checkVisibility()).map(text => {
    const box = text.getBoundingClientRect();
    return [number, text.textContent, box.left - frame.left, box.right - frame.left, box.top,
      box.bottom, frame.width];
  });
})"""


def collisions(page: Page) -> list[str]:
    settled(page)
    boxes = page.evaluate(BOXES)
    assert boxes
    met = [
        f"{one[1]} / {other[1]}"
        for one, other in combinations(boxes, 2)
        if one[0] == other[0]
        and max(one[2], other[2]) < min(one[3], other[3]) - 1
        and max(one[4], other[4]) < min(one[5], other[5]) - 3
    ]
    cut = [box[1] for box in boxes if box[2] < -1.5 or box[3] > box[6] + 1.5]
    return met + cut


def test_words_of_figures_are_apart(tab: Page, app_url: str):
    texts = [f"The pool of server {one} failed at noon." for one in range(20)]
    chunks = [{"text": text, "source": "pasted", "on": True} for text in texts]
    tab.goto(link(app_url, mode="refine", query_str="Which server failed?", chunks=chunks))
    run_button(tab).click()
    sentence(tab, "refine made").wait_for()
    for view in ("Flow", "Plan", "Coverage", "Timeline", "Steps"):
        look_at(tab, view)
        for width in (390, 800, 1024, 1440):
            tab.set_viewport_size({"width": width, "height": 900})
            assert collisions(tab) == [], (view, width)
