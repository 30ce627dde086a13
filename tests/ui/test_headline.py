"""The adviser's headline: whom to take of any columns, and nothing that is not known."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.modes.advice.choice import Prospect, choose
from synth.modes.registry import MODES, mode_facts
from synth.runs.bounds import Range
from synth.words.headline import headline
from tests.examples import examples
from tests.invariants.world import worlds
from tests.ui.compare_columns import (
    before,
    cell,
    chain_of,
    columns_in,
    fan_of,
    plan_of,
    priced,
    refused,
)
from tests.ui.sample_calls import planned
from ui.controls.modes import GOALS
from ui.pages.compare.cells import named

EACH = ([0], [1], [2])
COMPACT = before("A", "compact", chain_of(planned, [0, 1], [2]))
REFINE = before("B", "refine", chain_of(planned, *EACH))
CUTTING = before("C", "simple_summarize", fan_of(planned, [0, 1]))


def prospects_of(columns):
    """What the columns would make, by name, and by name why one is left out."""
    prospects, left_out = {}, {}
    for column in named(columns, {}):
        if column.complete is not None:
            prospects[column.name] = Prospect(*column.complete, column.price)
        elif column.plans.refused is not None:
            left_out[column.name] = "would be refused"
        else:
            stops = column.plans.high is not None
            left_out[column.name] = "would stop before the end" if stops else "can't be planned"
    return prospects, left_out


def said(columns, goal="detail"):
    return "".join(headline(goal, *prospects_of(columns)))


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ([COMPACT, REFINE], "Take compact: 2 calls, and every chunk is sent. refine makes 1 call"),
        ([REFINE], "Take refine: 3 calls, and every chunk is sent."),
        ([CUTTING], "Take simple_summarize: 1 call, but 30 of 60 tokens are cut off."),
        (
            [COMPACT, refused("B", "refine"), refused("C", "tree_summarize")],
            "is sent. refine and tree_summarize would be refused.",
        ),
        ([refused("A", "compact")], "None of these can be advised. compact would be refused."),
        ([before("A", "compact")], "None of these can be advised. They make no calls."),
        (
            [before("A", "generation", [planned(1, 0)]), before("B", "no_text")],
            "None of these gives one answer that is made of the chunks.",
        ),
        (
            [before("A", "accumulate", fan_of(planned, *EACH))],
            "None of these gives one answer that is made of the chunks.",
        ),
        (
            [cell("A", replace(COMPACT.request, mode="mine")), REFINE],
            "Take refine: 3 calls, and every chunk is sent. mine can't be planned.",
        ),
    ],
)
def test_columns_of_every_kind(columns, words):
    assert words in said(columns)


def test_a_plan_that_never_ends_is_no_advice():
    endless = replace(COMPACT.plans.high, problem="It would not end.")
    stuck = replace(COMPACT, planned=replace(COMPACT.plans, high=endless))
    assert said([stuck, REFINE]) == (
        "Take refine: 3 calls, and every chunk is sent. compact would stop before the end."
    )


def test_one_mode_twice_is_told_apart_by_its_letter_and_by_its_calls():
    large = before("B", "compact", fan_of(planned, [0, 1, 2]))
    assert said([COMPACT, large]) == (
        "Take B: 1 call, and every chunk is sent. A makes 1 call more."
    )


def test_what_an_answer_could_change_is_about():
    low = plan_of(chain_of(planned, [0, 1, 2]))
    bounded = before("A", "refine", chain_of(planned, *EACH), low)
    wider = replace(bounded.plans.bounds, calls=Range(1, 4))
    unsure = replace(bounded, planned=replace(bounded.plans, bounds=wider))
    for column, about in ((unsure, "about "), (bounded, "")):
        assert said([column, CUTTING]) == (
            f"Take refine: {about}1 to 3 calls, and every chunk is sent."
            " simple_summarize cuts off 30 of 60 tokens."
        )


def test_the_goal_decides_and_says_what_it_measured():
    fan = before("B", "compact_accumulate", fan_of(planned, [0, 1], [2]))
    assert said([COMPACT, fan], "fastest").startswith(
        "Take compact_accumulate: 2 calls, all at once, and every chunk is sent."
    )
    assert said([COMPACT, REFINE], "fastest").startswith(
        "Take compact: 2 calls, longest chain 2, and every chunk is sent."
    )
    tokens = COMPACT.plans.high.prompt_tokens + COMPACT.plans.high.output_tokens
    assert f"2 calls, {tokens:,} tokens, and" in said([COMPACT, REFINE], "cheapest")
    assert "2 calls, $" in said([priced(COMPACT), priced(REFINE)], "cheapest")
    assert said([COMPACT], "per_chunk") == "None of these gives one answer per chunk."


@pytest.mark.slow
@given(
    world=worlds(),
    modes=st.lists(st.sampled_from(list(MODES)), min_size=1, max_size=4),
    goal=st.sampled_from(list(GOALS)),
)
@examples(100)
def test_the_headline_is_true_in_every_world(world, modes, goal):
    columns = columns_in(world, modes, False, None)
    prospects, left_out = prospects_of(columns)
    first, *_ = headline(goal, prospects, left_out)
    chosen = choose(goal, prospects)
    assert first.startswith("Take ") == bool(chosen)
    assert prospects.keys().isdisjoint(left_out)
    assert len(prospects) + len(left_out) == len(columns)
    if chosen:
        best = prospects[chosen[0]].high
        assert ("every chunk is sent" in first) == (not best.lost_tokens)
        whole = [
            one for one in prospects.values() if one.ends and goal in mode_facts(one.mode).goals
        ]
        assert best.lost_tokens == min(one.high.lost_tokens for one in whole)
