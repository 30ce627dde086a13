"""The choice of a mode: its cards, the menu of the others, and what is counted for them."""

import re

import pytest

from synth.modes.advice.what_if import Totals
from synth.modes.registry import MODES, mode_facts
from tests.recipes import make_request
from tests.ui.page import Playground
from ui.plans.outlines import outline
from ui.plans.plan_range import plan_range
from ui.session import keys
from ui.settings.schema import FIRST_MODES

MANY = tuple(f"Sentence {number} of the report." for number in range(60))


def labels(page):
    """The words on each button for a mode, by the mode; underscores as they are read."""
    return {
        one.key.removeprefix("mode "): one.label.replace(r"\_", "_")
        for one in page.at.button
        if str(one.key).startswith("mode ")
    }


def test_four_cards_say_what_each_mode_would_do_with_the_input():
    assert labels(Playground()) == {
        "compact": "**compact** :small[chosen] **2 calls**, in a chain *sends all*",
        "refine": "**refine** **12 calls**, in a chain *sends all*",
        "tree_summarize": "**tree_summarize** **3 calls**, 2 levels *sends all*",
        "simple_summarize": "**simple_summarize** **1 call**, one prompt ***34\u00a0% cut off***",
    }


@pytest.mark.slow
def test_a_card_is_pressed_and_the_address_names_its_mode():
    page = Playground().press("mode refine")
    assert "<b>refine</b> would make <b>12 calls</b>" in page.text
    assert page.at.query_params["mode"] == "refine"
    page.draw()
    assert labels(page)["refine"].startswith("**refine** :small[chosen]")
    assert "mode" not in page.press("mode compact").at.query_params


@pytest.mark.slow
def test_the_other_modes_have_cards_when_they_are_asked_for_and_one_that_is_chosen():
    page = Playground()
    others = MODES.keys() - {*FIRST_MODES}
    assert not others & labels(page).keys()
    page.press("other_modes")
    assert labels(page).keys() == MODES.keys()
    assert labels(page)["context_only"] == "**context_only** **no call** *gives the chunks back*"
    page.press("mode accumulate")
    assert "<b>accumulate</b> would make <b>12 calls</b> at once" in page.text
    assert "Asks every chunk on its own" in page.text
    page.draw()
    assert labels(page).keys() == {*FIRST_MODES, "accumulate"}
    page.press("other_modes").press("other_modes")
    page.draw()
    assert labels(page).keys() == {*FIRST_MODES, "accumulate"}


@pytest.mark.slow
def test_the_goal_is_chosen_where_all_modes_are_and_the_advice_follows_it():
    page = Playground()
    assert "<b>Take compact: 2 calls, and every chunk is sent.</b>" in page.text
    assert keys.GOAL not in page.keys
    page.press("other_modes").enter(keys.GOAL, "summary")
    assert "<b>Take tree_summarize: about 3 calls, and every chunk is sent.</b>" in page.text
    page.enter(keys.GOAL, "per_chunk")
    assert "<b>Take accumulate: 12 calls, and every chunk is sent.</b>" in page.text


@pytest.mark.parametrize("mode", ["generation", "context_only"])
def test_a_chosen_mode_that_sends_no_chunks_cuts_none_off(mode):
    assert "cut off" not in labels(Playground(mode=mode))[mode]


@pytest.mark.usefixtures("vote")
def test_a_custom_mode_stands_among_the_others():
    page = Playground().press("other_modes")
    assert "calls" in labels(page)["vote"]


@pytest.mark.parametrize("chunks", [(), ("one",), MANY, ("long text " * 900,)])
@pytest.mark.parametrize("mode", MODES)
def test_an_outline_has_the_numbers_of_the_plan(mode, chunks):
    request = make_request(mode, "Why?", chunks, 1_024)
    plans, seen = plan_range(request), outline(request)
    plan = plans.high
    assert (seen.short, seen.long) == (Totals.of(plans.low), Totals.of(plan))
    assert not seen.missing
    assert len(seen.levels) == plan.longest_chain
    if mode_facts(mode).sends_chunks:
        assert seen.lost == plan.lost_tokens


@pytest.mark.slow
def test_a_card_says_the_calls_with_short_answers_and_with_long_ones():
    page = Playground(context_window=600, num_output=200)
    assert "<b>compact</b> would make about <b>6 to 14 calls</b>" in page.text
    for chosen in ("compact", "refine"):
        said = labels(page.press(f"mode {chosen}"))
        assert said["compact"].replace(" :small[chosen]", "") == (
            "**compact** **about 6 to 14 calls**, in a chain *sends all*"
        )


def test_a_card_says_about_where_the_sentence_or_the_adviser_does():
    page = Playground(mode="tree_summarize")
    assert "<b>tree_summarize</b> would make about <b>3 calls</b>" in page.text
    assert "**about 3 calls**, 2 levels" in labels(page)["tree_summarize"]
    page = Playground(
        **{"templates.text_qa_template.text": "{query_str}"}
    )  # which no other mode can take
    assert "Take tree_summarize: about 3 calls" in page.text
    assert "**about 3 calls**, 2 levels" in labels(page)["tree_summarize"]


def test_without_chunks_no_card_says_that_all_are_read():
    assert "sends all" not in "".join(labels(Playground(chunks=[])).values())


@pytest.mark.slow
def test_the_advisers_sentence_stands_above_the_cards_with_the_cost_of_the_card():
    page = Playground(model="endpoint", model_name="gpt-4o-mini", context_window=700)
    [(mode, cost)] = re.findall(
        r'class="advice num"><b>Take (?:<dfn.*?>)?(\w+).*?, (\$[\d.]+) with the longest answers,'
        " and every chunk",
        page.html,
    )
    assert labels(page)[mode].rstrip("*").endswith(cost.replace("$", ""))
    assert "Take" not in Playground(chunks=("long text " * 20_000,)).text


@pytest.mark.slow
def test_what_has_no_plan_says_why():
    small = labels(Playground(context_window=20))
    assert small["compact"] == "**compact** :small[chosen] **can't run**"
    endless = Playground(context_window=300, num_output=120, chunks=("long text " * 900,))
    assert labels(endless)["tree_summarize"] == "**tree_summarize** **may stop early**"
    assert "tree_summarize may stop early." in endless.text  # says the adviser as well
