"""The view Chart: what the runs of each column cost, against the questions that they passed.

Beside it stand the questions that some columns pass and others do not.
"""

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pandas as pd
import streamlit as st

from synth.html.markup import tag
from synth.quality.verdicts import wilson
from synth.text.wording import counted, dollars
from ui.look.elements import (
    INK,
    MUTED,
    PANEL,
    Figure,
    base_figure,
    box,
    chart,
    draw_columns,
    note,
    plot_text,
    section,
    small,
)
from ui.pages.compare import questions_view
from ui.pages.compare.columns import listed_columns
from ui.pages.compare.comparison import Comparison, scores_of
from ui.pages.compare.figures import amounts_of

_PAPER = "var(--paper)"
_BESIDE = 0.2  # of the axis: a name has no room between letters that are nearer
_NEAR = 0.035  # of an axis: letters that are nearer would stand on one another


def draw(comparison: Comparison) -> None:
    """Draw a point for each column, with its letter, and say the same in words."""
    figure, words = passed_by_cost(comparison)
    if not words:
        box("There is nothing to show yet.", "Run questions that expect something of the answers.")
        return
    questions_view.follow_clicks(comparison)
    failures = failures_of(comparison)
    left, right = draw_columns("chart", 2, 1) if failures else (st.container(), st.container())
    with left:
        chart(figure, "chart", ". ".join(words))
        small(f"{'. '.join(words)}. Bars: 95\N{NO-BREAK SPACE}% intervals (Wilson).")
    with right:
        for letters, questions in failures.items():
            verb = "fails" if len(letters) == 1 else "fail"
            section(f"{counted(len(questions), 'question')} that only {letters} {verb}")
            rows = (tag("tr", questions_view.line_html(comparison, one)) for one in questions)
            st.html(tag("div.questions", tag("table", tag("tbody", *rows))))


def failures_of(comparison: Comparison) -> dict[str, list[int]]:
    """Group the questions that columns differ in by those that fail: "D", "A and C"."""
    scores = scores_of(comparison.runs, "score")
    failures: dict[str, list[int]] = {}
    for question in scores.index.tolist():
        passed = scores.loc[question]
        if failing := list(passed.index[passed < passed.max()]):
            failures.setdefault(listed_columns(failing), []).append(question)
    return failures


def passed_by_cost(comparison: Comparison) -> tuple[Figure, list[str]]:
    """Make the figure, in dollars where each column has a cost, else in tokens; and its words."""
    runs = comparison.runs
    judged = runs[runs["score"].notna()]
    if judged.empty:
        return base_figure(440, (52, 16, 16, 50)), []
    points = scores_of(judged, "score").agg(["sum", "count"]).T
    points["cost"], priced = amounts_of(judged)
    points["share"] = points["sum"] / points["count"]
    points = points.sort_values("cost")
    points["best"] = [_is_best(point, points) for _, point in points.iterrows()]
    places = _places(points)
    words = []
    for column in comparison.columns:
        known = "not known yet"
        if column.name in points.index:
            passed, count, cost = (points[one][column.name] for one in ("sum", "count", "cost"))
            took = dollars(cost) if priced else f"{cost:,.0f} tokens"
            known = f"{passed:,g} of {count:,.0f}, {took}"
        words.append(f"{column.label}: {known}")
    words += [f"{listed_columns(names)} share a point" for names in places.values() if names[1:]]
    most = 1.08 * points["cost"].max() or 1.0
    title = {"text": f"{'dollars' if priced else 'tokens'} for all questions that were judged"}
    ticks = "$,.4~f" if priced else ",.3~s"
    xaxis = {"title": title, "range": [-0.04 * most, most], "tickformat": ticks}
    yaxis = {"range": [-0.06, 1.06], "showgrid": True, "tickformat": ".0%", "dtick": 0.25}
    traces = [_dearer(points[points["best"]], most), _marks(points, places)]
    names = list(_names(comparison, points.loc[list(places)], places, most))
    axes = {"xaxis": xaxis, "yaxis": yaxis, "annotations": names}
    return base_figure(440, (52, 16, 16, 50), traces, **axes), words


def _is_best(point: pd.Series, points: pd.DataFrame) -> bool:
    """Whether no other column passes as much for less, or more for as little."""
    as_good = (points["cost"] <= point["cost"]) & (points["share"] >= point["share"])
    better = (points["cost"] < point["cost"]) | (points["share"] > point["share"])
    return not (as_good & better).any()


def _places(points: pd.DataFrame) -> dict[str, list[str]]:
    """The letters that stand at the place of a column: its own, and those that it would hide."""
    most = points["cost"].max() or 1.0
    places: dict[str, list[str]] = {}
    for name, point in points.iterrows():
        for place, names in places.items():
            other = points.loc[place]
            far = abs(point["cost"] - other["cost"]) > _NEAR * most
            if not far and abs(point["share"] - other["share"]) <= _NEAR:
                names.append(str(name))
                break
        else:
            places[str(name)] = [str(name)]
    return places


def _names(
    comparison: Comparison, shown: pd.DataFrame, places: dict[str, list[str]], most: float
) -> Iterator[dict[str, Any]]:
    """What the letters mean, beside each: of two that are near, at the left and at the right."""
    near = _BESIDE * most
    gaps = [right - left for left, right in pairwise([-math.inf, *shown["cost"], math.inf])]
    for (name, point), before, after in zip(shown.iterrows(), gaps, gaps[1:], strict=False):
        at_left = point["cost"] > most / 2
        if min(before, after) < near:
            at_left = after < near < point["cost"]
        side = "right" if at_left else "left"
        yield note(
            point["cost"],
            point["share"],
            "<br>".join(plot_text(comparison.column(one).title, 40) for one in places[str(name)]),
            color=INK if point["best"] else MUTED,
            align=side,
            xanchor=side,
            yanchor="bottom" if point["best"] else "top",
            xshift=-12 if at_left else 12,
        )


def _dearer(best: pd.DataFrame, most: float) -> dict[str, Any]:
    """The area of what costs more than a column that is best for its price, and passes no more."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [best["cost"].iloc[0], *best["cost"], most],
        "y": [0, *best["share"], best["share"].iloc[-1]],
        "line": {"shape": "hv", "width": 1, "color": INK},
        "fill": "tozeroy",
        "fillcolor": PANEL,
        "hoverinfo": "skip",
    }


def _marks(points: pd.DataFrame, places: dict[str, list[str]]) -> dict[str, Any]:
    """The letters with their intervals: of what is best for its price filled, of others hollow."""
    shown = points.loc[list(places)]
    ends = [wilson(*sums) for sums in shown[["sum", "count"]].to_numpy().tolist()]
    pairs = list(zip(ends, shown["share"], strict=True))
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": list(shown["cost"]),
        "y": list(shown["share"]),
        "text": [f"<b>{' '.join(names)}</b>" for names in places.values()],
        "textfont": {"color": [_PAPER if best else INK for best in shown["best"]]},
        "marker": {
            "size": [6 + 14 * len(names) for names in places.values()],
            "opacity": 1,
            "symbol": "square",
            "color": [INK if best else _PAPER for best in shown["best"]],
            "line": {"width": 1.5, "color": INK},
        },
        "error_y": {
            "type": "data",
            "symmetric": False,
            "color": INK,
            "array": [max(0.0, high - share) for (_, high), share in pairs],
            "arrayminus": [max(0.0, share - low) for (low, _), share in pairs],
        },
        "cliponaxis": False,
    }
