"""Parts of a page: what an edit draws again, and that it leaves what a new page would show."""

from copy import deepcopy
from pathlib import Path

import pytest
from streamlit import cursor
from streamlit.cursor import RunningCursor

from tests.ui.apptest import AppTest
from tests.ui.page import Playground
from ui.session import parts


def in_two_parts():
    import streamlit as st  # noqa: PLC0415  AppTest runs this function's text alone

    from ui.session import parts  # noqa: PLC0415

    def value(name):
        return st.session_state.get(name) or "empty"

    def drawn(name):
        st.session_state[f"drawn {name}"] = st.session_state.get(f"drawn {name}", 0) + 1

    def show(name):
        def draw(text):
            drawn(name)
            st.text(f"{name} is {text}")
            if text == "nested":
                parts.part("inner", lambda: value("b"), lambda b: st.text(f"in it {b}"))

        parts.part(name, lambda: value(name), draw)

    drawn("page")
    parts.forget()
    for name in ("a", "b", "c"):
        st.text_input(name, key=name, on_change=parts.follow)
    if st.session_state.get("whole"):
        show("a")
        st.stop()
    with parts.page(lambda: value("a") == "everything"):
        show("a")
        show("b")
        if st.session_state.get("stops"):
            st.stop()


@pytest.fixture
def page():
    return AppTest.from_function(in_two_parts).run()


def drawn(page, *names):
    return [page.session_state[f"drawn {name}"] for name in names]


def enter(page, **texts):
    """Edit; the texts that are drawn then, without those that stay."""
    for name, text in texts.items():
        page.text_input(key=name).set_value(text)
    page.run()
    assert not page.exception
    return [text.value for text in page.text]


def test_two_edits_at_once_draw_both_parts(page):
    assert enter(page, a="new", b="other") == ["a is new", "b is other"]
    assert drawn(page, "page", "a", "b") == [1, 2, 2]


def test_an_edit_that_no_part_shows_draws_the_page(page):
    enter(page, c="anything")
    assert drawn(page, "page", "a", "b") == [2, 2, 2]


def test_a_part_in_a_part_follows_by_itself(page):
    assert enter(page, a="nested") == ["a is nested", "in it empty", "b is empty"]
    assert enter(page, b="new") == ["a is nested", "in it new", "b is new"]
    assert drawn(page, "page", "a", "b") == [1, 2, 2]
    assert enter(page, a="new") == ["a is new", "b is new"]


def test_a_page_without_parts_is_drawn_whole(page):
    page.session_state["whole"] = True
    page.run()
    assert enter(page, a="new") == ["a is new"]
    assert drawn(page, "page", "a") == [3, 3]


def test_a_page_that_was_not_drawn_to_its_end_is_drawn_whole():
    page = AppTest.from_function(in_two_parts).run()
    page.session_state["stops"] = True
    page.run()
    page.session_state["stops"] = False
    enter(page, a="new")
    assert drawn(page, "page", "a", "b") == [3, 3, 3]


def test_a_place_is_copied_as_streamlit_copies_it():
    """Were there more in it that changes, two parts would write to one place."""
    assert "__deepcopy__" not in Path(cursor.__file__).read_text(), "Streamlit has its own now"
    parts.draw_quickly()
    place = RunningCursor(0, (1, 2), 4)
    for passing in ([], ["a spinner"]):
        place.transient_elements[3] = passing
        copied = deepcopy(place)
        assert repr(copied) == repr(place)
        assert copied.transient_elements is not place.transient_elements
        assert copied.transient_elements[3] is not passing
    numbers = {name: value for name, value in vars(place).items() if "elements" not in name}
    assert [*map(type, numbers.values())] == [int, int, tuple, int]
    copied.lock_element()
    assert (place.index, copied.index) == (0, 1)


def test_a_state_is_looked_up_as_streamlit_copies_it(page):
    state = page.session_state._state._state
    kept = parts._all_of(state)
    parts.draw_quickly()
    assert dict(state.filtered_state) == kept
    assert "a" in state.filtered_state
    assert "no such name" not in state.filtered_state
    assert repr(state.filtered_state) == repr(kept)


def use(at, text):
    at.text_area(key="pasted").set_value(text)
    at.button(key="use_text").click()


SPOILT = "{context_strr} {query_str}"
EDITS = {
    "window": lambda at: at.number_input(key="context_window").set_value(300),
    "a window that the template fills": lambda at: at.number_input(key="context_window").set_value(
        60
    ),
    "a window with no room": lambda at: at.number_input(key="context_window").set_value(5),
    "num_output": lambda at: at.number_input(key="num_output").set_value(90),
    "padding": lambda at: at.number_input(key="response_padding_size").set_value(40),
    "chunk_limit": lambda at: at.number_input(key="chunk_size_limit").set_value(40),
    "overlap": lambda at: at.slider(key="chunk_overlap_ratio").set_value(0.3),
    "tokenizer": lambda at: at.selectbox(key="tokenizer").set_value("o200k_base"),
    "behaviour": lambda at: at.button_group(key="behaviour").set_value("llama_index"),
    "mode": lambda at: at.button(key="mode tree_summarize").click(),
    "simple": lambda at: at.button(key="mode simple_summarize").click(),
    "filtering": lambda at: at.toggle(key="structured_answer_filtering").set_value(True),
    "question": lambda at: at.text_area(key="query_str").set_value("What was lost?"),
    "selection": lambda at: at.button_group(key="selection").set_value("top"),
    "template": lambda at: at.text_area(key="templates.text_qa_template.text").set_value(SPOILT),
    "chat": lambda at: at.toggle(key="templates.text_qa_template.chat").set_value(True),
    "chunks": lambda at: use(at, "One.\n\nTwo."),
}


def tree(node):
    """What a node of the page is, is called and says; and its children, by place."""
    proto = getattr(node, "proto", None)
    said = getattr(proto, "body", None) or getattr(proto, "spec", None)
    value = node.value if node.type in ("code", "text") else None  # not what somebody entered
    children = getattr(node, "children", {})
    return (
        (node.type, getattr(node, "label", None), said, value),
        {place: tree(child) for place, child in children.items()},
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", EDITS)
def test_after_an_edit_the_page_is_what_a_new_one_would_be(kind):
    page = Playground(query_str="Who was told of it first?")  # a sample's goes with its chunks
    before = [tree(root) for root in (page.at.main, page.at.sidebar)]
    EDITS[kind](page.at)
    page.draw()
    drawn = [tree(root) for root in (page.at.main, page.at.sidebar)]
    page.open()
    fresh = [tree(root) for root in (page.at.main, page.at.sidebar)]
    assert drawn == fresh
    assert (fresh == before) == (kind == "filtering")  # which changes no plan


def test_an_edit_shows_what_another_tab_changed():
    page = Playground()
    page.put(query_str="Asked in another tab?")
    page.enter("num_output", 90)
    assert page.at.text_area(key="query_str").value == "Asked in another tab?"


def test_a_run_of_inputs_that_the_tab_does_not_show_is_not_started(monkeypatch):
    page = Playground()
    with monkeypatch.context() as patched:
        patched.setattr("ui.settings.state.changed_elsewhere", lambda: True)
        page.press("run_button")
    assert page.job is None
    assert "Your press did nothing." in page.text
    page.press("run_button")
    assert page.job is not None
