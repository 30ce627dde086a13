"""What an edit draws again and makes anew, and what of it a newer edit overtakes."""

from collections import Counter
from functools import wraps

import pytest
from streamlit.runtime.scriptrunner import StopException

from synth.quality.samples import SAMPLES
from tests.recipes import make_request
from tests.ui.page import Playground
from tests.ui.test_compare import Compare
from ui.pages.playground import page as playground
from ui.plans import plan_range
from ui.session import workspace
from ui.settings import state
from ui.settings.request import Request
from ui.settings.schema import Settings

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


def test_what_another_tab_changed_after_a_run_is_shown_and_said_by_that_name():
    page = Playground().finish()
    page.put(query_str="Asked in another tab?")
    assert "changed in another tab: the question." in page.draw().text
    assert page.at.text_area(key="query_str").value == "Asked in another tab?"
    assert "changed since: the question; answer length" in page.enter("num_output", 90).text


def test_a_run_of_inputs_that_the_tab_does_not_show_is_not_started(monkeypatch):
    page = Playground()
    with monkeypatch.context() as patched:
        patched.setattr("ui.settings.state.is_changed_elsewhere", lambda: True)
        page.press("run_button")
    assert page.job is None
    assert "Your press did nothing." in page.text
    page.press("run_button")
    assert page.job is not None


TEXT = "refine_template"
CHOICE = "template of text_qa_template, refine_template, summary_template, simple_template"


@pytest.fixture
def calls(monkeypatch):
    """How often settings, requests and plans were made; of plans, of which request."""
    made = Counter()

    def count(owner, name, of=lambda *_: None):
        function = getattr(owner, name)

        @wraps(function)
        def counted(*args, **options):
            made[name, of(*args)] += 1
            return function(*args, **options)

        monkeypatch.setattr(owner, name, counted)

    count(Request, "of")
    count(state, "current")
    count(Settings, "with_")
    count(playground, "draw")
    count(plan_range, "_planned", lambda *asked: asked)
    return made


def test_a_page_reads_its_settings_once_and_a_letter_in_a_template_plans_nothing_twice(calls):
    page = Playground(mode="refine")
    assert calls["of", None] == calls["current", None] == 1
    page.set(**{CHOICE: "refine_template"})
    box = page.at.text_area(key=TEXT)
    calls.clear()
    box.set_value(f"{box.value}!")
    page.draw()
    assert calls["of", None] == 1
    assert calls["current", None] == 2  # to change them, and for the parts
    plans = [times for (name, _), times in calls.items() if name == "_planned"]
    assert set(plans) == {1}


def test_an_edit_draws_the_page_only_if_it_changes_the_layout_and_the_plan_is_remembered(calls):
    page = Playground().finish().set(tokenizer="o200k_base")  # brings the plan back
    assert calls["draw", None] > 1
    for window, planned in ((300, True), (1_024, False)):
        calls.clear()
        page.enter("context_window", window)
        assert ("draw", None) not in calls
        assert any(name == "_planned" for name, _ in calls) == planned


def test_a_choice_in_compare_makes_one_request_a_column(calls):
    page = Compare(compare_questions="\n".join(f"Question {number}?" for number in range(20)))
    calls.clear()
    page.enter("compare_repeats", 2)
    assert calls["of", None] == 4
    assert calls["current", None] == 2
    assert calls["with_", None] <= 22


SAMPLE = "\n\n".join(SAMPLES[0].chunks)


def long(mode, characters=2_000_000, **changed):
    """A request with so many characters of chunks, a thousand in each."""
    text = (SAMPLE * (characters // len(SAMPLE) + 1))[:characters]
    chunks = tuple(text[at : at + 1_000] for at in range(0, characters, 1_000))
    return make_request(mode, "What failed?", chunks, 4_096, **changed)


class Overtaken:
    """Stands for the run of a script in whose tab something newer was entered."""

    def yield_check(self) -> None:
        raise StopException


def test_no_long_plan_is_begun_for_an_edit_that_another_has_followed(monkeypatch):
    monkeypatch.setattr(workspace, "get_script_run_ctx", lambda suppress_warning: Overtaken())
    with pytest.raises(StopException):
        plan_range.plan_range(long("compact", 200_000))
    assert plan_range.plan_range(long("compact", 2_000)).plans is not None
