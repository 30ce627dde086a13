"""Curves: cliffs and marks that are where they are said to be."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from synth.modes.advice.what_if import Cliff, Totals
from ui.plans.curve_chart import CurveView, list_marks, list_nearest, measures
from ui.plans.curves import AXES, NO_PLAN, UNFINISHED, AxisSpan, Point, curve_of

WINDOW = AXES["window"]
SPAN = AxisSpan(400, 2000, 1024)


def totals(calls):
    if calls == NO_PLAN:
        return Totals(0, 0, 0, 0, "The window leaves no room.")
    if calls == UNFINISHED:
        return Totals(3, 30, 3, 1, "It would never end.")
    return Totals(calls, 100 * calls, 10 * calls, calls)


def curve(of, mode="compact", span=SPAN):
    """The curve of a mode whose number of calls is a function of x."""
    return curve_of(mode, span, lambda x: Point(x, totals(of(x)), totals(of(x))))


def falling(*edges):
    """A count that starts above the number of edges and loses one call at each."""
    return lambda x: 1 + sum(x < edge for edge in edges)


EDGES = st.lists(st.integers(401, 2000), max_size=16, unique=True).map(sorted)


@given(EDGES)
def test_every_cliff_is_found_where_it_is(edges):
    found = curve(falling(*edges))
    assert [cliff.x for cliff in found.cliffs] == edges
    assert all(found.at(x).calls == falling(*edges)(x) for x in range(400, 2001))


@given(EDGES, st.integers(400, 2000))
def test_below_an_end_there_is_no_plan_and_above_it_there_is_one(edges, end):
    found = curve(lambda x: NO_PLAN if x < end else falling(*edges)(x))
    assert [cliff.x for cliff in found.ends] == ([end] if end > 400 else [])
    assert all((found.at(x).calls < 0) == (x < end) for x in range(400, 2001))


def test_a_slope_keeps_its_ends():
    found = curve(lambda x: UNFINISHED if x < 500 else 400_000 // x)
    assert len(found.cliffs) < 600
    assert [cliff.x for cliff in found.ends] == [500]


def test_a_high_step_beside_a_slope_is_found_and_the_slope_is_exact_where_it_can_be():
    def calls(x):
        return 69 if x < 387 else max(1, 29 - (x - 387) // 3)

    found = curve(calls, span=AxisSpan(340, 2_000, 1_024))
    assert [cliff for cliff in found.cliffs if cliff.before == 69] == [Cliff(387, 69, 29)]
    assert len(found.cliffs) == 29


def marks(found, x, name="calls", mode="compact"):
    """What stands at the marks of the figure of a measure."""
    view = CurveView(WINDOW, SPAN, {"compact": curve(falling()), found.mode: found}, mode, x)
    return [(mark.x, mark.text) for mark in list_marks(view, measures(None)[name])]


@given(EDGES, st.integers(400, 2000))
def test_each_mark_is_a_change_of_calls_where_it_stands(edges, x):
    calls = falling(*edges)
    found = list_nearest(curve(calls), x)
    assert [(one.before, one.after) for one in found] == [
        (calls(one.x - 1), calls(one.x)) for one in found
    ]
    above = [edge for edge in edges if edge > x]
    assert [one.x for one in found if one.x > x] == [*above[:2], *above[2:][-1:]]
    assert bool(found) == bool(edges)


def test_marks_are_the_next_two_changes_and_that_to_one_call_else_those_below():
    found = curve(falling(700, 900, 1100, 1300, 1500, 1700))
    assert marks(found, 1024) == [
        (1100, "5 → 4 calls at 1,100"),
        (1300, "4 → 3 calls at 1,300"),
        (1700, "2 → 1 call at 1,700"),
    ]
    assert marks(found, 1800) == [(1700, "2 → 1 call at 1,700"), (1500, "3 → 2 calls at 1,500")]
    assert marks(found, 1024, "prompt_tokens") == [(1100, "−100 tokens")]


def test_a_tree_that_never_ends_has_a_mark_where_its_curve_begins_or_ends():
    def ends(calls):
        return [text for _, text in marks(curve(calls, mode="tree_summarize"), 1024)]

    assert ends(lambda x: UNFINISHED if x < 436 else 3) == ["tree_summarize never ends below 436"]
    assert ends(lambda x: 3 if x < 700 else NO_PLAN) == ["tree_summarize has no plan from 700 on"]
    assert ends(lambda x: 3 if x < 700 or x > 900 else UNFINISHED) == [
        "tree_summarize never ends at 700"
    ]


@given(st.integers(1, 10**7), st.integers(1, 10**7))
def test_samples_hold_both_ends_and_never_go_back(low, more):
    span = AxisSpan(low, low + more, low)
    samples = span.samples()
    assert (samples[0], samples[-1]) == (span.low, span.high)
    assert len(samples) <= 40
    assert all(before < after for before, after in pairwise(samples))
