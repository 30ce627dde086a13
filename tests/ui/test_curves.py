"""Curves: cliffs that are where they are said to be."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from synth.modes.advice.what_if import Cliff, Totals
from ui.plans.curves import NO_PLAN, UNFINISHED, AxisSpan, Point, curve_of

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


def ends(found):
    """Where a curve begins or ends inside the span."""
    return [cliff.x for cliff in found.cliffs if (cliff.before < 0) != (cliff.after < 0)]


EDGES = st.lists(st.integers(401, 2000), max_size=16, unique=True).map(sorted)


@given(EDGES)
def test_every_cliff_is_found_where_it_is(edges):
    found = curve(falling(*edges))
    assert [cliff.x for cliff in found.cliffs] == edges
    assert all(found.at(x).calls == falling(*edges)(x) for x in range(400, 2001))


@given(EDGES, st.integers(400, 2000))
def test_below_an_end_there_is_no_plan_and_above_it_there_is_one(edges, end):
    found = curve(lambda x: NO_PLAN if x < end else falling(*edges)(x))
    assert ends(found) == ([end] if end > 400 else [])
    assert all((found.at(x).calls < 0) == (x < end) for x in range(400, 2001))


def test_a_slope_keeps_its_ends():
    found = curve(lambda x: UNFINISHED if x < 500 else 400_000 // x)
    assert len(found.cliffs) < 600
    assert ends(found) == [500]


def test_a_high_step_beside_a_slope_is_found_and_the_slope_is_exact_where_it_can_be():
    def calls(x):
        return 69 if x < 387 else max(1, 29 - (x - 387) // 3)

    found = curve(calls, span=AxisSpan(340, 2_000, 1_024))
    assert [cliff for cliff in found.cliffs if cliff.before == 69] == [Cliff(387, 69, 29)]
    assert len(found.cliffs) == 29


@given(st.integers(1, 10**7), st.integers(1, 10**7))
def test_samples_hold_both_ends_and_never_go_back(low, more):
    span = AxisSpan(low, low + more, low)
    samples = span.samples()
    assert (samples[0], samples[-1]) == (span.low, span.high)
    assert len(samples) <= 40
    assert all(before < after for before, after in pairwise(samples))
