"""The view Chart of Compare: what the columns cost against the questions that they passed."""

import pytest

from synth.quality import read_facts
from synth.quality.verdicts import wilson
from tests.ui.compare_columns import PRICE, after, comparison_of, fan_of, judged, priced
from tests.ui.plotly_figures import checked
from tests.ui.sample_calls import made
from ui.pages.compare.asked import Asked
from ui.pages.compare.chart_view import passed_by_cost


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
    assert points.y == (1, 0)
    spent = [rows[at].trace.spent.tokens for at in (0, 1)]
    assert points.x == pytest.approx([PRICE.of(*tokens) for tokens in spent])
    whole = wilson(1, 1)
    assert points.error_y.arrayminus == pytest.approx([1 - whole.low, 0])
    assert points.error_y.array == pytest.approx([0, 1 - whole.low])
    assert points.marker.color[0] != points.marker.color[1]  # filled: B passes less for more
    assert area.x[0] == points.x[0]
    assert words[1].startswith("B · refine: 0 of 1, $")
    assert words[3:] == ["D · compact: not known yet", "A and C share a point"]
