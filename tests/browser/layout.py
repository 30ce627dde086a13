"""Boxes on a page compared: nothing overlaps, sticks out of the page, or is cut."""

from playwright.sync_api import Page

from tests.browser.actions import settled

SIZES = ((390, 844), (800, 1000), (1024, 800), (1440, 900), (1920, 1080))
"""The widths and heights in pixels at which every page must fit."""
MENU = (".brand", ".st-key-menu [data-testid=stPageLink]", ".st-key-menu [data-testid=stPopover]")

_LOOKS = 10  # a table of Streamlit and a sidebar that folds take some frames

# A box is compared with those that are neither in it nor around it. What has no box is not seen.
_FAULTS = """selectors => {
  const page = document.documentElement.clientWidth
  const found = selectors.flatMap(selector => [...document.querySelectorAll(selector)]
    .filter(element => element.checkVisibility() && element.getClientRects().length)
    .map(element => ({element, name: selector, box: element.getBoundingClientRect()})))
    .filter(({box}) => box.width && box.height)
  const faults = selectors.filter(selector => !found.some(({name}) => name === selector))
    .map(selector => `${selector} is not there`)
  for (const {name, box} of found)
    if (box.left < -1 || box.right > page + 1)
      faults.push(`${name} sticks out: ${box.left} to ${box.right} of ${page}`)
  for (const [at, one] of found.entries())
    for (const other of found.slice(at + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue
      const across = Math.min(one.box.right, other.box.right)
        - Math.max(one.box.left, other.box.left)
      const down = Math.min(one.box.bottom, other.box.bottom)
        - Math.max(one.box.top, other.box.top)
      if (across > 1 && down > 1)
        faults.push(`${one.name} and ${other.name} overlap by ${across} by ${down}`)
    }
  return faults
}"""

# Text that is wider than the element that cuts it off.
_CUT = """selectors => selectors.flatMap(selector => [...document.querySelectorAll(selector)]
  .filter(element => element.checkVisibility() && element.scrollWidth > element.clientWidth + 1)
  .map(element => `${selector} is cut: ${element.innerText.slice(0, 200)}`))"""


def faults(page: Page, *selectors: str) -> list[str]:
    """What is wrong with the elements of these CSS selectors, each of which must be there.

    Those within one another are not compared.
    """
    return _last_seen(page, _FAULTS, selectors)


def cut(page: Page, *selectors: str) -> list[str]:
    """The elements of these CSS selectors that have no room for their words."""
    return _last_seen(page, _CUT, selectors)


def _last_seen(page: Page, script: str, selectors: tuple[str, ...]) -> list[str]:
    """What the script finds once a page that was given another width has had time to follow."""
    for _ in range(_LOOKS):
        found: list[str] = page.evaluate(script, list(selectors))
        if not found:
            break
        page.wait_for_timeout(300)
    return found


def fits_across(page: Page) -> bool:
    """Whether nothing scrolls to the side; in a page of Streamlit, it is not the page that does."""
    return cut(page, "html", "[data-testid=stMain]") == []


_OVERLAPS = """() => {
  // Of a chunk in the list, which scrolls, what is in sight.
  const seen = one => {
    const { left, right, top, bottom } = one.getBoundingClientRect()
    const list = one.closest('.chunk-list')?.getBoundingClientRect()
    return { left, right, top, bottom: Math.min(bottom, list?.bottom ?? bottom) }
  }
  const texts = 'button, p, .lede, .headline, .side-head > b, .tag, .number, dl > div, .answer'
  // Buttons float over a narrow page, which has room for them at its end; the number of a slider is
  // in the line of its label.
  const floats = one => one !== null
    && (getComputedStyle(one).position === 'fixed' || floats(one.parentElement))
  const boxes = [...document.querySelectorAll(`[data-testid=stMain] :is(${texts})`)]
    .filter(one => one.checkVisibility() && one.textContent.trim()
      && !floats(one) && !one.closest('[data-testid=stSlider]'))
    .map(one => [one, seen(one)])
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2
  return boxes.flatMap(([one, a], at) => boxes.slice(at + 1)
    .filter(([other, b]) => !one.contains(other) && !other.contains(one) && over(a, b))
    .map(([other]) => `${one.textContent.slice(0, 40)} × ${other.textContent.slice(0, 40)}`))
}"""


def menu_has_a_line_below_the_name(page: Page) -> None:
    """So it is on a phone, whatever page is open."""
    name, links = (
        page.locator(found).evaluate_all("found => found.map(one => one.getBoundingClientRect())")
        for found in MENU[:2]
    )
    [top] = {link["top"] for link in links}
    assert top >= name[0]["bottom"]
    opens_the_sidebar = ".stAppHeader button:visible"  # which some pages don't have
    there = page.locator(opens_the_sidebar).count()
    assert faults(page, *[".stAppHeader button"][:there], *MENU) == []


def fits_every_width(
    page: Page,
    main: tuple[str, ...] = (".st-key-lead button, .st-key-head",),
    words: tuple[str, ...] = ("[role=radiogroup]",),
) -> None:
    """Nothing of the page overlaps, no words are cut, and it doesn't scroll to the side."""
    for width, height in SIZES[::-1]:  # the sidebar stays open until it is folded at 800
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        assert faults(page, *main) == [], width
        assert fits_across(page), width
        assert _last_seen(page, _OVERLAPS, ()) == [], width
        assert cut(page, *words) == [], width
        if width == 390:
            menu_has_a_line_below_the_name(page)
    at_usual_size(page)


def at_usual_size(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    settled(page)
