"""The address of a page: views stand there by codes, and a link may bring settings."""

import pytest

from tests.ui.page import Playground
from tests.ui.test_compare import Compare
from ui.settings.schema import DEFAULT, IN_ADDRESS

pytestmark = pytest.mark.slow


def test_settings_are_taken_out_of_the_address_once():
    page = Playground().open(selection="top", model="human")
    assert (page.settings.selection, page.settings.model) == ("top", "human")
    assert page.at.query_params.keys() == {"w"}
    page.set(selection="all", model="offline")
    page.open(model="Offline, no language model", selection="best")  # nobody knows these codes
    assert not {"model", "selection"} & page.at.query_params.keys()
    assert "Nothing was changed by model and selection: no such value is possible." in page.text
    assert page.finish().job.request.model.kind == "offline"


def test_the_view_of_a_run_is_in_the_address_but_for_the_first():
    page = Playground(mode="refine").finish(view="picture")
    assert "view" not in page.at.query_params
    assert page.set(view="calls").at.query_params["view"] == "calls"
    assert "view" not in page.set(view="steps").finish(view="picture").at.query_params
    assert "coverage" in page.open(view="coverage").keys
    assert "picture" in page.open(view="timeline").keys  # which there is no more


def test_a_link_opens_a_view_of_compare_and_one_that_is_gone_opens_the_columns():
    page = Compare()
    page.open(compare_view="chart")
    assert "There is nothing to show yet." in page.text
    for gone in ("modes", "facts", "trade_off", "judge"):
        page = Compare()
        page.open(compare_view=gone)
        assert page.at.session_state["compare_view"] == "columns"


def test_no_value_of_a_setting_in_the_address_breaks_the_page():
    page, names = Playground(mode="refine").finish(), IN_ADDRESS
    for wrong in ("9" * 5_000, "1e999", "-Infinity", "nan", "noon", "", "\0", "-1", "²"):
        assert page.open(view="steps", step=wrong).at.query_params["step"].isdecimal()
        assert "tokens" in page.open(**dict.fromkeys(names, wrong), view=wrong).text
        assert page.settings == DEFAULT.with_({"mode": "refine"})
