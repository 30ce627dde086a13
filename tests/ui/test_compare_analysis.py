"""Measures, bars and figures of a comparison: numbers of its plans and traces, and no others."""

import math
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.modes.registry import MODES
from synth.pictures.placement import COLUMN
from synth.pictures.run_picture import draw_run
from synth.runs.bounds import Range
from synth.runs.prices import Price
from synth.words.coverage_words import cut_off_tokens
from tests.examples import examples
from tests.invariants.world import worlds
from tests.pictures.scenes import boxes
from tests.ui.compare_columns import (
    PRICE,
    after,
    asking,
    before,
    chain_of,
    columns_in,
    fan_of,
    lasting,
    plan_of,
    priced,
    refused,
    request_of,
    trace_of,
)
from tests.ui.sample_calls import made, planned
from ui.pages.compare.answers_view import why_equal
from ui.pages.compare.figures import call_figures, passed_figures
from ui.pages.compare.measures import measure_rows, repeated_tokens
from ui.pages.compare.run_slots import SlotRun
from ui.settings.request import Model

EACH = ([0], [1], [2])


def values(columns, name):
    [row] = [row for row in measure_rows([[one] for one in columns]) if row.name == name]
    return tuple(row.texts)


# ---- rows


def test_before_a_run_ranges_and_bounds_are_estimates():
    low = plan_of(chain_of(planned, [0, 1, 2]))
    found = {
        row.name: row
        for row in measure_rows([[before("A", "compact", chain_of(planned, *EACH), low)]])
    }
    assert found["calls"].texts == ["1–3"]
    assert found["calls"].amounts == [3]
    assert found["calls"].values[0].estimated
    assert found["output tokens"].texts == ["≤ 30"]
    assert found["cut off"].texts == ["0"]
    assert not found["cut off"].values[0].estimated
    assert not {"seconds", "cost"} & set(found)


def test_before_a_run_at_most_is_what_bounds_it():
    plans = priced(before("A", "compact", chain_of(planned, *EACH)))
    prompts = PRICE.of(plans.plans.high.prompt_tokens, 0)
    for most, shown, dollars in ((90, "≤ 90", prompts + 0.9), (math.inf, "~30", prompts + 0.3)):
        bounds = replace(plans.plans.bounds, output_tokens=Range(0, most))
        column = replace(plans, planned=replace(plans.plans, bounds=bounds))
        assert values([column], "output tokens") == (shown,)
        assert values([column], "cost") == (f"{shown[:-2]}${dollars:.4f}",)


def test_times_of_answers_that_were_there_already_are_no_times():
    calls = [replace(call, replayed=True) for call in fan_of(made, *EACH)]
    column = after("A", "accumulate", calls, seconds=0.1)
    assert values([column], "seconds") == ("not timed",)


def test_seconds_of_the_offline_model_are_no_measure():
    calls = lasting(fan_of(made, *EACH), (0, 1.0), (0, 2.5), (0, 2.0))
    timed = after("A", "accumulate", calls, seconds=2.6)
    offline = asking(timed, request_of("accumulate", Model("offline")))
    names_of = [row.name for row in measure_rows([[offline], [offline]])]
    assert "seconds" not in names_of
    assert values([timed, offline], "seconds") == ("2.6", "not timed")


def test_a_price_that_nobody_knows_is_not_nothing():
    known = priced(before("A", "compact", fan_of(planned, [0])))
    unknown = before("B", "compact", fan_of(planned, [0]))
    free = asking(unknown, request_of("compact", Model("offline")))
    silent = before("C", "no_text")
    assert values([known, unknown, free, silent], "cost") == (
        f"≤ ${0.001 * known.plans.high.prompt_tokens + 0.1:.4f}",
        "unknown",
        "$0",
        "$0",
    )
    assert "cost" not in [row.name for row in measure_rows([[unknown], [free]])]


def test_a_bound_of_the_cost_is_never_rounded_down():
    cell = priced(before("A", "compact", fan_of(planned, [0])), Price(0, 40.1))
    assert cell.most_cost(cell.plans.bounds) == pytest.approx(0.000_401)
    assert values([cell], "cost") == ("≤ $0.0005",)


def test_questions_add_up_and_seconds_are_those_of_one_run():
    calls = lasting(fan_of(made, *EACH), (0, 1.0), (0, 2.5), (0, 2.0))
    runs = [after("A", "accumulate", calls, seconds=seconds) for seconds in (2.0, 4.0)]
    plans = [before("B", "accumulate", fan_of(planned, *EACH))] * 2
    found = {row.name: row for row in measure_rows([runs, [runs[0], plans[0]], plans])}
    assert found["calls"].texts == ["6", "6", "6"]
    assert [value.estimated for value in found["calls"].values] == [False, True, True]
    assert found["longest chain"].texts == ["1", "1", "1"]
    assert found["output tokens"].texts == ["60", "≤ 60", "≤ 60"]
    assert found["seconds each"].texts == ["3.0", "2.0", "not yet"]


# ---- text


def test_what_is_sent_in_two_calls_is_counted_once():
    assert repeated_tokens(plan_of(fan_of(planned, [0, 1], [1, 2]))) == 20
    assert repeated_tokens(plan_of(fan_of(planned, *EACH))) == 0


@pytest.mark.parametrize("mode", ["generation", "no_text", "context_only"])
def test_what_is_not_sent_by_design_is_not_cut_off(mode):
    column = before("A", mode)
    assert column.plans.high.lost_tokens == 60
    assert cut_off_tokens(column.plans.high) == 0
    assert values([column], "cut off") == ("none sent",)
    cutting = before("B", "simple_summarize", fan_of(planned, [0, 1]))
    assert values([cutting], "cut off") == ("30",)
    stopped = after("B", "refine", [made(1, 0)], None, stopped=True)
    assert values([stopped], "cut off") == ("0",)  # what is not sent yet is not cut off


COUNTED = {
    "calls": lambda run: len(run.calls),
    "longest chain": lambda run: len({call.depth for call in run.calls}),
    "prompt tokens": lambda run: sum(call.prompt_tokens for call in run.calls),
    "cut off": cut_off_tokens,
    "sent twice": repeated_tokens,
}


@given(world=worlds(), modes=st.lists(st.sampled_from(list(MODES)), max_size=4), run=st.booleans())
@examples(60)
def test_each_measure_is_that_of_the_run_or_of_both_plans(world, modes, run):
    columns = columns_in(world, modes, run, PRICE)
    for row in measure_rows([[one] for one in columns]):
        for column, text in zip(columns, row.texts, strict=True):
            shown = {int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", text)}
            if row.name in COUNTED and (plans := column.complete):
                runs = [column.trace] if column.trace else [plans.low, plans.high]
                assert shown in ({*map(COUNTED[row.name], runs)}, set())
                assert shown or text == "none sent"
            elif row.name == "output tokens" and column.complete and not column.trace:
                assert shown == {column.complete.bounds.output_tokens.high}


# ---- answers


def test_why_answers_are_equal_is_said_as_far_as_it_is_known():
    chain = after("A", "compact", chain_of(made, [0], [1, 2]))
    other = after("B", "refine", chain_of(made, *EACH))
    alike = after("C", "refine", chain_of(made, [0], [1, 2]))
    assert why_equal([chain, other]) == ""
    assert "very same prompts." in why_equal([chain, alike])
    assert "one run serves them all" in why_equal(
        [chain, replace(alike, run=SlotRun(alike.present, chain.run.job))]
    )
    assert why_equal([chain, alike, other]) == ""
    assert "settings are the same" in why_equal([chain, chain])
    offline = [
        asking(column, request_of(column.request.mode, Model("offline")))
        for column in (chain, other)
    ]
    assert "picks sentences" in why_equal(offline)
    assert why_equal([offline[0], other]) == ""


# ---- the small flow


def test_a_small_picture_shows_what_failed():
    good, bad = fan_of(made, [0], [1])
    run = trace_of([good, replace(bad, answer=None, error="no key")], None)
    failed = boxes(draw_run(run, size=COLUMN), "failed")
    assert [box.target for box in failed] == [("call", 2)]


def scores(**columns):
    """Columns by the questions that each passes: "1101"; "" for one that was not run."""
    return {name: [[float(one)] for one in passes] for name, passes in columns.items()}


TWELVE, THREE = "1" * 12, "1" * 3 + "0" * 9


@pytest.mark.parametrize(
    ("columns", "line", "test"),
    [
        (
            {"A": TWELVE, "B": THREE},
            "A 12 of 12 · B 3 of 12; A can be told from B",
            "Sign test over questions: A ahead of B in 9, behind in 0, p 0.0039.",
        ),
        (
            {"A": "1" * 9 + "0", "B": "1" * 7 + "000", "C": "1" * 9 + "0"},
            "A 9 of 10 · B 7 of 10 · C 9 of 10; can't be told apart",
            "Sign test over questions: A ahead of B in 2, behind in 0, p 1. Each p is corrected for"
            " 2 pairs (Holm).",
        ),
        ({"A": "1" * 6, "B": "0" * 6}, "A 6 of 6 · B 0 of 6; A can be told from B", None),
        (
            {"A": "1" * 5, "B": "0" * 5},
            "A 5 of 5 · B 0 of 5; can't be told apart with fewer than 6 questions",
            None,
        ),
        ({"A": "1", "B": ""}, "A 1 of 1", None),
    ],
)
def test_columns_are_told_apart_by_enough_questions(columns, line, test):
    found = passed_figures(scores(**columns))
    assert "".join(found.line) == line
    assert test in (None, found.test)


def test_without_a_score_there_are_no_figures():
    assert passed_figures(scores(A="", B="")) is None
    assert passed_figures({"A": [[None]]}) is None


def test_where_nothing_is_expected_the_calls_are_the_figures():
    plans = [before("A", "refine", chain_of(planned, [0], [1], [2]))]
    cutting = [before("B", "simple_summarize", fan_of(planned, [0, 1]))]
    found = call_figures([plans, cutting, [refused("C", "compact")]])
    assert "".join(found.line) == "A 3 calls · B 1 call, 30 tokens cut off · C refused"
    run = [after("A", "compact", fan_of(made, [0]))]
    assert "".join(call_figures([run]).line) == (
        "A 1 call, 50 tokens cut off; nothing is expected of the answers"
    )
