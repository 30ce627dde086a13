"""Parts of a page: what an edit draws again, and that it leaves what a new page would show."""

import pytest

from tests.ui.page import Playground

PRESSED = None
SPOILT = "{context_strr} {query_str}"
EDITS = {
    "window": ("context_window", 300),
    "a window that the template fills": ("context_window", 60),
    "a window with no room": ("context_window", 5),
    "num_output": ("num_output", 90),
    "padding": ("response_padding_size", 40),
    "chunk_limit": ("chunk_size_limit", 40),
    "overlap": ("chunk_overlap_ratio", 0.3),
    "tokenizer": ("tokenizer", "o200k_base"),
    "behaviour": ("behaviour", "llama_index"),
    "mode": ("mode tree_summarize", PRESSED),
    "simple": ("mode simple_summarize", PRESSED),
    "filtering": ("structured_answer_filtering", True),
    "question": ("query_str", "What was lost?"),
    "selection": ("selection", "top"),
    "template": ("text_qa_template", SPOILT),
    "chat": ("text_qa_template_chat", True),
    "chunks": ("pasted", "One.\n\nTwo."),
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
    name, value = EDITS[kind]
    widget = page.find(name)
    before = tree(page.at.main)
    widget.click() if value is PRESSED else widget.set_value(value)
    if kind == "chunks":
        page.find("use_text").click()
    page.draw()
    drawn = tree(page.at.main)
    page.open().reach(name)
    assert drawn == tree(page.at.main)
    assert (drawn == before) == (kind == "filtering")  # which changes no plan


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
