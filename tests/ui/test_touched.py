"""What is dragged in the picture changes the settings; what the browser makes up does nothing."""

import pytest

from tests.ui.page import Playground
from ui.session import keys


def moved(page, move):
    return page.tell("picture", "moved", move)


def lens(page):
    """The first call under the lens."""
    html = page.given("picture")["html"]
    [found] = [tag for tag in html.split("<") if 'data-handle="lens"' in tag]
    return found.split('aria-valuenow="')[1].split('"')[0]


@pytest.mark.parametrize(
    ("move", "name", "value"),
    [
        ("window 2000", "context_window", 2_000),
        ("answer 64", "num_output", 64),
        ("window 0", "context_window", 1),
        ("window 999999999", "context_window", 10_000_000),
        ("window -5", "context_window", 1_024),
    ],
)
def test_a_handle_changes_its_setting_within_bounds(move, name, value):
    assert getattr(moved(Playground(), move).settings, name) == value


def test_the_sliders_of_the_limits_reach_all_text_and_everything_goes_back():
    page = Playground().set(context_window=300, chunk_overlap_ratio=0.5, cap_calls=3)
    assert [page.find(f"{name}_slider").max for name in ("context_window", "num_output")] == [
        2_048,
        150,
    ]
    page.enter("context_window_slider", 2_048)
    assert page.settings.context_window == page.find("context_window").value == 2_048
    page.press("default_limits")
    assert page.settings.changed == {"cap_calls": 3}
    assert not page.reach("default_limits")


@pytest.mark.parametrize(
    ("move", "order"),
    [
        ("chunk 3 1", "cab"),
        ("chunk 1 99", "bca"),
        ("chunk 2 0", "abc"),
        ("chunk 77 1", "abc"),
        ("chunk 0 1", "abc"),
    ],
)
def test_a_chunk_goes_to_the_place_where_it_was_dropped(move, order):
    assert "".join(moved(Playground(chunks=("a", "b", "c")), move).chunks) == order


def test_the_lens_moves_over_many_calls():
    chunks = tuple(f"Sentence {number} of the report." for number in range(40))
    page = Playground(mode="refine", chunks=chunks)
    assert lens(page) == "1"
    assert lens(moved(page, "lens 12")) == "12"


def test_a_click_on_a_chunk_opens_it_in_the_list():
    page = Playground(chunks=("a", "b", "c")).do(("switch", 0)).enter(keys.INPUTS, "Limits")
    page.tell("picture", "clicked", "chunk 2")
    assert page.given("chunk_marks")["open"]["text"] == "c"
