"""The address of a page: choices stand there by codes, and only what differs from its default."""

from tests.ui.page import Playground


def test_a_choice_stands_in_the_address_by_its_code():
    page = Playground()
    assert "selection" not in page.at.query_params
    page.set(selection="top", model="human")
    assert page.at.query_params["selection"] == "top"
    assert page.at.query_params["model"] == "human"
    assert "selection" not in page.set(selection="all").at.query_params


def test_a_link_sets_the_choice():
    page = Playground(mode="refine")
    page.open(model="endpoint", selection="top")
    assert page.at.text_input(key="model_name").value == ""
    assert page.at.number_input(key="top_k").value == 4


def test_a_code_that_nobody_knows_is_left_out():
    page = Playground()
    page.open(model="Offline, no language model", selection="best")
    assert "model" not in page.at.query_params
    assert "selection" not in page.at.query_params
    assert page.finish().job.request.model.kind == "offline"


def test_the_view_of_a_run_is_in_the_address_but_for_the_first():
    page = Playground(mode="refine").finish()
    assert "view" not in page.at.query_params
    assert page.set(view="flow").at.query_params["view"] == "flow"
    page.open(view="timeline")
    assert "each call waits for the one before" in page.text
