"""The rail of windows: changes that are where plans have them."""

import pytest

from synth.pictures.rail import draw_rail
from synth.pictures.run_picture import draw_run
from tests.pictures.scenes import boxes
from ui.plans.plan_range import plan_range
from ui.plans.window_cliffs import window_cliffs
from ui.settings.request import Request
from ui.settings.schema import DEFAULT


@pytest.mark.parametrize("mode", ["compact", "refine", "tree_summarize", "accumulate"])
def test_each_change_is_one_of_plans(mode):
    request = Request.of(DEFAULT.with_({"mode": mode}))
    found = window_cliffs(request, exact=True)
    near = window_cliffs(request)
    assert near[-1] == found[-1]
    assert len(near) == len(found)
    assert all(
        abs(one.x - other.x) <= found[-1].x / 150 for one, other in zip(near, found, strict=True)
    )
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
    found = window_cliffs(Request.of(DEFAULT.with_(settings)), exact=True)
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
