"""The bars of an estimated plan: as long as the model counts, with the end that was believed."""

import pytest

from synth.pictures.budget import BudgetRow, reach
from synth.pictures.estimated import estimated_bars
from synth.pictures.shapes import Path
from synth.runs.budget import Budget
from tests.pictures.reading import collisions, words

PARTS = {"frame": 30, "template": 31, "query": 16, "variable": 0, "context": 4_066, "answer": 0}
OVER = BudgetRow("1 · summary", Budget(PARTS, 256, 0, 0, 303, 4096), False)


@pytest.mark.parametrize("width", [540, 330])
def test_a_bar_crosses_the_window_and_a_dashed_line_says_where_the_estimate_ends(width):
    rows = [OVER, OVER]
    picture = estimated_bars(rows, [3_925, 3_900], width, reach(rows))
    lines = {path.kind: path.lines for path in picture.shapes if isinstance(path, Path)}
    assert [line[0][0] for line in lines["dots"]] == [3_925, 3_900]
    assert {x for x, _ in lines["rule"][0]} == {4_096}
    assert max(box.end for box in picture.boxes) == 4_399 < picture.ends[1]
    assert any(said.endswith("3,900") for said in words(picture))
    assert "4,399 / 4,096\n▲ 303 over" in words(picture)
    assert collisions(picture) == []
