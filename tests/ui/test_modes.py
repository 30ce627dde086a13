"""The choice of a mode: its cards, the menu of the others, and what is counted for them."""

import pytest

from synth.modes.advice.what_if import Totals
from synth.modes.registry import MODES, mode_facts
from tests.recipes import make_request
from tests.ui.page import Playground
from ui.plans.outlines import outline
from ui.plans.plan_range import plan_range

MANY = tuple(f"Sentence {number} of the report." for number in range(60))


def labels(page):
    """The words on each button for a mode, by the mode; underscores as they are read."""
    return {
        one.key.removeprefix("mode "): one.label.replace(r"\_", "_")
        for one in page.at.button
        if str(one.key).startswith("mode ")
    }


@pytest.mark.slow
def test_a_card_is_pressed_and_the_address_names_its_mode():
    page = Playground().press("mode refine")
    assert "<b>refine</b> would make <b>12 calls</b>" in page.text
    assert page.at.query_params["mode"] == "refine"
    page.draw()
    assert labels(page)["refine"].startswith("**refine** :small[chosen]")
    assert "mode" not in page.press("mode compact").at.query_params


@pytest.mark.usefixtures("vote")
def test_a_custom_mode_stands_among_the_others():
    page = Playground().press("other_modes")
    assert "calls" in labels(page)["vote"]


@pytest.mark.parametrize("chunks", [(), ("one",), MANY, ("long text " * 900,)])
@pytest.mark.parametrize("mode", MODES)
def test_an_outline_has_the_numbers_of_the_plan(mode, chunks):
    request = make_request(mode, "Why?", chunks, 1_024)
    plans, seen = plan_range(request), outline(plan_range(request))
    plan = plans.high
    assert (seen.short, seen.long) == (Totals.of(plans.low), Totals.of(plan))
    assert not seen.missing
    assert len(seen.levels) == plan.longest_chain
    if mode_facts(mode).sends_chunks:
        assert seen.lost == plan.lost_tokens
