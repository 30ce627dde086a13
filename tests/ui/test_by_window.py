"""The view By window of the Playground: its lines, its controls, and the addresses it had."""

import json

import pytest

from synth.quality.samples import SAMPLES
from tests.ui.page import Playground
from ui.pages.playground.by_window import BY_WINDOW
from ui.plans.curves import AXES
from ui.session import keys

pytestmark = pytest.mark.slow

SMALL = {"chunks": SAMPLES[0].chunks[:6], "context_window": 400, "num_output": 60}


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


def test_one_chunk_is_nothing_to_vary_and_a_refused_window_leaves_a_gap():
    page = ByWindow(chunks=("One chunk.",)).set(axis=AXES[2])
    assert "There is nothing to vary." in page.said
    assert "refine" in ByWindow(context_window=20).lines


def test_it_is_a_view_of_a_plan_and_of_a_run():
    page = ByWindow(**SMALL)
    assert page.at.query_params["plan_view"] == BY_WINDOW
    page = Playground.of(page.space, plan_view=BY_WINDOW)
    page.finish().set(view=BY_WINDOW)
    assert page.at.query_params["view"] == BY_WINDOW
    page.enter("at context_window", 600)
    assert page.settings.context_window == 600


def test_a_custom_mode_has_a_line(vote):
    assert vote.__name__.lower() in ByWindow().lines
