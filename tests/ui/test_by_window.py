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
    def planned(self):
        """What is remembered of each mode."""
        return list(map(id, self.space.results.get("curves", {}).values()))

    @property
    def lines(self):
        """The names of the lines of the chart."""
        [chart] = self.at.get("plotly_chart")
        return [line["name"] for line in json.loads(chart.proto.spec)["data"] if "name" in line]


def test_one_chunk_is_nothing_to_vary_and_a_refused_window_leaves_a_gap():
    page = ByWindow(chunks=("One chunk.",)).set(axis=AXES[2])
    assert "There is nothing to vary." in page.said
    assert "refine" in ByWindow(context_window=20).lines


def test_only_what_changes_a_plan_makes_one_and_a_template_those_that_use_it():
    page = ByWindow(**SMALL)
    before = page.planned
    page.set(measure="prompt_tokens").set(model="human")
    assert page.planned == before
    page.set(model="endpoint", model_name="gpt-4.1-mini")  # another tokenizer
    assert len(page.planned) > len(before)
    page.set(model="offline")
    before = page.planned
    page.put(**{"summary_template": "Sum it up: {context_str} {query_str}"})
    page.draw()
    assert len([one for one in page.planned if one not in before]) == 1


def test_the_slider_below_the_axis_is_the_setting():
    page = ByWindow(**SMALL)
    page.enter("at context_window", 600)
    assert page.settings.context_window == 600
    page.set(context_window=500)
    assert page.at.slider(key="at context_window").value == 500


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
