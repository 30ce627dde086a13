"""The grid as HTML: a row for each question, a tile for each run, and the rates below."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from synth.quality import Average
from synth.wording import counted, short
from ui.compare.analysis.judged_runs import Expected, Judged, JudgedRun, Reason, count_passed
from ui.compare.analysis.verdict_words import rate_words
from ui.look.escape import escape, name_html

_ROOMY = 8  # questions whose rows may take several lines
_TILE, _RATE, _GAP = 38, 66, 14  # pixels that a tile, a rate and the end of a column need
_LETTER, _LONGEST_WORD = 7.6, 24  # pixels of a letter of a name; letters of a word that is whole
_QUESTION = 0.32  # of the width is for the questions
_LONGEST = 300  # characters of a question in its row

Opened = tuple[int, int, int]
"""The positions of the question, the column and the repeat that are open, each from 0."""


def grid_html(
    questions: Sequence[str],
    expected: Sequence[Expected],
    names: Sequence[str],
    columns: Sequence[Judged],
    rates: Sequence[Average],
    likeness: Mapping[str, Sequence[Average]],
    opened: Opened,
) -> str:
    """The whole grid; `columns` are of the same order as `names`, `rates` and each `likeness`.

    `likeness` are measures beside the reference answers, by their names.
    """
    dense = " dense" if len(questions) > _ROOMY else ""
    repeats = max((len(column[0]) for column in columns if column), default=1)
    letters = max(len(word) for name in names for word in re.findall(r"[^_\s]*_?", name))
    word = _LETTER * min(letters, _LONGEST_WORD)
    width = len(columns) * (max(repeats * _TILE, _RATE, word) + _GAP) / (1 - _QUESTION)
    head = "".join(f'<th scope="col">{name_html(name)}</th>' for name in names)
    rows = "".join(
        f'<tr><th scope="row">{_question_html(question, expected[number])}</th>'
        + "".join(
            _tiles(name, column[number], (number, at), opened)
            for at, (name, column) in enumerate(zip(names, columns, strict=True))
        )
        + "</tr>"
        for number, question in enumerate(questions)
    )
    return (
        f'<div class="grid num{dense}" tabindex="0" role="region" aria-label="All runs">'
        f'<table style="min-width: {width:.0f}px"><thead><tr>'
        f'<th scope="col" class="muted">one tile a run</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody><tfoot><tr>"
        '<th scope="row">questions passed<div class="muted">95\u00a0% interval (Wilson)</div></th>'
        f"{''.join(map(_rate_html, rates))}</tr>{_likeness_html(likeness)}</tfoot></table></div>"
    )


def _question_html(question: str, expected: Expected) -> str:
    """The question; opened, what is expected of its answers."""
    names = list(expected.names())
    words = f'<span dir="auto">{escape(short(question, _LONGEST))}</span>'
    if not names:
        return f'{words} <span class="muted">nothing expected</span>'
    items = "".join(f'<li dir="auto">{escape(name)}</li>' for name in names)
    size, needed = counted(len(names), "check"), sum(expected.required())
    if needed < len(names):
        size += f", {needed:,} needed"
    return (
        f'<details><summary>{words} <span class="muted">{size}</span></summary>'
        f"<ul>{items}</ul></details>"
    )


def _tiles(
    name: str, repeats: Sequence[JudgedRun | None], place: tuple[int, int], opened: Opened
) -> str:
    tiles = (
        _tile(run, f"{name}, repeat {repeat + 1}", (*place, repeat), opened)
        for repeat, run in enumerate(repeats)
    )
    return f'<td><div class="tiles">{"".join(tiles)}</div></td>'


def _tile(run: JudgedRun | None, name: str, place: Opened, opened: Opened) -> str:
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
            said = f"{count:,} of {total:,} needed, {run.passed:,} of {len(run.outcomes):,} in all"
        if run.score == 1:
            kind, word, said = "all", f"✓ {word}", f"it passes; {said}"
        elif run.abstained:
            kind, word, said = "none", "none", f"it says that it can't answer; {said}"
    if kind == "some":
        style = f' style="--share: {100 * share:.0f}%"'
    mark, tab = (" open", 0) if place == opened else ("", -1)
    title = escape(f"{name}: {said}")
    data = "run {} {} {}".format(*place)
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


def outcomes_html(run: JudgedRun, expected: Expected, reasons: Sequence[Reason]) -> str:
    """What came of each check of one run: a sign, a word for it, the check and the reason."""
    parts = zip(run.outcomes, run.required, expected.names(), reasons, strict=True)
    rows = []
    for outcome, needed, name, reason in parts:
        sign, word = _SIGNS[outcome.state], _WORDS[outcome.state]
        if outcome.state == "fail" and not needed:
            sign, word = "–", "not needed"
        rows.append(
            f'<tr><td class="sign">{sign}</td><td>{word}</td><td dir="auto">{escape(name)}</td>'
            f'<td class="muted">{escape(reason.text)}{_step_html(reason)}</td></tr>'
        )
    return f'<table class="outcomes num">{"".join(rows)}</table>'


def _step_html(reason: Reason) -> str:
    """The button that leads to the step of the call that lost a fact."""
    if reason.call is None:
        return ""
    return f' <button type="button" data-click="step {reason.call}">See the step</button>'


_SIGNS = {"pass": "✓", "fail": "✕", "not checkable": "?"}
_WORDS = {"pass": "passed", "fail": "failed", "not checkable": "not checkable"}

LEGEND = (
    '<div class="key grid-key num"><span><span class="tile all"></span>passed</span>'
    '<span><span class="tile some" style="--share: 60%"></span>not passed: filled by the share'
    " of what is needed</span>"
    '<span><span class="tile none"></span>none: it says that it can\'t answer</span>'
    '<span><span class="tile blank"></span>not run, or no answer</span></div>'
)
