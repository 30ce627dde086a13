"""Parts of a page: what an edit draws again, and that it leaves what a new page would show."""

import pytest

from tests.ui.page import Playground


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
    "template": lambda at: at.text_area(key="text_qa_template").set_value(SPOILT),
    "chat": lambda at: at.toggle(key="text_qa_template_chat").set_value(True),
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
