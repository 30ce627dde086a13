"""What the runs in the list took together: a sentence, and three quantities over time."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import Any

import streamlit as st

from synth.html.escape import sentence_html
from synth.html.markup import tag
from synth.text.wording import agreeing, counted, dollars, marked
from ui.history import summaries
from ui.history.history import History
from ui.history.summaries import Owner, Totals
from ui.look.elements import chart, day
from ui.look.markdown import plot_text
from ui.look.theme import GRID, INK, OUTLINE, Figure, base_figure, note
from ui.pages.runs.listing import Chosen

_MOST_DAYS = 92  # bars of days; a longer time is drawn in weeks
_WEEK = 7

_SENTENCE = "**{runs}**{period} made {calls}{known}**{dollars}**{unpriced}.{interrupted}"


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
    known = spent or not unpriced
    parts = marked(
        _SENTENCE,
        runs=counted(runs, "run"),
        period=f" {chosen.period}" if chosen.period else "",
        calls=counted(calls, "call"),
        known=" for " if known else "",
        dollars=dollars(spent) if known else "",
        unpriced=f"; the price of {counted(unpriced, 'run')} is not known" if unpriced else "",
        interrupted=_interrupted(chosen.interrupted),
    )
    st.html(sentence_html(parts), width="stretch")


def _interrupted(count: int) -> str:
    if not count:
        return ""
    were = agreeing("were", count)
    return f" {count:,} {were} interrupted and can be resumed: nothing answered was lost."


def charts(by_day: Mapping[date, Totals], chosen: Chosen, local: tzinfo) -> None:
    """Draw calls, tokens and dollars, if any, over the period of the filter, by day or by week."""
    now = datetime.now(local)
    since, until = chosen.filter.since, chosen.filter.until
    first = since.date() if since is not None else min(by_day)
    last = (until - timedelta(days=1)).date() if until is not None else now.date()
    step = _WEEK if (last - first).days >= _MOST_DAYS else 1
    begins = first_days(first, last, step)
    labels = [day(datetime.combine(start, now.time(), local), now) for start in begins]
    costly = any(total.dollars for total in by_day.values())
    quantities = _QUANTITIES if costly else _QUANTITIES[:2]
    with st.container(key="runs_charts"):
        columns = st.columns(len(quantities), gap="medium")
    for column, quantity in zip(columns, quantities, strict=True):
        values = [0.0] * len(begins)
        for date_of, total in by_day.items():
            if first <= date_of <= last:
                values[(date_of - begins[0]).days // step] += quantity.of(total)
        unit = "day" if step == 1 else "week"
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


_HEIGHT, _TOP, _BOTTOM = 92, 18, 20  # pixels
_LEAST = 1e-9  # of an axis where nothing was used
_MIDDLE_FROM = 5  # bars, so that the middle one has room for its name


def days_figure(
    labels: Sequence[str], values: Sequence[float], wording: Callable[[float], str]
) -> Figure:
    """The bars of these values; the last one, which is now, is ink.

    `labels` name the bars, `wording` says a value.
    """
    last, highest = len(values) - 1, max(values)
    peak = values.index(highest)
    texts = [f"{label}: {wording(value)}" for label, value in zip(labels, values, strict=True)]
    bars = {
        "type": "bar",
        "x": list(range(len(values))),
        "y": list(values),
        "marker": {"color": [OUTLINE] * last + [INK]},
        "customdata": [plot_text(text, 60) for text in texts],
        "hovertemplate": "%{customdata}<extra></extra>",
    }
    named = {0, last} | ({last // 2} if last >= _MIDDLE_FROM else set())
    return base_figure(
        _HEIGHT,
        (4, 4, _TOP, _BOTTOM),
        [bars],
        bargap=0.22,
        annotations=[
            _word(peak, last, wording(highest), y=highest, yanchor="bottom", color=INK),
            *(_word(at, last, labels[at], y=0, yanchor="top") for at in sorted(named)),
        ],
        xaxis={
            "range": [-0.6, last + 0.6],
            "showline": True,
            "linecolor": GRID,
            "showticklabels": False,
        },
        yaxis={"range": [0, max(highest, _LEAST)], "showticklabels": False},
    )


def _word(at: int, last: int, text: str, y: float, **options: Any) -> dict[str, Any]:
    """A word at a bar, which stays within the figure at both ends."""
    share = at / last if last else 1.0
    anchor = "left" if share < 0.15 else "right" if share > 0.85 else "center"
    edge = {"left": at - 0.5, "right": at + 0.5, "center": at}[anchor]
    return note(edge, y, plot_text(text, 40), xanchor=anchor, borderpad=0, **options)
