"""The view Chart: what the runs of each column took, against the questions that they passed."""

from collections import defaultdict

from synth.quality import pass_rate
from synth.text.wording import dollars
from ui.look.elements import box, chart, small
from ui.look.theme import INK, Figure, base_figure
from ui.pages.compare.comparison import Comparison
from ui.pages.compare.frame import scores_of


def draw(comparison: Comparison) -> None:
    """Draw a point for each column, with its letter, and say the same in words."""
    figure, words = passed_by_cost(comparison)
    if not words:
        box("There is nothing to show yet.", "Run questions that expect something of the answers.")
        return
    chart(figure, "chart", ". ".join(words))
    small(f"{'. '.join(words)}. Bars: 95\N{NO-BREAK SPACE}% intervals (Wilson).")


def passed_by_cost(comparison: Comparison) -> tuple[Figure, list[str]]:
    """Make the figure, in dollars where each column has a cost, else in tokens; and its words."""
    runs = comparison.runs
    scores = scores_of(runs, "score")
    rates = {
        name: pass_rate([[score] for score in known])
        for name in scores.columns
        if len(known := scores[name].dropna())
    }
    judged = runs[runs["score"].notna()]
    means = judged.groupby("column", sort=False)[["cost", "tokens"]].mean()
    priced = bool(means["cost"].notna().all() and means["cost"].any())  # what is free costs 0
    labels = {column.name: column.label for column in comparison.columns}
    places: dict[tuple[float, float], list[str]] = defaultdict(list)
    words = []
    for name, rate in rates.items():
        amount = float(means["cost" if priced else "tokens"][name])
        places[amount, rate.mean or 0.0].append(name)
        took = dollars(amount) if priced else f"{amount:,.0f} tokens"
        passed = f"{scores[name].sum():,g}"
        words.append(f"{labels[name]}: {passed} of {rate.questions:,}, {took} a question")
    if words:
        words += [f"{label}: not known yet" for name, label in labels.items() if name not in rates]
    in_turn = sorted(places.items())  # from left to right, so that no letter covers another
    found = [(share, rates[letters[0]].interval) for (_, share), letters in in_turn]
    highs = [ends.high - share for share, ends in found]
    lows = [share - ends.low for share, ends in found]
    points = {
        "type": "scatter",
        "mode": "markers+text",
        "x": [amount for (amount, _), _ in in_turn],
        "y": [share for share, _ in found],
        "text": [f"<b>{', '.join(letters)}</b>" for _, letters in in_turn],
        "textposition": ["top left", "bottom left", "top right", "bottom right"][: len(found)],
        "marker": {"size": 12, "color": INK},
        "error_y": {"type": "data", "symmetric": False, "array": highs, "arrayminus": lows},
        "cliponaxis": False,
    }
    title = {"text": f"{'dollars' if priced else 'tokens'} a question"}
    xaxis = {"title": title, "rangemode": "tozero", "tickformat": "$,.4~f" if priced else ",.3~s"}
    yaxis = {"range": [-0.1, 1.1], "showgrid": True, "tickformat": ".0%", "dtick": 0.25}
    return base_figure(440, (52, 16, 16, 50), [points], xaxis=xaxis, yaxis=yaxis), words
