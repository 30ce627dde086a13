"""The palette keeps its promises: contrast, and a second sign beside colour."""

import re

import pytest

from tests.ui.plotly_figures import checked
from ui.look import theme
from ui.look.stylesheet import page_css
from ui.look.theme import DARK, LIGHT, MEANINGS, SEGMENTS, look, marker, note, rgba

base_figure = checked(theme.base_figure)

LOOKS = pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
PAINTED = pytest.mark.parametrize("meaning", list(LIGHT.paints))


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


def test_contrast_is_measured_right():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)


def test_a_page_is_dark_or_light():
    assert (look(dark=True), look(dark=False)) == (DARK, LIGHT)


@LOOKS
@PAINTED
def test_edges_stand_out_from_the_paper(look, meaning):
    assert contrast(look.paint(meaning).edge, look.paper) >= 3


@LOOKS
@PAINTED
def test_labels_can_be_read_on_their_fill(look, meaning):
    paint = look.paint(meaning)
    assert contrast(paint.label, paint.fill) >= 4.5


@LOOKS
def test_text_and_outlines_can_be_read_on_the_paper(look):
    for ground in (look.paper, look.panel):
        assert contrast(look.ink, ground) >= 7
        assert contrast(look.muted, ground) >= 4.5
    assert contrast(look.outline, look.paper) >= 3
    assert contrast(look.lost, look.paper) >= 3


@LOOKS
@PAINTED
def test_text_can_be_read_on_its_tint(look, meaning):
    tint = mixed(look.paint(meaning).fill, look.paper, 0.34)
    assert contrast(look.ink, tint) >= 4.5


@LOOKS
def test_close_fills_have_different_signs(look):
    patterns = {name: marker(look, name).get("pattern", {}).get("shape", "") for name in MEANINGS}
    hatched = {name: shape for name, shape in patterns.items() if shape}
    assert set(hatched) == {"variable", "answer", "reserved", "padding", "lost"}
    assert len(set(hatched.values())) == len(hatched)


@LOOKS
def test_padding_and_free_are_outlines(look):
    for meaning in ("padding", "free"):
        shown = marker(look, meaning)
        assert shown["color"] == rgba(look.paper, 0)
        assert shown["line"]["color"] == look.outline


def test_lost_text_is_in_no_budget_bar():
    assert "lost" not in SEGMENTS
    assert [*SEGMENTS, "lost"] == list(MEANINGS)


@LOOKS
def test_figures_take_paper_ink_and_labels(look):
    figure = base_figure(look, 200, (1, 2, 3, 4), annotations=[note(look, 1, 2, "here")])
    assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == look.paper
    assert figure.layout.font.color == look.ink
    assert figure.layout.annotations[0].font.color == look.muted
    margin = figure.layout.margin
    assert (margin.l, margin.r, margin.t, margin.b) == (1, 2, 3, 4)


@LOOKS
def test_the_stylesheet_is_whole(look):
    css = page_css(look)
    assert css.count("{") == css.count("}")
    assert "{{" not in css
    for name in ("query", "variable", "context", "answer", "template"):
        assert f".s-{name} " in css
        assert f".k-{name} " in css
    assert look.ink in css


@LOOKS
def test_no_rule_watches_the_whole_page(look):
    """Else a browser styles the whole page anew whenever any element changes."""
    anchors = re.findall(r"([^\s,>~+(]*):has\(", page_css(look))
    assert anchors
    whole = r"\.stApp|\.stMain|html|body|\[data-testid=\"?st(LayoutWrapper|VerticalBlock)\"?\]"
    assert [anchor for anchor in anchors if re.fullmatch(whole, anchor)] == []
