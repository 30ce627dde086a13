"""The palette has contrast and a second sign beside colour; each term has one sentence."""

import re

import pytest

from synth.html.escape import TERMS, term_html
from synth.html.markup import PALETTE
from synth.pictures.scene import MEANINGS
from synth.pictures.scene_writer import HATCHES, STYLES
from tests.ui.page import Playground
from tests.ui.plotly_figures import checked
from ui.controls import modes
from ui.look import elements
from ui.look.elements import page_css

base_figure = checked(elements.base_figure)

# The rooms, and reasoning in one, have the same colours, and edges of their own.
PAINTED = MEANINGS.keys() - {"padding", "free", "lost", "reasoning", "reasoning_room"}


def channels(colour):
    return [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def luminance(colour):
    linear = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in channels(colour))
    return sum(weight * v for weight, v in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def mixed(top, ground, alpha):
    """The colour that is seen where `top` lies on `ground` at an opacity."""
    pairs = zip(channels(top), channels(ground), strict=True)
    return "#" + "".join(f"{round(255 * (alpha * t + (1 - alpha) * g)):02X}" for t, g in pairs)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_edges_stand_out_and_text_can_be_read_on_paper_fills_and_tints(dark):
    colours = {name: values[dark] for name, values in PALETTE.items()}
    for meaning in PAINTED:
        assert contrast(colours[f"{meaning}-edge"], colours["paper"]) >= 3, meaning
        assert contrast(colours[f"{meaning}-label"], colours[meaning]) >= 4.5, meaning
        tint = mixed(colours[meaning], colours["paper"], 0.34)
        assert contrast(colours["ink"], tint) >= 4.5, meaning
    for ground in ("paper", "panel"):
        assert contrast(colours["ink"], colours[ground]) >= 7
        assert contrast(colours["muted"], colours[ground]) >= 4.5
    assert contrast(colours["outline"], colours["paper"]) >= 3
    assert contrast(colours["lost-edge"], colours["paper"]) >= 3


def test_close_fills_have_different_signs():
    for kind in ("answer", "padding", "reserved", "lost", "unread", "twice"):
        assert f".k-{kind} {{ fill: url(#hatch-{kind})" in STYLES
    strokes = re.findall(r'<(?:path|circle) (?:d|cx)="(.*?)"', HATCHES)
    assert len(strokes) == 8


def test_a_card_has_a_colour_for_all_that_a_bar_may_have():
    named = set(re.findall(r"\.k-(\w+)", modes._CARD))
    assert MEANINGS.keys() <= named


def test_the_stylesheet_is_whole():
    css = page_css()
    assert css.count("{") == css.count("}")
    for name in ("frame", "query", "variable", "context", "answer", "template"):
        assert f".s-{name} " in css
        assert f".k-{name} " in css
    assert set(re.findall(r"var\(--([\w-]+)\)", STYLES + HATCHES)) <= set(
        re.findall(r"--([\w-]+):", css)
    )


def test_no_rule_watches_the_whole_page():
    """Else a browser styles the whole page anew whenever any element changes."""
    anchors = re.findall(r"([^\s,>~+(]*):has\(", page_css())
    assert anchors
    whole = r"\.stApp|\.stMain|html|body|\[data-testid=\"?st(LayoutWrapper|VerticalBlock)\"?\]"
    assert [anchor for anchor in anchors if re.fullmatch(whole, anchor)] == []


def test_a_term_has_one_sentence():
    for name, term in TERMS.items():
        assert re.fullmatch(r"[A-Z].*[^.]\.", term.meaning.replace("0.14.25", "")), name
        assert ". " not in term.meaning


def test_a_term_can_be_reached_with_the_keyboard_and_is_read_aloud():
    assert term_html("free") == (
        '<dfn tabindex="0" aria-description="Tokens of the window that nothing fills.">free</dfn>'
    )


def test_the_plan_explains_its_words():
    html = Playground().html
    explained = set(re.findall("<dfn.*?>(.*?)</dfn>", html))
    assert {"room for the answer", "free"} <= explained
