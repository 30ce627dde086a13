"""The adviser's headline: whom to take of several plans, and nothing that is not known."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.errors import SynthError
from synth.modes.advice.choice import Prospect, choose, short_and_long
from synth.modes.registry import MODES, mode_facts
from synth.runs.bounds import Range
from synth.words.headline import headline
from tests.examples import examples
from tests.invariants.world import worlds
from tests.ui.compare_columns import PRICE, bounds_of, chain_of, fan_of, plan_of
from tests.ui.sample_calls import planned
from ui.controls.modes import GOALS

EACH = ([0], [1], [2])
FAN = fan_of(planned, *EACH)


def prospect(mode, calls=(), low=None):
    """What a mode would make, the same with short and long answers unless `low` is given."""
    high = plan_of(calls, mode)
    pair = (low or high, high)
    return Prospect(*pair, bounds_of(*pair))


COMPACT = prospect("compact", chain_of(planned, [0, 1], [2]))
REFINE = prospect("refine", chain_of(planned, *EACH))
CUTTING = prospect("simple_summarize", fan_of(planned, [0, 1]))
REFUSED = "would be refused"


def said(*prospects, goal="detail", **left_out):
    return "".join(headline(goal, {one.mode: one for one in prospects}, left_out))


@pytest.mark.parametrize(
    ("prospects", "left_out", "words"),
    [
        ([COMPACT, REFINE], {}, "Take compact: 2 calls, and every chunk is sent. refine makes 1 c"),
        ([REFINE], {}, "Take refine: 3 calls, and every chunk is sent."),
        ([CUTTING], {}, "Take simple_summarize: 1 call, but 30 of 60 tokens are cut off."),
        (
            [COMPACT],
            {"refine": REFUSED, "tree_summarize": REFUSED},
            "is sent. refine and tree_summarize would be refused.",
        ),
        ([], {"compact": REFUSED}, "None of these can be advised. compact would be refused."),
        ([prospect("compact")], {}, "None of these can be advised. They make no calls."),
        (
            [prospect("generation", [planned(1, 0)]), prospect("no_text")],
            {},
            "None of these gives one answer that is made of the chunks.",
        ),
        (
            [prospect("accumulate", FAN)],
            {},
            "None of these gives one answer that is made of the chunks.",
        ),
        (
            [REFINE],
            {"mine": "can't be planned"},
            "Take refine: 3 calls, and every chunk is sent. mine can't be planned.",
        ),
    ],
)
def test_plans_of_every_kind(prospects, left_out, words):
    assert words in said(*prospects, **left_out)


def test_a_plan_that_never_ends_is_no_advice():
    endless = replace(COMPACT.high, problem="It would not end.")
    assert choose("detail", {"A": COMPACT._replace(high=endless)}) == []


def test_one_mode_twice_is_told_apart_by_its_name_and_by_its_calls():
    twice = {"A": COMPACT, "B": prospect("compact", fan_of(planned, [0, 1, 2]))}
    assert "".join(headline("detail", twice, {})) == (
        "Take B: 1 call, and every chunk is sent. A makes 1 call more."
    )


def test_what_an_answer_could_change_is_about():
    bounded = prospect("refine", chain_of(planned, *EACH), plan_of(chain_of(planned, [0, 1, 2])))
    unsure = bounded._replace(bounds=replace(bounded.bounds, calls=Range(1, 4)))
    for one, about in ((unsure, "about "), (bounded, "")):
        assert said(one, CUTTING) == (
            f"Take refine: {about}1 to 3 calls, and every chunk is sent."
            " simple_summarize cuts off 30 of 60 tokens."
        )


def test_the_goal_decides_and_says_what_it_measured():
    fan = prospect("compact_accumulate", fan_of(planned, [0, 1], [2]))
    assert said(COMPACT, fan, goal="fastest").startswith(
        "Take compact_accumulate: 2 calls, all at once, and every chunk is sent."
    )
    assert said(COMPACT, REFINE, goal="fastest").startswith(
        "Take compact: 2 calls, longest chain 2, and every chunk is sent."
    )
    tokens = COMPACT.high.prompt_tokens + COMPACT.high.output_tokens
    assert f"2 calls, {tokens:,} tokens, and" in said(COMPACT, REFINE, goal="cheapest")
    priced = [one._replace(price=PRICE) for one in (COMPACT, REFINE)]
    assert "2 calls, $" in said(*priced, goal="cheapest")
    assert said(COMPACT, goal="per_chunk") == "None of these gives one answer per chunk."


@pytest.mark.slow
@given(worlds(), st.sets(st.sampled_from(list(MODES)), min_size=1), st.sampled_from(list(GOALS)))
@examples(100)
def test_the_headline_is_true_in_every_world(world, modes, goal):
    prospects, left_out = {}, {}
    tokens, tone = (min(20, world.num_output), world.num_output), {"tone": world.tone}
    for mode in modes:
        made = world.synthesizer(mode)
        try:
            plans = short_and_long(made, world.query, world.chunks, tokens, tone)
            prospects[mode] = Prospect(*plans)
        except SynthError:
            left_out[mode] = REFUSED
    first, *_ = headline(goal, prospects, left_out)
    chosen = choose(goal, prospects)
    assert first.startswith("Take ") == bool(chosen)
    if chosen:
        best = prospects[chosen[0]].high
        assert ("every chunk is sent" in first) == (not best.lost_tokens)
        whole = [
            one for one in prospects.values() if one.ends and goal in mode_facts(one.mode).goals
        ]
        assert best.lost_tokens == min(one.high.lost_tokens for one in whole)
