"""The grid as HTML: a row for each question, a tile for each run, and the rates below."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from synth.quality import Average
from synth.wording import counted, short
from ui.compare.analysis.judged_runs import Asked, JudgedRun, count_passed, rate_words
from ui.compare.cells import Cell
from ui.compare.comparison import Comparison
from ui.compare.run_slots import RunSlot
from ui.look.escape import escape, name_html

_ROOMY = 8  # questions whose rows may take several lines
_TILE, _RATE, _GAP = 38, 66, 14  # pixels that a tile, a rate and the end of a column need
_LETTER, _LONGEST_WORD = 7.6, 24  # pixels of a letter of a name; letters of a word that is whole
_QUESTION = 0.32  # of the width is for the questions
_LONGEST, _LONGEST_ANSWER = 300, 120  # characters of a question and of an answer in their row


def grid_html(
    comparison: Comparison,
    rates: Sequence[Average],
    likeness: Mapping[str, Sequence[Average]],
    opened: RunSlot,
) -> str:
    """The whole grid; `rates`, and each `likeness` to the reference answers, are of each column."""
    dense = " dense" if len(comparison.asked) > _ROOMY else ""
    names = [cell.name for cell in comparison.row(0)]
    letters = max(len(word) for name in names for word in re.findall(r"[^_\s]*_?", name))
    word = _LETTER * min(letters, _LONGEST_WORD)
    room = max(comparison.repeats * _TILE, _RATE, word) + _GAP
    width = len(names) * room / (1 - _QUESTION)
    head = "".join(f'<th scope="col">{name_html(name)}</th>' for name in names)
    rows = "".join(_row_html(comparison, number, opened) for number in range(len(comparison.asked)))
    return (
        f'<div class="grid num{dense}" tabindex="0" role="region" aria-label="All runs">'
        f'<table style="min-width: {width:.0f}px"><thead><tr>'
        f'<th scope="col" class="muted">one tile a run</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody><tfoot><tr>"
        '<th scope="row">questions passed<div class="muted">95\u00a0% interval (Wilson)</div></th>'
        f"{''.join(map(_rate_html, rates))}</tr>{_likeness_html(likeness)}</tfoot></table></div>"
    )


def _row_html(comparison: Comparison, question: int, opened: RunSlot) -> str:
    """A question, and for each column the tiles of its repeats above the first answer."""
    cells = "".join(
        f'<td><div class="tiles">{_tiles(comparison, cell, opened)}</div>'
        f'<div class="said muted" dir="auto">{escape(short(_said(cell), _LONGEST_ANSWER))}</div>'
        "</td>"
        for cell in comparison.row(question)
    )
    return f'<tr><th scope="row">{_question_html(comparison.asked[question])}</th>{cells}</tr>'


def _said(cell: Cell) -> str:
    """The answer, or why there is none; nothing before a run."""
    return cell.outcome if cell.run or cell.plans.refused else ""


def _question_html(asked: Asked) -> str:
    """The question; opened, what is expected of its answers."""
    expected = list(asked.expectations)
    words = f'<span dir="auto">{escape(short(asked.query, _LONGEST))}</span>'
    if not expected:
        return f'{words} <span class="muted">nothing expected</span>'
    items = "".join(f'<li dir="auto">{escape(one.name)}</li>' for one in expected)
    size, needed = counted(len(expected), "check"), sum(one.needed for one in expected)
    if needed < len(expected):
        size += f", {needed:,} needed"
    return (
        f'<details><summary>{words} <span class="muted">{size}</span></summary>'
        f"<ul>{items}</ul></details>"
    )


def _tiles(comparison: Comparison, cell: Cell, opened: RunSlot) -> str:
    column = comparison.columns.index(comparison.column(cell.slot.column))
    return "".join(
        _tile(one.judged, f"{one.name}, repeat {one.slot.repeat + 1}", column, one.slot, opened)
        for one in comparison.repeated(cell.slot)
    )


def _tile(run: JudgedRun | None, name: str, column: int, slot: RunSlot, opened: RunSlot) -> str:
    """A button that a click opens; by keyboard one tile can be reached, and the boxes below."""
    style, share = "", 0.0
    if run is None:
        kind, word, said = "blank", "", "not run"
    elif not run.answered:
        kind, word, said = "blank", "failed", "it has no answer"
    elif not run.outcomes:
        kind, word, said = "blank", "–", "nothing is expected of it"
    else:
        # What is not needed would make a run that passed look as if it had failed.
        total, count = len(run.needed), count_passed(run.needed)
        share = count / total
        kind, word = "some", f"{count:,}/{total:,}"
        said = f"{count:,} of {total:,} passed"
        if total < len(run.outcomes):
            passed = count_passed(run.outcomes)
            said = f"{count:,} of {total:,} needed, {passed:,} of {len(run.outcomes):,} in all"
        if run.score == 1:
            kind, word, said = "all", f"✓ {word}", f"it passes; {said}"
        elif run.abstained:
            kind, word, said = "none", "none", f"it says that it can't answer; {said}"
    if kind == "some":
        style = f' style="--share: {100 * share:.0f}%"'
    mark, tab = (" open", 0) if slot == opened else ("", -1)
    title = escape(f"{name}: {said}")
    data = f"run {slot.question} {column} {slot.repeat}"
    return (
        f'<button type="button" class="tile {kind}{mark}"{style} title="{title}" tabindex="{tab}"'
        f' data-click="{data}">{word}<span class="unseen"> {title}</span></button>'
    )


def _rate_html(rate: Average) -> str:
    if rate.mean is None:
        return '<td class="muted">not yet</td>'
    passes, interval = rate_words(rate)
    low, high = (100 * end for end in rate.interval)
    return (
        f'<td><div class="rate"><b>{passes} of {rate.questions:,}</b><span>{interval}</span></div>'
        f'<div class="whisker" aria-hidden="true"><i style="left: {low:.1f}%;'
        f' width: {high - low:.1f}%"></i><b style="left: {100 * rate.mean:.1f}%"></b></div>'
        '<div class="ends muted" aria-hidden="true"><span>0</span><span>50</span>'
        "<span>100\u00a0%</span></div></td>"
    )


def _likeness_html(likeness: Mapping[str, Sequence[Average]]) -> str:
    """A row for each measure beside the reference answers."""
    return "".join(
        f'<tr><th scope="row">{escape(name)}<div class="muted">beside the reference, mean and'
        " 95\u00a0% interval (bootstrap)</div></th>"
        f"{''.join(map(_mean_html, means))}</tr>"
        for name, means in likeness.items()
    )


def _mean_html(mean: Average) -> str:
    if mean.mean is None:
        return '<td class="muted">none</td>'
    low, high = mean.interval
    return (
        f'<td><div class="rate"><b>{mean.mean:.2f}</b><span>{low:.2f} to {high:.2f}</span></div>'
        "</td>"
    )


def verdict_html(words: str, detail: str) -> str:
    """A verdict in words, and its numbers below."""
    numbers = f'<div class="muted">{escape(detail)}</div>' if detail else ""
    return f'<div class="verdict num">{escape(words)}{numbers}</div>'


def outcomes_html(rows: Iterable[tuple[str, str, str, str]]) -> str:
    """What came of each check: a sign, a word for it, what was checked, and why, which is HTML."""
    lines = "".join(
        f'<tr><td class="sign">{sign}</td><td>{escape(word)}</td>'
        f'<td dir="auto">{escape(name)}</td><td class="muted" dir="auto">{reason}</td></tr>'
        for sign, word, name, reason in rows
    )
    return f'<table class="outcomes num">{lines}</table>'


LEGEND = (
    '<div class="key grid-key num"><span><span class="tile all"></span>passed</span>'
    '<span><span class="tile some" style="--share: 60%"></span>not passed: filled by the share'
    " of what is needed</span>"
    '<span><span class="tile none"></span>none: it says that it can\'t answer</span>'
    '<span><span class="tile blank"></span>not run, or no answer</span></div>'
)
