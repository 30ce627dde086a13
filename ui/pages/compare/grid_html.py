"""The grid as HTML: a row for each question, a tile for each run, and the rates below."""

import re
from collections.abc import Iterator, Sequence

from synth.html.escape import name_html
from synth.html.markup import Html, tag
from synth.quality import Average
from synth.text.wording import counted, short
from ui.pages.compare.cells import Cell
from ui.pages.compare.comparison import Comparison
from ui.pages.compare.judged_runs import Asked, JudgedRun, count_passed, rate_words
from ui.pages.compare.run_slots import RunSlot

_ROOMY = 8  # questions whose rows may take several lines
_TILE, _RATE, _GAP = 38, 66, 14  # pixels that a tile, a rate and the end of a column need
_LETTER, _LONGEST_WORD = 7.6, 24  # pixels of a letter of a name; letters of a word that is whole
_QUESTION = 0.32  # of the width is for the questions
_LONGEST, _LONGEST_ANSWER = 300, 120  # characters of a question and of an answer in their row


def grid_html(
    comparison: Comparison,
    rates: Sequence[Average],
    opened: RunSlot,
    questions: Sequence[int],
) -> Html:
    """The grid of these questions, by their positions; `rates` are of all questions."""
    names = [cell.label for cell in comparison.row(0)]
    letters = max(len(word) for name in names for word in re.findall(r"[^_\s]*_?", name))
    word = _LETTER * min(letters, _LONGEST_WORD)
    room = max(comparison.repeats * _TILE, _RATE, word) + _GAP
    rows = (_row_html(comparison, number, opened) for number in questions)
    interval = tag("div.muted", "95\u00a0% interval (Wilson)")
    passed = tag("th", "questions passed", interval, scope="row")
    foot = tag("tfoot", tag("tr", passed, *map(_rate_html, rates)))
    heads = (tag("th", name_html(name), scope="col") for name in names)
    head = tag("thead", tag("tr", tag("th.muted", "one tile a run", scope="col"), *heads))
    width = len(names) * room / (1 - _QUESTION)
    inside = tag("table", head, tag("tbody", *rows), foot, style=f"min-width: {width:.0f}px")
    style = "grid.num" + ".dense" * (len(questions) > _ROOMY)
    return tag(f"div.{style}", inside, tabindex="0", role="region", aria_label="All runs")


def _row_html(comparison: Comparison, question: int, opened: RunSlot) -> Html:
    """A question, and for each column the tiles of its repeats above the first answer."""
    cells = (
        tag(
            "td",
            tag("div.tiles", *_tiles(comparison, cell, opened)),
            tag("div.said.muted", short(_said(cell), _LONGEST_ANSWER), dir="auto"),
        )
        for cell in comparison.row(question)
    )
    return tag("tr", tag("th", _question_html(comparison.asked[question]), scope="row"), *cells)


def _said(cell: Cell) -> str:
    """The answer, or why there is none; nothing before a run."""
    return cell.outcome if cell.run or cell.plans.refused else ""


def _question_html(asked: Asked) -> Html:
    """The question; opened, what is expected of its answers."""
    expected = list(asked.expectations)
    words = tag("span", short(asked.query, _LONGEST), dir="auto") + " "
    if not expected:
        return words + tag("span.muted", "nothing expected")
    items = (tag("li", one.name, dir="auto") for one in expected)
    size, needed = counted(len(expected), "check"), sum(one.needed for one in expected)
    if needed < len(expected):
        size += f", {needed:,} needed"
    return tag("details", tag("summary", words, tag("span.muted", size)), tag("ul", *items))


def _tiles(comparison: Comparison, cell: Cell, opened: RunSlot) -> Iterator[Html]:
    column = comparison.columns.index(comparison.column(cell.slot.column))
    for one in comparison.repeated(cell.slot):
        name = f"{one.label}, repeat {one.slot.repeat + 1}"
        yield _tile(one.judged, name, column, one.slot, opened)


def _tile(run: JudgedRun | None, name: str, column: int, slot: RunSlot, opened: RunSlot) -> Html:
    """A button that a click opens; by keyboard one tile can be reached, and the boxes below."""
    share = 0.0
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
        elif run.score is None:
            word, said = f"{word} ?", f"{said}, the rest can't be said"
    title = f"{name}: {said}"
    return tag(
        f"button.tile.{kind}" + ".open" * (slot == opened),
        word,
        tag("span.unseen", f" {title}"),
        type="button",
        style=f"--share: {100 * share:.0f}%",
        title=title,
        tabindex="0" if slot == opened else "-1",
        data_click=f"run {slot.question} {column} {slot.repeat}",
    )


def tiles_html(comparison: Comparison, column: Sequence[Cell], opened: RunSlot) -> Html:
    """A tile for each run of a column, in the order of the questions."""
    firsts = (cell for cell in column if not cell.slot.repeat)
    tiles = (one for cell in firsts for one in _tiles(comparison, cell, opened))
    return tag("div.tiles.strip", *tiles)


def whisker_html(rate: Average) -> Html:
    """The interval of a rate, and the rate as a point on it."""
    low, high = (100 * end for end in rate.interval)
    line = tag("i", style=f"left: {low:.1f}%; width: {high - low:.1f}%")
    point = tag("b", style=f"left: {100 * (rate.mean or 0.0):.1f}%")
    return tag("div.whisker", line, point, aria_hidden="true")


def _rate_html(rate: Average) -> Html:
    if rate.mean is None:
        return tag("td.muted", "not yet")
    passes, interval = rate_words(rate)
    ends = (tag("span", end) for end in ("0", "50", "100\u00a0%"))
    return tag(
        "td",
        tag("div.rate", tag("b", f"{passes} of {rate.questions:,}"), tag("span", interval)),
        whisker_html(rate),
        tag("div.ends.muted", *ends, aria_hidden="true"),
    )


def _key(kind: str, words: str, style: str = "") -> Html:
    return tag("span", tag(f"span.tile.{kind}", style=style), words)


LEGEND = tag(
    "div.key.grid-key.num",
    _key("all", "passed"),
    _key(
        "some",
        "not passed, or ? not decided: filled by the share of what is needed",
        "--share: 60%",
    ),
    _key("none", "none: it says that it can't answer"),
    _key("blank", "not run, or no answer"),
)

STRIP_LEGEND = tag(
    "div.key.grid-key.strip-key.num",
    _key("all", "passed all that is needed"),
    _key("none", "did not"),
    _key("blank", "not run, or nothing to pass"),
    tag("span", "dashed bars: planned, not run"),
    tag("span", "tiles stand in the order of the questions; press one for its answer"),
)
