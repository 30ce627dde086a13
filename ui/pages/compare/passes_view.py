"""What a column passed, as a row of tiles, and the button that runs what it still lacks."""

from collections.abc import Sequence

import streamlit as st

from synth.html.markup import Html, tag
from synth.quality import pass_rate
from synth.text.wording import counted
from ui.pages.compare import runs
from ui.pages.compare.analysis.judged_runs import rate_words
from ui.pages.compare.cells import Cell, any_ended
from ui.pages.compare.comparison import Comparison
from ui.pages.compare.grid_html import tiles_html, whisker_html
from ui.pages.compare.run_slots import RunSlot


def draw(comparison: Comparison, column: Sequence[Cell], opened: RunSlot) -> None:
    """The rate and the tiles of the cells of a column, once a run of any column has ended."""
    if not any_ended(tuple(comparison.cells.values())):
        return
    if said := passes_html(comparison, column, opened):
        st.html(said)
    lacking = [cell for cell in column if cell.can_run and not (cell.finished or cell.missing)]
    ended = sum(cell.trace is not None for cell in column)
    if not lacking or (len(column) == 1 and ended):
        return
    name = column[0].slot.column
    other = "other " if ended else ""
    asked = counted(len(lacking), "question" if comparison.repeats == 1 else "run")
    words = f"Run {name}’s {other}{asked}" if len(column) > 1 else f"Run {name}"
    if st.button(
        words,
        key=f"run {name}",
        type="tertiary",
        icon=":material/play_arrow:",
        disabled=bool(runs.too_many(comparison) or comparison.unconfirmed),
    ):
        runs.start(comparison, lacking)
        st.rerun()


def passes_html(comparison: Comparison, column: Sequence[Cell], opened: RunSlot) -> Html:
    """How many questions the column passed, a tile for each run, and the interval of the rate."""
    rate = pass_rate(comparison.scores(lambda _, run: run.score)[column[0].name])
    passed, interval = rate_words(rate)
    said = tag("div.rate.muted", "not run yet")
    if rate.mean is not None:
        words = tag("span", tag("b", f"passed {passed}"), f" of {rate.questions:,}")
        said = tag("div.rate", words, tag("span.muted", f"likely {interval}"))
    elif any(cell.trace for cell in column):
        ended = sum(cell.answer is not None for cell in column)
        said = tag("div.rate.muted", f"answered {ended:,} of {len(column):,}")
    if len(column) == 1:
        return said if rate.mean is None and not column[0].trace else Html("")
    parts = [said, tiles_html(comparison, column, opened)]
    if rate.mean is not None:
        parts.append(whisker_html(rate))
    return tag("div.passes.num", *parts)
