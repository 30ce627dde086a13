"""What is dragged in the picture changes the settings; what the browser makes up does nothing."""

import pytest

from tests.ui.page import Playground
from ui.look.scripts import Moved
from ui.pages.playground import plan_view
from ui.session import keys


@pytest.fixture
def moves(monkeypatch):
    """The function that the picture of the plan gives for moves, once the page is drawn."""
    taken = []
    draw = plan_view.run_views.draw_scene

    def note(scene, key, clicked=None, moved=None):
        taken.append(moved)
        draw(scene, key, clicked, moved)

    monkeypatch.setattr(plan_view.run_views, "draw_scene", note)
    return taken


def do(page, move, taken, monkeypatch):
    """Have this move told while the page is drawn, as the browser's would be."""
    told = []
    draw = plan_view._headline

    def once(inputs, request):
        if not told:
            told.append(move)
            taken[-1](move)
        draw(inputs, request)

    monkeypatch.setattr(plan_view, "_headline", once)
    page.draw()
    monkeypatch.undo()
    return page.draw()


@pytest.mark.parametrize(
    ("move", "name", "value"),
    [
        (Moved("window", 2_000), "context_window", 2_000),
        (Moved("answer", 64), "num_output", 64),
        (Moved("window", 0), "context_window", 1),
        (Moved("window", 999_999_999), "context_window", 10_000_000),
    ],
)
def test_a_handle_changes_its_setting_within_bounds(move, name, value, moves, monkeypatch):
    page = do(Playground(), move, moves, monkeypatch)
    assert getattr(page.settings, name) == value
    assert not page.at.exception


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
        (Moved("chunk", 1, 3), "cab"),
        (Moved("chunk", 99, 1), "bca"),
        (Moved("chunk", 0, 2), "abc"),
        (Moved("chunk", 1, 77), "abc"),
        (Moved("chunk", 1, 0), "abc"),
    ],
)
def test_a_chunk_goes_to_the_place_where_it_was_dropped(move, order, moves, monkeypatch):
    page = do(Playground(chunks=("a", "b", "c")), move, moves, monkeypatch)
    assert "".join(page.chunks) == order


def test_the_lens_moves_over_many_calls(moves, monkeypatch):
    chunks = tuple(f"Sentence {number} of the report." for number in range(40))
    page = Playground(mode="refine", chunks=chunks)
    scenes = []

    def note_scene(scene, *_):
        scenes.append(scene)

    monkeypatch.setattr(plan_view.run_views, "draw_scene", note_scene)
    page.at.session_state[keys.LENS] = 30
    page.draw()
    assert [one.value for one in scenes[-1].handles if one.name == "lens"] == [30]
    page = do(page, Moved("lens", 12), moves, monkeypatch)
    assert page.at.session_state[keys.LENS] == 12
