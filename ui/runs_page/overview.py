"""What the runs in the list took together: a sentence, and three quantities over time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

import streamlit as st

from synth.text.wording import counted, dollars, marked
from ui.figures.days import days_figure
from ui.history import summaries
from ui.history.history import History
from ui.history.summaries import Owner, Totals
from ui.look.elements import chart, day
from ui.look.escape import sentence_html
from ui.look.html import tag
from ui.runs_page.listing import Chosen

_MOST_DAYS = 92  # bars of days; a longer time is drawn in weeks
_WEEK = 7

_SENTENCE = "**{runs}**{period} made {calls} for **{dollars}**{unpriced}.{interrupted}"


@dataclass(frozen=True)
class _Quantity:
    """A quantity that is drawn: its name, how it follows from totals, and how it is said."""

    name: str
    of: Callable[[Totals], float]
    wording: Callable[[float], str]


_QUANTITIES = (
    _Quantity("calls", lambda total: total.requests, lambda number: f"{number:,.0f}"),
    _Quantity(
        "tokens",
        lambda total: total.prompt_tokens + total.output_tokens,
        lambda number: f"{number:,.0f}",
    ),
    _Quantity("dollars", lambda total: total.dollars, dollars),
)


def totals(history: History, owner: Owner, chosen: Chosen, local: tzinfo) -> Mapping[date, Totals]:
    """The totals of each day in this time zone that has a run."""
    offset = datetime.now(local).utcoffset() or timedelta()
    found = summaries.totals_by_day(history, owner, chosen.filter, offset)
    return {(midnight + offset).date(): total for midnight, total in found.items()}


def sentence(by_day: Mapping[date, Totals], chosen: Chosen) -> None:
    """Draw how many runs there are, what they took, and how many were interrupted."""
    runs, calls, unpriced, spent = (
        sum(getattr(total, name) for total in by_day.values())
        for name in ("runs", "requests", "unpriced", "dollars")
    )
    parts = marked(
        _SENTENCE,
        runs=counted(runs, "run"),
        period=f" {chosen.period}" if chosen.period else "",
        calls=counted(calls, "call"),
        dollars=dollars(spent),
        unpriced=f"; the price of {counted(unpriced, 'run')} is not known" if unpriced else "",
        interrupted=_interrupted(chosen.interrupted),
    )
    st.html(sentence_html(parts), width="stretch")


def _interrupted(count: int) -> str:
    if not count:
        return ""
    was = "was" if count == 1 else "were"
    return f" {count:,} {was} interrupted and can be resumed: nothing answered was lost."


def charts(by_day: Mapping[date, Totals], chosen: Chosen, local: tzinfo) -> None:
    """Draw calls, tokens and dollars, if any, over the period of the filter, by day or by week."""
    now = datetime.now(local)
    since, until = chosen.filter.since, chosen.filter.until
    first = since.date() if since is not None else min(by_day)
    last = (until - timedelta(days=1)).date() if until is not None else now.date()
    weekly = (last - first).days >= _MOST_DAYS
    begins = first_days(first, last, _WEEK if weekly else 1)
    labels = [day(datetime.combine(start, now.time(), local), now) for start in begins]
    costly = any(total.dollars for total in by_day.values())
    quantities = _QUANTITIES if costly else _QUANTITIES[:2]
    with st.container(key="runs_charts"):
        columns = st.columns(len(quantities), gap="medium")
    for column, quantity in zip(columns, quantities, strict=True):
        values = [0.0] * len(begins)
        for date_of, total in by_day.items():
            if first <= date_of <= last:
                values[_position(begins, date_of)] += quantity.of(total)
        unit = "week" if weekly else "day"
        with column:
            whole = tag("span.total", quantity.wording(sum(values)))
            st.html(tag("div.section.num", f"{quantity.name} a {unit} ", whole))
            figure = days_figure(labels, values, quantity.wording)
            peak = quantity.wording(max(values))
            alt = f"{quantity.name.capitalize()} a {unit}, at most {peak}"
            chart(figure, f"runs_{quantity.name}", alt)


def first_days(first: date, last: date, step: int) -> list[date]:
    """The first day of each bar of `step` days; the last bar ends with the last day."""
    bars = -(-((last - first).days + 1) // step)
    return [last - timedelta(days=step * number - 1) for number in range(bars, 0, -1)]


def _position(begins: list[date], date_of: date) -> int:
    """The position of the bar in which this day is."""
    step = (begins[1] - begins[0]).days if len(begins) > 1 else _WEEK
    return min((date_of - begins[0]).days // step, len(begins) - 1)
