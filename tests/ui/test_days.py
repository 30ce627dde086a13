"""The bars of days: their values, the names that fit, weeks where days would be too thin."""

from datetime import UTC, date, datetime, timedelta

import pytest

from tests.ui.plotly_figures import checked, light, texts
from ui.look.elements import day
from ui.pages.runs.overview import days_figure, first_days

FIGURE = checked(days_figure)


def drawn(values):
    labels = [f"day {number}" for number in range(len(values))]
    return FIGURE(labels, values, lambda value: f"${value:,.2f}")


def test_each_day_is_a_bar_and_the_last_is_ink():
    [bars] = drawn([1.0, 3.0, 2.0]).data
    assert list(bars.y) == [1.0, 3.0, 2.0]
    assert list(bars.marker.color) == [light("outline"), light("outline"), light("ink")]
    assert bars.customdata[1] == "day 1: &#36;3.00"


def test_the_highest_is_named_and_words_stay_within_the_figure():
    figure = drawn([9.0, *[1.0] * 8])
    assert texts(figure) == ["&#36;9.00", "day 0", "day 4", "day 8"]
    assert [one.xanchor for one in figure.layout.annotations] == [
        "left",
        "left",
        "center",
        "right",
    ]


def test_days_without_anything_are_no_error():
    assert texts(drawn([0.0])) == ["&#36;0.00", "day 0"]


@pytest.mark.parametrize("days", [1, 2, 6, 7, 8, 30, 400])
@pytest.mark.parametrize("step", [1, 7])
def test_bars_have_every_day_and_end_with_the_last(days, step):
    last = date(2026, 3, 5)
    first = last - timedelta(days=days - 1)
    found = first_days(first, last, step)
    assert found[0] <= first < found[0] + timedelta(days=step)
    assert found[-1] + timedelta(days=step - 1) == last
    assert len(found) == -(-days // step)


def test_a_day_is_said_in_few_words():
    now = datetime(2026, 1, 2, 0, 30, tzinfo=UTC)
    said = [day(now - timedelta(days=ago), now) for ago in (0, 1, 2, 40)]
    assert said == ["today", "yesterday", "31 Dec 2025", "23 Nov 2025"]
