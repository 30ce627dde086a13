"""A widget that two pages have shows its value after a change of the page."""

import pytest

from tests.ui.page import Playground

pytestmark = pytest.mark.slow


def changed_to(page, script):
    page.at.switch_page(script)
    return page.draw()


def test_a_limit_is_the_same_on_the_playground_and_on_compare():
    page = Playground(chunks=["A chunk."])
    page.at.number_input(key="context_window").set_value(900)
    for script in ("pages/compare.py", "app.py", "pages/runs.py", "app.py"):
        changed_to(page.draw(), script)
        if script != "pages/runs.py":
            assert page.at.number_input(key="context_window").value == 900
