"""Measures, sentences and chart of a comparison: numbers of its plans and traces, and no others."""

import math
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.modes.registry import MODES
from synth.quality import read_facts
from synth.quality.verdicts import wilson
from synth.runs.bounds import Range
from synth.runs.prices import Price
from synth.words.plan_words import chunk_tokens, cut_off_tokens
from tests.examples import examples
from tests.invariants.world import worlds
from tests.ui.compare_columns import (
    PRICE,
    after,
    asking,
    before,
    chain_of,
    columns_in,
    comparison_of,
    fan_of,
    judged,
    lasting,
    priced,
    refused,
)
from tests.ui.plotly_figures import checked
from tests.ui.sample_calls import made, planned
from ui.pages.compare.chart_view import passed_by_cost
from ui.pages.compare.columns_view import _lacks
from ui.pages.compare.comparison import Asked, RunRow, frame_of, with_numbers
from ui.pages.compare.figures import headline, measure_text, measures_of
from ui.settings.request import Model

EACH = ([0], [1], [2])


def values(rows, name):
    [number] = [number for number, label in measures_of(rows).items() if label == name]
    return tuple(measure_text(row, number) for row in rows)


def labels(rows):
    return set(measures_of(rows).values())


# ---- the table


def test_the_table_has_a_row_a_run_with_numbers_as_numbers():
    asked = Asked("why so", facts=read_facts("the pump\nthe valve"))
    right = judged(after("A", "compact", fan_of(made, [0]), "The pump."), asked, thumb=True)
    coming = before("B", "refine", chain_of(planned, *EACH))
    runs = comparison_of([right, coming], asked).runs
    assert tuple(runs.columns) == RunRow._fields
    [first, second] = runs.to_dict("records")
    assert (first["needed"], first["passed"], first["score"], first["right"]) == (2, 1, 0, 1)
    assert (second["calls_low"], second["calls"]) == (3, 3)
    assert second["job"] is None
    assert math.isnan(second["score"])
    assert runs.groupby("column")["calls"].sum().to_dict() == {"A": 1, "B": 3}
    assert frame_of([]).empty


# ---- measures


def test_before_a_run_at_most_is_what_bounds_it():
    row = priced(before("A", "compact", chain_of(planned, *EACH)))
    plans = row.plans
    prompts = plans.high.prompt_tokens
    for calls, tokens, sign in ((3, prompts + 90, "≤ "), (math.inf, prompts + 30, "~")):
        bounds = replace(plans.bounds, calls=Range(1, calls), output_tokens=Range(0, 90))
        found = with_numbers(row._replace(plans=replace(plans, bounds=bounds)))
        assert values([found], "calls") == (f"{sign}3",)
        assert values([found], "tokens") == (f"{sign}{tokens:,}",)
        dollars = PRICE.of(prompts, tokens - prompts)
        assert values([found], "cost") == (f"{sign}${dollars:.4f}",)


def test_times_of_answers_that_were_there_already_are_no_times():
    calls = lasting(fan_of(made, *EACH), (0, 1.0), (0, 2.5), (0, 2.0))
    timed = after("A", "accumulate", calls, seconds=2.6)
    reused = [replace(call, replayed=True) for call in calls]
    again = after("B", "accumulate", reused, seconds=0.1)
    offline = asking(timed, Model("offline"))
    assert values([timed, again, offline], "seconds") == ("2.6", "not timed", "not timed")
    assert "seconds" not in labels([offline, again])


def test_a_price_that_nobody_knows_is_not_nothing():
    known = priced(before("A", "compact", fan_of(planned, [0])))
    unknown = before("B", "compact", fan_of(planned, [0]))
    free, silent = asking(unknown, Model("offline")), before("C", "no_text")
    assert values([known, unknown, free, silent], "cost") == (
        f"≤ ${0.001 * known.plans.high.prompt_tokens + 0.1:.4f}",
        "unknown",
        "$0",
        "$0",
    )
    assert "cost" not in labels([unknown, free])
    bound = priced(unknown, Price(0, 40.1))  # $0.000401, which is never rounded down
    assert values([bound], "cost") == ("≤ $0.0005",)


@pytest.mark.parametrize("mode", ["generation", "no_text", "context_only"])
def test_what_is_not_sent_by_design_is_not_cut_off(mode):
    row = before("A", mode)
    assert row.plans.high.lost_tokens == 60
    assert values([row], "cut off") == ("none sent",)
    cutting = before("B", "simple_summarize", fan_of(planned, [0, 1]))
    assert values([cutting], "cut off") == ("50\u00a0%",)
    stopped = after("B", "refine", [made(1, 0)], None, stopped=True)
    assert values([stopped], "cut off") == ("0",)  # what is not sent yet is not cut off


@given(world=worlds(), modes=st.lists(st.sampled_from(list(MODES)), max_size=4), run=st.booleans())
@examples(60)
def test_each_measure_is_that_of_the_run_or_a_bound_of_both_plans(world, modes, run):
    rows = columns_in(world, modes, run, PRICE)
    for row in rows:
        plans = row.plans.plans
        if row.trace is not None:
            assert row.calls_low == row.calls == len(row.trace.calls)
            prompts = sum(call.prompt_tokens for call in row.trace.calls)
            assert row.tokens >= prompts
        elif not math.isnan(row.calls):
            for plan in plans[:2]:
                assert row.calls_low <= plan.call_count <= row.calls
                assert plan.prompt_tokens + plan.output_tokens <= row.tokens
        if not math.isnan(row.cut_off):
            assert row.cut_off == cut_off_tokens(row.trace or plans.high)
            assert row.chunk_tokens == chunk_tokens(row.trace or plans.high)
    for name in labels(rows) if rows else ():
        for row, text in zip(rows, values(rows, name), strict=True):
            shown = [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", text)]
            if name in ("calls", "tokens") and shown:
                assert shown == [getattr(row, name)]


# ---- the sentence, in its five forms


def passing(**columns):
    """Rows of columns by the questions that each passes: "1101"; "" for one that was not run."""
    run = after("A", "compact", fan_of(made, [0]))
    return [
        run._replace(
            column=name, question=question, score=float(passes[question : question + 1] or "nan")
        )
        for question in range(max(map(len, columns.values())))
        for name, passes in columns.items()
    ]


TWELVE, THREE = "1" * 12, "1" * 3 + "0" * 9


@pytest.mark.parametrize(
    ("columns", "line", "detail"),
    [
        (
            {"A": TWELVE, "B": THREE, "C": TWELVE},
            "A and C can't be told apart. B passes 9 fewer than A.",
            "A 12 of 12 · B 3 of 12 · C 12 of 12 pass."
            " Such a lead is chance at most 1 time in 128.",
        ),
        ({"A": "0" * 6, "B": "1" * 6}, "B is ahead. A passes 6 fewer than B.", None),
        (
            {"A": "1" * 9 + "0", "B": "1" * 7 + "000", "C": "1" * 9 + "0"},
            "A 9 of 10 · B 7 of 10 · C 9 of 10 pass.",
            "They can't be told apart.",
        ),
        (
            {"A": "1" * 5, "B": "0" * 5},
            "A 5 of 5 · B 0 of 5 pass.",
            "Fewer than 6 questions tell no columns apart.",
        ),
        ({"A": "10", "B": ""}, "A 1 of 2 pass.", ""),
        ({"A": "1", "B": "1", "C": "0"}, "A and B pass. C does not.", "They take the same."),
        ({"A": "1", "B": "0", "C": "0"}, "A passes. B and C do not.", ""),
        ({"A": "0", "B": "0"}, "A and B do not pass.", ""),
    ],
)
def test_columns_are_told_apart_by_what_passed_and_by_enough_questions(columns, line, detail):
    found = headline(passing(**columns))
    assert found.line == line
    assert detail in (None, found.detail)


def test_a_column_is_named_for_less_only_among_those_that_pass():
    cheap = after("A", "compact", fan_of(made, [0]))._replace(score=0.0)
    dear = after("B", "refine", fan_of(made, [0], [1]))._replace(score=1.0)
    dearest = after("C", "refine", fan_of(made, *EACH))._replace(score=1.0)
    found = headline([cheap, dear, dearest])
    assert found == ("B and C pass. A does not.", "B takes the least of them.")


def test_a_thumb_counts_as_a_check_does_and_before_it_where_both_know_as_much():
    rows = [row._replace(right=1 - row.score) for row in passing(A="1", B="0")]
    assert headline(rows) == ("B passes. A does not.", "By thumbs.")
    of_two = passing(A="10", B="10")
    assert headline([of_two[0]._replace(right=0.0), *of_two[1:]]).line == (
        "A 1 of 2 · B 1 of 2 pass."
    )


def test_where_nothing_is_expected_the_answers_are_counted_and_none_is_advised():
    calls = fan_of(made, [0])
    alike = [after("A", "compact", calls), after("B", "refine", calls)]
    assert headline(alike).line == "One answer from all that ran."
    other = after("C", "refine", calls, "another")
    assert headline([*alike, other]) == (
        "2 different answers.",
        "Nothing is expected of the answers yet.",
    )
    later = [row._replace(question=1) for row in alike]
    assert headline([*alike, other, *later]).line == "The columns agree on 1 of 2 questions."


def test_before_a_run_the_calls_are_the_figures():
    plans = before("A", "refine", chain_of(planned, *EACH))
    cutting = before("B", "simple_summarize", fan_of(planned, [0, 1]))
    assert headline([plans, cutting, refused("C", "compact")]) == (
        "Calls: A 3 · B 1 · C refused",
        "B would cut off 50\u00a0% of the text.",
    )


def test_points_of_the_chart_stand_at_costs_and_shares_with_wilsons_intervals():
    asked = Asked("Why?", facts=read_facts("the pump failed"))
    right = after("A", "compact", fan_of(made, [0]), "The pump failed.")
    wrong = after("B", "refine", fan_of(made, [0], [1]), "It rained.")
    twin = after("C", "compact", fan_of(made, [0]), "The pump failed.")
    rows = [judged(priced(row), asked) for row in (right, wrong, twin)]
    coming = right._replace(column="D")
    assert not passed_by_cost(comparison_of([coming], asked))[1]
    figure, words = passed_by_cost(comparison_of([*rows, coming], asked))
    [area, points] = checked(lambda: figure)().data
    assert points.text == ("<b>A C</b>", "<b>B</b>")
    names = [one["text"] for one in figure["layout"]["annotations"]]
    assert names == ["compact<br>compact", "refine"]
    assert points.y == (1, 0)
    spent = [rows[at].trace.spent.tokens for at in (0, 1)]
    assert points.x == pytest.approx([PRICE.of(*tokens) for tokens in spent])
    low, _ = wilson(1, 1)
    assert points.error_y.arrayminus == pytest.approx([1 - low, 0])
    assert points.error_y.array == pytest.approx([0, 1 - low])
    assert points.marker.color[0] != points.marker.color[1]  # filled: B passes less for more
    assert area.x[0] == points.x[0]
    assert words[1].startswith("B · refine: 0 of 1, $")
    assert words[3:] == ["D · compact: not known yet", "A and C share a point"]


def test_what_ends_while_the_page_is_drawn_is_judged_by_the_next_draw():
    row = after("A", "refine", chain_of(made, *EACH))
    asked = Asked("Why?", facts=tuple(read_facts("the pool")))
    assert row.trace is not None
    assert not row.outcomes
    _lacks(comparison_of([row]), row, row.trace, asked)
