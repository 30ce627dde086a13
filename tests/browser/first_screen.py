"""The words and the controls of a screen, counted as a newcomer meets them.

A number is a word. The question, the list of the chunks and the answer are the user's own text,
and count for nothing; a chunk's number in the picture is no word.
"""

from typing import NamedTuple

from playwright.sync_api import Page

_COUNT = r"""() => {
  const OWN = ".st-key-chunk_list, .strip-text, textarea, style, script"
    + ", [data-testid=stIconMaterial]"
  const CONTROLS = "button, input, textarea, select, summary, a[href]"
    + ", [role=radio], [role=slider], [role=combobox]"
  const seen = element => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
    const { left, top, width, height } = element.getBoundingClientRect()
    return width > 1 && height > 1 && top < innerHeight && top + height > 0 && left < innerWidth
  }
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const words = []
  while (walk.nextNode()) {
    const node = walk.currentNode, parent = node.parentElement
    if (!node.data.trim() || parent.closest(OWN) || !seen(parent)) continue
    if (parent.closest(".drawing") && /^\d+$/.test(node.data.trim())) continue
    words.push(...node.data.match(/[\p{L}\p{N}][\p{L}\p{N}.,_'’-]*/gu) ?? [])
  }
  const controls = [...document.querySelectorAll(CONTROLS)].filter(one =>
    seen(one.closest("label") ?? one) && !one.closest(".st-key-chunk_list")
    && !one.parentElement.closest("button, a[href], [role=radio]"))
  const names = controls.map(one => (one.closest("label") ?? one))
  return { words, controls: [...new Set(names)].map(one =>
    `${one.tagName} ${one.getAttribute("aria-label") ?? one.innerText.slice(0, 40)}`) }
}"""


class FirstScreen(NamedTuple):
    """The words that are in sight, and the controls by their names."""

    words: list[str]
    controls: list[str]


def read_screen(page: Page) -> FirstScreen:
    """Read what is in sight without scrolling."""
    return FirstScreen(**page.evaluate(_COUNT))
