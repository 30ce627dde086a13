"""What an edit makes anew: the settings are read, and the request is made, once for a draw."""

from collections import Counter
from functools import wraps

import pytest

from tests.ui.page import Playground
from tests.ui.test_compare import Compare
from ui.plans import plan_range
from ui.settings import state
from ui.settings.request import Request
from ui.settings.schema import Settings

TEXT = "refine_template"
CHOICE = "template of text_qa_template, refine_template"


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
    assert plans == [1, 1]  # of the modes that have this template


def test_a_page_that_is_opened_reads_its_settings_once(calls):
    Playground()
    assert calls["of", None] == calls["current", None] == 1


def test_a_choice_in_compare_makes_one_request_a_column(calls):
    page = Compare().press("edit_columns")
    calls.clear()
    page.at.selectbox(key="own mode of A").set_value("refine")
    page.draw()
    assert calls["of", None] == 4
    assert calls["current", None] == 4  # to change the column and for its place, then for the page
    assert calls["with_", None] <= 22
