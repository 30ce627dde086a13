"""By window: the table of what plans sum to, its figure, the rail of changes, and the view."""

import json
from itertools import pairwise

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.modes.adviser import Cliff
from synth.pictures.run_picture import draw_rail, draw_run
from synth.quality.samples import SAMPLES
from tests.pictures.scenes import boxes
from tests.ui.page import Playground
from tests.ui.plotly_figures import checked
from ui.pages.playground.plan_view import BY_WINDOW
from ui.plans.curves import (
    AXES,
    Axis,
    CurveView,
    curves,
    describe_curves,
    draw_curves,
    window_cliffs,
)
from ui.plans.plan_range import plan_range
from ui.session import keys
from ui.settings.request import Request
from ui.settings.schema import DEFAULT, from_texts

each_axis = pytest.mark.parametrize("axis", AXES, ids=lambda axis: axis.setting)
XS = 400, 1000, 2000


@checked
def drawn(view):
    return draw_curves(view, 400)


def view(calls, focus="compact", xs=XS, **more):
    """Curves with these calls; None where there is no plan."""
    rows = [
        {"mode": mode, "value": x, "calls": count}
        for mode, counts in calls.items()
        for x, count in zip(xs, counts, strict=True)
    ]
    table = pd.DataFrame(rows).astype({"calls": float})
    return CurveView(table, "calls", focus, 1024, "context window, tokens", **more)


CALLS = {"compact": (4, 2, 1), "refine": (12, 12, 12), "tree_summarize": (None, 3, 1)}


@each_axis
def test_each_row_is_of_a_plan(axis: Axis):
    chunks = from_texts(SAMPLES[0].chunks[:4], "test")
    request = Request.of(DEFAULT.with_({"chunks": chunks, "num_output": 90}))
    table = curves(axis, axis.values(request), {"compact": request})
    assert len(table.dropna(subset=["calls"])) > 2
    refused = table["calls"].isna()
    assert (refused == table["problem"].notna()).all()
    for row in table[~refused].to_dict("records"):
        changed = axis.request_at(request, row["value"])
        plan = changed.synthesizer().plan(
            changed.query_str, changed.text_chunks, changed.num_output
        )
        assert (row["calls"], row["prompt_tokens"]) == (plan.call_count, plan.prompt_tokens)


@given(st.integers(1, 10**7), st.integers(1, 10**5), st.integers(0, 60))
def test_its_values_rise_around_the_present_one(window, num_output, count):
    settings = {"context_window": window, "num_output": num_output}
    chunks = from_texts(["A chunk of text."] * count, "test")
    request = Request.of(DEFAULT.with_({**settings, "chunks": chunks}))
    for axis in AXES:
        values = axis.values(request)
        assert len(values) <= 40
        assert all(before < after for before, after in pairwise(values))
        assert values[0] <= max(1, axis.value(request)) <= values[-1]


def test_each_mode_has_a_line_of_its_own_values_hold_until_the_next_and_a_gap_stays_one():
    lines = {one.name: one for one in drawn(view(CALLS)).data if one.name}
    assert {line.line.shape for line in lines.values()} == {"hv"}
    assert list(lines["tree_summarize"].y) == [None, 3, 1]
    assert lines["refine"].line.dash != lines["tree_summarize"].line.dash
    assert lines["compact"].line.width > lines["refine"].line.width


def test_changes_have_their_window_and_what_is_cut_off_is_hatched():
    changes = (Cliff(300, 9, 4), Cliff(1000, 4, 2), Cliff(1500, 2, 1))
    calls = {**CALLS, "simple_summarize": (1, 1, 1)}
    cut = {"changes": changes, "cut_mode": "simple_summarize", "whole": 1465}
    hatched, *_, dots = drawn(view(calls, **cut)).data
    assert hatched.fillpattern.shape == "/"
    assert tuple(hatched.x) == (400, 1465)
    assert tuple(dots.x) == (1000, 1500)  # 300 is left of the axis
    assert [text.strip() for text in dots.text] == [
        "<b>2 calls<br>from 1,000</b>",
        "<b>1 call<br>from 1,500</b>",
    ]


def test_the_figure_in_a_sentence():
    assert describe_curves(view(CALLS)) == (
        "Calls of each mode from 400 to 2,000; at the right end: refine 12, tree_summarize 1,"
        " compact 1."
    )
    none = view({"compact": (None, None, None)})
    assert drawn(none)
    assert "no mode has a plan" in describe_curves(none)


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


@pytest.mark.parametrize("mode", ["compact", "generation"])
def test_where_it_cannot_run_there_are_not_more_calls(mode):
    short = DEFAULT.with_({"mode": mode, "chunks": from_texts(["A short text."], "pasted")})
    assert window_cliffs(Request.of(short), exact=True) == ()


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


class ByWindow(Playground):
    """What the view says, without marks, and the plans behind it."""

    def load(self, **params):
        super().load(**params)
        self.at.session_state[keys.PLAN_VIEW] = BY_WINDOW

    @property
    def lines(self):
        """The names of the lines of the chart."""
        [chart] = self.at.get("plotly_chart")
        return [line["name"] for line in json.loads(chart.proto.spec)["data"] if "name" in line]


@pytest.mark.slow
def test_one_chunk_is_nothing_to_vary_and_a_refused_window_leaves_a_gap():
    page = ByWindow(chunks=("One chunk.",)).set(axis=AXES[2])
    assert "There is nothing to vary." in page.said
    assert "refine" in ByWindow(context_window=20).lines


@pytest.mark.slow
def test_a_custom_mode_has_a_line(vote):
    assert vote.__name__.lower() in ByWindow().lines
