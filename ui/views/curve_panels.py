"""The curves as figures and as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from synth.models import Price
from synth.what_if import Cliff
from synth.wording import counted
from ui.figures.curves import Line, Mark, Panel
from ui.sweep import findings
from ui.sweep.axes import Axis
from ui.sweep.axis_spans import AxisSpan
from ui.sweep.curves import Curve, Totals

MEASURES = {
    "calls": "calls",
    "prompt_tokens": "prompt tokens",
    "longest_chain": "longest chain",
    "cost": "cost",
}
"""The words on the page for the codes of the quantities."""


@dataclass(frozen=True)
class Measure:
    """A quantity that can be drawn."""

    name: str
    of: Callable[[Totals], float]
    form: str = "{:,}"


def measures(price: Price | None) -> dict[str, Measure]:
    """The quantities that can be drawn, by code; cost only where a price is known."""
    found = {
        "calls": Measure(MEASURES["calls"], lambda totals: totals.calls),
        "prompt_tokens": Measure(MEASURES["prompt_tokens"], lambda totals: totals.prompt_tokens),
        "longest_chain": Measure(MEASURES["longest_chain"], lambda totals: totals.longest_chain),
    }
    if price is not None:

        def cost(totals: Totals) -> float:
            return price.of(totals.prompt_tokens, totals.output_tokens)

        found["cost"] = Measure(MEASURES["cost"], cost, "${:,.4f}")
    return found


@dataclass(frozen=True)
class View:
    """What is looked at: an axis, the curves that are drawn, the one in focus, and where."""

    axis: Axis
    span: AxisSpan
    drawn: Mapping[str, Curve]
    focus: str
    x: int

    @property
    def curve(self) -> Curve:
        """The curve in focus."""
        return self.drawn[self.focus]

    @property
    def others(self) -> list[Curve]:
        """The curves that are not."""
        return [curve for mode, curve in self.drawn.items() if mode != self.focus]


def panels(view: View, chosen: Sequence[Measure], what: str) -> list[Panel]:
    """A panel a measure, from top to bottom; the axis named under the last."""
    axis, found = view.axis, []
    for at, measure in enumerate(chosen):
        last = at == len(chosen) - 1
        found.append(
            Panel(
                title=measure.name,
                lines=tuple(_line(axis, curve, measure) for curve in view.drawn.values()),
                focus=view.focus,
                ends=(axis.value(view.span.low), axis.value(view.span.high)),
                here=axis.value(view.x),
                here_text="" if at else f"you are here: {axis.text(view.x)}",
                what=what if last else "",
                marks=_marks(view, measure),
                wide=view.span.wide,
                form=measure.form,
            )
        )
    return found


def _line(axis: Axis, curve: Curve, measure: Measure) -> Line:
    return Line(
        curve.mode,
        tuple(axis.value(point.x) for point in curve.points),
        tuple(measure.of(point.low) if point.drawn else None for point in curve.points),
        tuple(measure.of(point.high) if point.drawn else None for point in curve.points),
    )


def _marks(view: View, measure: Measure) -> tuple[Mark, ...]:
    """Three at most: the next cliffs of the mode in focus, and the end of a curve."""
    above, below = findings.nearest_cliffs(view.curve, view.x)
    steps = [*above, *below]
    if measure.name == "calls":
        named = [_step(view, step) for step in above] + [_back(view, step) for step in below]
        ended = [mark for curve in (view.curve, *view.others) for mark in _ends(view.axis, curve)]
        return (*named[:1], *ended[:1], *named[1:])
    if measure.name == "prompt tokens" and steps:
        return (_saving(view, steps[0].x),)
    return ()


def _step(view: View, step: Cliff) -> Mark:
    text = f"{counted(step.after, 'call')} from {view.axis.text(step.x)}"
    return Mark(view.axis.value(step.x), step.after, text)


def _back(view: View, step: Cliff) -> Mark:
    text = f"{counted(step.before, 'call')} below {view.axis.text(step.x)}"
    return Mark(view.axis.value(step.x), step.after, text)


def _ends(axis: Axis, curve: Curve) -> list[Mark]:
    marks = []
    for end, text in zip(curve.ends, findings.end_labels(axis, curve), strict=True):
        x = end.x if end.before < 0 else end.x - 1
        marks.append(Mark(axis.value(x), curve.at(x).high.calls, text))
    return marks


def _saving(view: View, x: int) -> Mark:
    before, after = (view.curve.at(at).high.prompt_tokens for at in (x - 1, x))
    sign = "+" if after > before else "−"
    return Mark(view.axis.value(x), after, f"{sign}{abs(after - before):,} tokens")


def frame(axis: Axis, curves: Iterable[Curve], price: Price | None) -> pd.DataFrame:
    """A row a mode and value: what short answers and the longest would bring about."""
    rows = []
    for curve in curves:
        for point in curve.points:
            row: dict[str, object] = {axis.name: axis.value(point.x), "mode": curve.mode}
            for measure in measures(price).values():
                for end, totals in (("least", point.low), ("most", point.high)):
                    there = totals.problem is None
                    row[f"{measure.name}, {end}"] = measure.of(totals) if there else None
            row["problem"] = point.high.problem or point.low.problem or ""
            rows.append(row)
    return pd.DataFrame(rows)
