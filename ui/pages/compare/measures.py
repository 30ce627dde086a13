"""The measures of runs, each on one scale over all columns: calls, tokens, dollars, cut off."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import pandas as pd

from synth.html.escape import term_html
from synth.html.markup import Html, tag
from synth.text.wording import LEAST_DOLLARS, dollars, percent, round_up
from ui.pages.compare.frame import Asked, RunRow

_SIGNS = {"pass": "holds", "fail": "lacks", "not checkable": "unknown", "not judged": "unknown"}
_MISSING = {"cost": "unknown", "cut_off": "none sent", "seconds": "not timed"}


class Measure(NamedTuple):
    """A measure by the name of its number in a row; `text` says it of a row that has it."""

    name: str
    label: str
    text: Callable[[RunRow], str]


def measures_of(rows: Sequence[RunRow]) -> list[Measure]:
    """Choose the measures that say something of these runs: no price or time that nobody knows."""
    cost = Measure("cost", "cost", _cost)
    if names := {row.request.model.priced_as for row in rows} - {""}:
        cost = cost._replace(label=f"cost, {', '.join(sorted(names))}")
    timed = any(not math.isnan(row.seconds) for row in rows)
    return [
        Measure("calls", "calls", _calls),
        Measure("tokens", "tokens", _tokens),
        *([cost] if any(row.request.model.price for row in rows) else []),
        Measure("cut_off", "cut off", _cut_off),
        *([Measure("seconds", "seconds", _seconds)] if timed else []),
    ]


def measure_text(row: RunRow, measure: Measure) -> str:
    """Say a measure of a run, or in a word why there is none."""
    if row.trace is None and row.plans.refused is not None:
        return "refused"
    if not math.isnan(getattr(row, measure.name)):
        return measure.text(row)
    return "not planned" if math.isnan(row.calls) else _MISSING[measure.name]


def _calls(row: RunRow) -> str:
    return f"{_bound(row, row.calls_low == row.calls)}{row.calls:,.0f}"


def _tokens(row: RunRow) -> str:
    return f"{_bound(row, not row.tokens)}{row.tokens:,.0f}"


def _cost(row: RunRow) -> str:
    if 0 < row.cost < LEAST_DOLLARS:
        return f"<{dollars(LEAST_DOLLARS)}"
    amount = row.cost if row.trace else round_up(row.cost)
    return f"{_bound(row, not row.cost)}{dollars(amount)}"


def _cut_off(row: RunRow) -> str:
    if not row.cut_off:
        return "0"
    is_sure = row.trace is not None or (row.plans.high is not None and row.plans.high.exact)
    return f"{'' if is_sure else '~'}{percent(row.cut_off, row.chunk_tokens)}"


def _seconds(row: RunRow) -> str:
    return f"{row.seconds:,.1f}" if row.seconds >= 1 else f"{row.seconds:.3f}"


def _bound(row: RunRow, is_exact: bool) -> str:
    """The sign before a number of a plan: "≤" where it is a bound, "~" where nothing bounds it."""
    if row.trace is not None or is_exact:
        return ""
    return "≤ " if row.bounded else "~"


def measures_html(rows: Sequence[RunRow], row: RunRow, asked: Asked) -> Html:
    """Write the measures of one of these runs: a line each, with a bar on the scale of them all.

    The lines of the first run have the names that a wide page shows.
    """
    is_first = row is rows[0]
    lines = [
        _line(measure.label, is_first, _scale(measure, rows, row), _number(measure, row))
        for measure in measures_of(rows)
    ]
    if any(one.needed for one in asked.expectations):
        label = "passed" if asked.checks else "facts held"
        lines.append(_line(label, is_first, *_needed(row, asked)))
    kind = "div.measures.num.first" if is_first else "div.measures.num"
    return tag(kind, *lines, role="group", aria_label=f"Measures of {row.column}")


def _line(label: str, is_first: bool, picture: Html, number: Html) -> Html:
    name = term_html(label) if is_first else label
    return tag("div", tag("span.measure-name", name), picture, number)


def _scale(measure: Measure, rows: Sequence[RunRow], row: RunRow) -> Html:
    """Draw the bar of a run, which is as long as the scale for the most of these runs."""
    of = "chunk_tokens" if measure.name == "cut_off" else measure.name
    amount = getattr(row, measure.name)
    if not amount > 0:
        return tag("span.scale")
    most = max(getattr(other, of) for other in rows if getattr(other, of) > 0)
    bar = "i.bar.k-lost" if measure.name == "cut_off" else "i.bar"
    if row.trace is None:
        bar += ".estimate"
    return tag("span.scale", tag(bar, style=f"width: {100 * amount / most:.1f}%"))


def _number(measure: Measure, row: RunRow) -> Html:
    text = measure_text(row, measure)
    is_known = not math.isnan(getattr(row, measure.name)) and text != "refused"
    return tag("b" if is_known else "span.muted", text)


def _needed(row: RunRow, asked: Asked) -> tuple[Html, Html]:
    """Draw a box for each fact and check that is needed, filled where the answer has it."""
    names = [one.name for one in asked.expectations if one.needed]
    outcomes = asked.needed(row.outcomes) if row.outcomes else []
    states = [_SIGNS[one.state] for one in outcomes] or ["unknown"] * len(names)
    boxes = (
        tag(f"i.held.{state}", title=f"{name}: {state}")
        for name, state in zip(names, states, strict=True)
    )
    number = tag("span.muted", "not yet")
    if not math.isnan(row.passed):
        number = tag("b", f"{row.passed:.0f} of {len(names):,}")
    return tag("span.boxes", *boxes), number


def measure_table(rows: Sequence[RunRow]) -> Iterator[tuple[str, list[str]]]:
    """List the measures with a text for each of these runs, as a report has them."""
    for measure in measures_of(rows):
        yield measure.label, [measure_text(row, measure) for row in rows]


def totals(runs: pd.DataFrame) -> list[tuple[str, list[str]]]:
    """List what the runs of each column that ended made together, in words, by its name."""
    columns = [_totals(own) for _, own in runs.groupby("column", sort=False)]
    rows = [(name, [column[name] for column in columns]) for name in columns[0]]
    return [(name, texts) for name, texts in rows if any(texts)]


def _totals(runs: pd.DataFrame) -> dict[str, str]:
    ended = runs[runs["ended"] == 1]
    sums = ended[["calls", "tokens", "cost", "cut_off", "chunk_tokens"]].sum(min_count=1)
    timed = ended["seconds"].dropna()
    has_price = any(request.model.price for request in ended["request"])
    return {
        "ended": f"{len(ended):,} of {len(runs):,}",
        "passed": _share(ended["score"].dropna()),
        "right, by thumbs": _share(ended["right"].dropna()),
        "calls": _whole(sums["calls"]),
        "tokens": _whole(sums["tokens"]),
        "cost": dollars(sums["cost"]) if has_price and sums["cost"] >= 0 else "",
        "cut off": percent(sums["cut_off"], sums["chunk_tokens"]) if sums["cut_off"] >= 0 else "",
        "seconds a run": f"{timed.mean():.3g} ({len(timed):,} timed)" if len(timed) else "",
    }


def _share(known: pd.Series) -> str:
    """How many of those that are known are so: "18 of 20"; a repeated question counts each time."""
    return f"{known.sum():,g} of {len(known):,}" if len(known) else ""


def _whole(amount: float) -> str:
    return "" if math.isnan(amount) else f"{amount:,.0f}"
