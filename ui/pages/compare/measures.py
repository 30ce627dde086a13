"""The measures of runs, each on one scale over all columns: calls, tokens, dollars, cut off."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import pandas as pd

from synth.html.glossary import term_html
from synth.html.markup import Html, tag, together
from synth.text.wording import LEAST_DOLLARS, dollars, percent, round_up
from ui.pages.compare.asked import Asked
from ui.pages.compare.frame import RunRow

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


def measures_html(rows: Sequence[RunRow], asked: Asked) -> Html:
    """Write a line for each measure, named once: a bar and a number for each of these runs."""
    lines = [_line(measure, rows) for measure in measures_of(rows)]
    if any(one.needed for one in asked.expectations):
        lines.append(_needed_line(rows, asked))
    style = f"--columns: {len(rows)}"
    return tag("div.measures.num", *lines, style=style, role="group", aria_label="Measures")


def _line(measure: Measure, rows: Sequence[RunRow]) -> Html:
    amounts = [getattr(row, measure.name) for row in rows]
    most = max((amount for amount in amounts if amount > 0), default=1.0)
    if measure.name == "cut_off":
        most = max(row.chunk_tokens for row in rows if row.chunk_tokens > 0) if most > 1 else most
    cells = (_cell(measure, row, amount / most) for row, amount in zip(rows, amounts, strict=True))
    return tag("span.measure-name", term_html(measure.label)) + together(cells)


def _cell(measure: Measure, row: RunRow, share: float) -> Html:
    text = measure_text(row, measure)
    bar = Html()
    if share > 0:
        kind = ".k-lost" * (measure.name == "cut_off") + ".estimate" * (row.trace is None)
        bar = tag(f"i.bar{kind}", style=f"width: {100 * share:.1f}%")
    number = tag("b" if text[:1].isdigit() or share > 0 else "span.muted", text)
    return tag("div.measure", tag("span.scale", bar), number)


def _needed_line(rows: Sequence[RunRow], asked: Asked) -> Html:
    """A box for each fact and check that is needed, filled where the answer has it."""
    label = "facts held" if not asked.checks else "passed"
    return tag("span.measure-name", label) + together(_needed_cell(row, asked) for row in rows)


def _needed_cell(row: RunRow, asked: Asked) -> Html:
    names = [one.name for one in asked.expectations if one.needed]
    outcomes = asked.needed(row.outcomes) if row.outcomes else []
    states = [_SIGNS[one.state] for one in outcomes] or ["unknown"] * len(names)
    boxes = (
        tag(f"i.held.{state}", title=f"{name}: {state}")
        for name, state in zip(names, states, strict=True)
    )
    text = "not yet" if math.isnan(row.passed) else f"{row.passed:.0f} of {len(names):,}"
    number = tag("span.muted" if math.isnan(row.passed) else "b", text)
    return tag("div.measure", tag("span.boxes", *boxes), number)


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
        "calls": _number(sums["calls"]),
        "tokens": _number(sums["tokens"]),
        "cost": dollars(sums["cost"]) if has_price and sums["cost"] >= 0 else "",
        "cut off": percent(sums["cut_off"], sums["chunk_tokens"]) if sums["cut_off"] >= 0 else "",
        "seconds a run": f"{timed.mean():.3g} ({len(timed):,} timed)" if len(timed) else "",
    }


def _share(known: pd.Series) -> str:
    """How many of those that are known are so: "18 of 20"; a repeated question counts each time."""
    return f"{known.sum():,g} of {len(known):,}" if len(known) else ""


def _number(amount: float) -> str:
    return "" if math.isnan(amount) else f"{amount:,.0f}"
