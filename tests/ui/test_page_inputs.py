"""What an edit makes anew: its parts, with settings that are read and a request made once."""

from collections import Counter
from functools import wraps

import pytest

from tests.ui.page import Playground
from tests.ui.test_compare import Compare
from ui.pages.playground import page as playground
from ui.plans import plan_range
from ui.settings import state
from ui.settings.request import Request
from ui.settings.schema import Settings

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


def test_a_letter_in_a_template_makes_one_request_and_no_plan_twice(calls):
    page = Playground(mode="refine").set(**{CHOICE: "refine_template"})
    box = page.at.text_area(key=TEXT)
    calls.clear()
    box.set_value(f"{box.value}!")
    page.draw()
    assert calls["of", None] == 1
    assert calls["current", None] == 3  # to change them, for the address, for the parts
    plans = [times for (name, _), times in calls.items() if name == "_planned"]
    assert plans == [1, 1, 1]  # of two modes with this template, and of the other behaviour


def test_an_edit_draws_the_page_only_if_it_changes_the_layout_and_the_plan_is_remembered(calls):
    page = Playground().finish().set(tokenizer="o200k_base")  # brings the plan back
    assert calls["draw", None] > 1
    for window, planned in ((300, True), (1_024, False)):
        calls.clear()
        page.enter("context_window", window)
        assert ("draw", None) not in calls
        assert any(name == "_planned" for name, _ in calls) == planned


def test_a_page_that_is_opened_reads_its_settings_once(calls):
    Playground()
    assert calls["of", None] == calls["current", None] == 1


def test_a_choice_in_compare_makes_one_request_a_column(calls):
    page = Compare(compare_questions="\n".join(f"Question {number}?" for number in range(20)))
    page.press("edit_columns")
    calls.clear()
    page.at.selectbox(key="own mode of A").set_value("refine")
    page.draw()
    assert calls["of", None] == 4
    assert calls["current", None] == 4  # to change the column and for its place, then for the page
    assert calls["with_", None] <= 22
