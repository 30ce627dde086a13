"""Curves and the rail of windows: cliffs that are where plans have them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.modes.advice.what_if import Cliff, Totals
from synth.pictures.rail import draw_rail
from synth.pictures.run_picture import draw_run
from tests.pictures.scenes import boxes
from ui.plans.curves import NO_PLAN, UNFINISHED, AxisSpan, Point, curve_of
from ui.plans.plan_range import plan_range
from ui.plans.window_cliffs import window_cliffs
from ui.settings.request import Request
from ui.settings.schema import DEFAULT

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


@given(EDGES, st.just(400) | st.integers(400, 2000))
def test_every_cliff_and_the_end_below_which_there_is_no_plan_are_where_they_are(edges, end):
    def calls(x):
        return NO_PLAN if x < end else falling(*edges)(x)

    found = curve(calls)
    assert ends(found) == ([end] if end > 400 else [])
    assert [cliff.x for cliff in found.cliffs if cliff.x > end] == [x for x in edges if x > end]
    assert all(found.at(x).calls == calls(x) for x in range(400, 2001))


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


@pytest.mark.parametrize("mode", ["compact", "refine", "tree_summarize", "accumulate"])
def test_each_change_is_one_of_plans(mode):
    request = Request.of(DEFAULT.with_({"mode": mode}))
    found = window_cliffs(request)
    assert found == tuple(sorted(found, key=lambda cliff: cliff.x))
    for cliff in found:
        counts = [
            plan_range(Request.of(DEFAULT.with_({"mode": mode, "context_window": window}))).high
            for window in (cliff.x - 1, cliff.x)
        ]
        calls = [0 if plan is None else plan.call_count for plan in counts]
        assert calls == [cliff.before, cliff.after]
    plan = plan_range(Request.of(DEFAULT.with_({"mode": mode, "context_window": 50_000}))).high
    assert found[-1].after == plan.call_count


def test_no_number_is_said_of_windows_in_which_a_tree_never_ends():
    settings = {"mode": "tree_summarize", "num_output": 400, "context_window": 2_000}
    found = window_cliffs(Request.of(DEFAULT.with_(settings)))
    ends = [
        plan_range(Request.of(DEFAULT.with_({**settings, "context_window": x}))).high.problem
        for x in (found[0].x - 1, found[0].x)
    ]
    assert found[0].before == 0
    assert [problem is None for problem in ends] == [False, True]


def test_its_stretches_stand_on_the_scale_of_the_handle():
    request = Request.of(DEFAULT)
    [window, _] = draw_run(plan_range(request).high).handles
    found = window_cliffs(request)
    scene = draw_rail(window, found)
    stretches = sorted(boxes(scene, "rail"))
    assert stretches[0].left == pytest.approx(window.origin)
    assert stretches[-1].right == 100
    last = window.origin + found[-1].x * window.scale
    assert stretches[-1].left == pytest.approx(last)
    assert scene.labels[0].wordings[0] == f"1 call from {found[-1].x:,}"
    assert scene.labels[-1].wordings[0] == f"≥ {found[0].before} calls"
    assert scene.alt == f"1 call from a window of {found[-1].x:,} tokens on."


def test_where_the_calls_stay_the_same_it_says_from_where_nothing_is_cut_off():
    settings = {"mode": "simple_summarize", "context_window": 1_024}
    request = Request.of(DEFAULT.with_(settings))
    [fits] = window_cliffs(request)
    lost = [
        plan_range(Request.of(DEFAULT.with_({**settings, "context_window": x}))).high.lost_tokens
        for x in (fits.x - 1, fits.x)
    ]
    assert lost[0] > 0 == lost[1]
    [window, _] = draw_run(plan_range(request).high).handles
    [_, after] = boxes(draw_rail(window, [fits]), "rail")
    assert after.says == f"all of it fits from {fits.x:,}"
    assert after.left == pytest.approx(window.origin + fits.x * window.scale)
    assert after.left < 100
