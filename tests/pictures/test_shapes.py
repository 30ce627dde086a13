"""Shapes as SVG: where they stand, and that they are safe with any text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.pictures.shapes import (
    HATCHES,
    STYLES,
    Box,
    Head,
    Label,
    Path,
    Picture,
    outline,
    shown,
)
from synth.pictures.words import fitting, thinned, wide
from synth.text.wording import Bold, visible
from tests.pictures.reading import words
from tests.ui.report.reported import Read


def picture(*shapes, ends=(0, 100)):
    """A picture 120 pixels high with margins of 30 and 50 pixels."""
    drawn = Picture(580, 120, "What it shows", ends, 30, 50)
    drawn.add(*shapes)
    return drawn


def test_boxes_stretch_across_between_the_margins():
    drawn = picture(Box(15, 85, 10, 40, "k-context"))
    assert drawn.pixel == 0.2
    assert 'style="margin-left: 30px; width: calc(100% - 80px)" height="120"' in drawn.html()
    assert '<rect class="k-context" x="15%" y="10" width="70%" height="40">' in drawn.html()
    assert 'class="figure below-480" role="img" aria-label="What it shows"' in drawn.html(
        "below-480"
    )


def test_a_page_learns_of_a_click_only_what_a_box_tells():
    drawn = picture(Box(0, 1, 0, 9, "k", click=("call", 2)), Box(1, 2, 0, 9, "k", click=(0, 3)))
    assert re.findall('data-mark="(.*?)"', drawn.html()) == ["call 2", "0 3"]
    assert shown([drawn]).clicks == {"call 2": ("call", 2), "0 3": (0, 3)}


def test_of_pictures_of_one_thing_the_widest_that_has_room_is_seen():
    wide_, middle, narrow = (Picture(width, 9, "") for width in (900, 480, 330))
    classes = re.findall('class="figure (.*?)"', shown([wide_, middle, narrow]).html)
    assert classes == ["from-900", "from-480 below-900", "below-480"]
    assert re.findall('class="figure (.*?)"', shown([narrow]).html) == [""]


@pytest.mark.parametrize(
    ("side", "baselines"), [("above", (38.4, 54)), ("on", (56.4, 72)), ("below", (69.6, 85.2))]
)
def test_words_stand_above_on_or_below_their_point(side, baselines):
    [first, second] = baselines
    svg = picture(Label(50, 60, "one\ntwo", side=side)).html()
    assert f'<text x="50%" y="{first:g}" text-anchor="middle">one' in svg
    assert '<tspan x="50%" dy="1.3em">two</tspan>' in svg
    assert second == pytest.approx(first + 1.3 * 12)


def test_a_part_of_a_text_is_bold_over_its_lines():
    svg = picture(Label(0, 9, ["a ", Bold("b\nc"), " d"], "muted", "end", -6, 13)).html()
    bold = '<tspan class="bold">{}</tspan>'
    assert 'x="0%" dx="-6"' in svg
    assert 'font-size="13" text-anchor="end" class="muted">a ' + bold.format("b") in svg
    assert bold.format("c") + " d</tspan></text>" in svg


def test_paths_and_heads_of_arrows():
    svg = picture(Path([[(0, 9), (50, 60)], outline(0, 100, 1, 2)], "line"), Head(25, 60)).html()
    assert 'd="M0 9L5000 60M0 1L10000 1L10000 2L0 2L0 1"' in svg
    assert '<svg x="25%" y="60"><path class="tip"' in svg


@given(st.floats(1e-3, 1e7), st.integers(2, 9))
def test_an_axis_has_round_numbers_and_not_more_than_it_may(end, most):
    drawn = picture(ends=(0, end))
    drawn.numbers(90, most)
    found = words(drawn)
    assert 1 < len(found) <= most + 1
    assert len({*found}) == len(found)
    assert found[0] in ("0", "0.0", "0.00", "0.000", "0.0000")


@given(st.text())
def test_any_text_is_shown_as_it_is(text):
    drawn = picture(Box(0, 9, 0, 9, "k", text), Label(0, 0, ["", Bold(text)]))
    drawn.alt = text
    read = Read(drawn.html())
    assert {tag for tag, _ in read.tags} <= {"div", "svg", "rect", "title", "text", "tspan"}
    assert read.text.replace("\r", "\n") == (
        visible(text) + visible(text).replace("\n", "")
    ).replace("\r", "\n")


def test_a_picture_is_a_file_with_its_stylesheet():
    image = picture(Box(15, 85, 10, 40, "k-context")).image("rect { fill: red }")
    assert image.startswith('<svg xmlns="http://www.w3.org/2000/svg" width="580" height="120">')
    assert "<style>rect { fill: red }</style><rect" in image


def test_every_hatch_of_the_stylesheet_is_there_once():
    asked = set(re.findall(r"url\(#(.*?)\)", STYLES))
    assert sorted(re.findall('<pattern id="(.*?)"', HATCHES)) == sorted(asked)


# ---- the words


def test_the_longest_wording_that_fits_is_taken():
    choices = ("chunks 687", "687")
    room = wide("chunks 687")
    assert [fitting(choices, room) for room in (room, room - 1, 5)] == [*choices, ""]


def test_wide_letters_need_more_room():
    assert wide("ill") < wide("one") < wide("ONE") < wide("mwm") < wide("故障故")
    assert wide("one\ntwotwo", 24) == 2 * wide("twotwo")


def test_of_numbers_that_would_meet_the_first_and_every_second_fifth_or_tenth_is_left():
    places = {number: 10.0 * number for number in range(1, 31)}
    assert list(thinned(places, 10)) == list(range(1, 31))
    assert list(thinned(places, 45)) == [1, 10, 20, 30]
    assert list(thinned({}, 10)) == []
