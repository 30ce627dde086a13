"""A quantity over time: one bar for each day or week, with the highest one named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ui.look.escape import plot_text
from ui.look.theme import GRID, INK, OUTLINE, Figure, base_figure, note

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
