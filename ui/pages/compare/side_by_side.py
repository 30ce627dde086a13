"""The columns beside one another: name, flow, what each passed and took, why one has no answer."""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from synth.html.escape import name_html, tags_html
from synth.html.figures import alarm_html
from synth.html.glossary import term_html
from synth.html.markup import Html, tag
from synth.pictures.page import page_scene
from synth.pictures.placement import COLUMN
from synth.pictures.run_picture import draw_run
from synth.quality import measure, pass_rate
from synth.runs.trace import Plan, Trace
from synth.text.wording import counted, percent
from synth.words.coverage_words import chunk_tokens, cut_off_tokens
from synth.words.sentences import reused_words
from ui.look.elements import as_csv, error_box, save_button, small, table
from ui.look.scripts import draw_scene
from ui.pages.compare import answers_view, one_run, outcome_view, runs
from ui.pages.compare.cells import Cell, any_ended, send_same_prompts
from ui.pages.compare.comparison import Comparison
from ui.pages.compare.grid_html import STRIP_LEGEND, tiles_html, whisker_html
from ui.pages.compare.judged_runs import count_passed, rate_words
from ui.pages.compare.measures import CUT_OFF, MeasureRow, measure_rows
from ui.pages.compare.run_slots import RunSlot
from ui.session import workspace
from ui.settings.schema import MOST_COLUMNS


def measured(cell: Cell) -> Cell:
    """The cell with the measures of its answer, from memory if they were computed before."""
    trace = cell.trace
    if trace is None or trace.response is None:
        return cell
    found = workspace.current().remembered(
        "compared measures", cell.version, lambda: measure(trace)
    )
    return replace(cell, measures=found)


def draw(comparison: Comparison, row: Sequence[Cell], question: int) -> None:
    """The columns with what all their runs took, and the answers to the question that is open.

    `row` has its cells, measured.
    """
    several = len(comparison.asked) > 1
    columns = comparison.columns_of(row)
    rows = measure_rows(columns)
    with st.container(key="compared"):
        containers = st.columns(len(row), gap="medium")
    for position, container in enumerate(containers):
        with container:
            _head(row, position)
            _column(comparison, row[position], columns[position], measures_html(rows, position))
    if several:
        st.html(STRIP_LEGEND)
        one_run.follow_tiles(comparison)
        one_run.draw_question(comparison, question)
    answers_view.draw(comparison, row)
    if st.toggle("Measures as a table", key="measures_table", persist_state="session"):
        measures = _frame(row, rows)
        table(measures)
        save_button("Measures as CSV", lambda: as_csv(measures), "measures.csv", "secondary")


def _head(row: Sequence[Cell], position: int) -> None:
    """Letter, mode and tags, and what else tells the column from the others."""
    cell = row[position]
    tags = [*_tags(cell), *_twin(row, position)]
    parts = [tag("span.letter", cell.slot.column), tag("b", name_html(cell.request.mode))]
    if tags:
        parts.append(tags_html((words, "exact") for words in tags))
    if cell.differs:
        parts.append(tag("div.differs.small.num", cell.differs))
    narrow = ".tagged" * (len(row) == MOST_COLUMNS)
    st.html(tag(f"div.side-head{narrow}", *parts))


def _tags(cell: Cell) -> list[str]:
    """The share of the text that it cuts off, the answers reused or too long, and its flags."""
    run = cell.trace or cell.plans.high
    lost = cut_off_tokens(run) if run is not None and run.calls else 0
    tags = [f"{percent(lost, chunk_tokens(run))} cut off"] if run is not None and lost else []
    edited = cell.run.job.info.edited if cell.run is not None else ()
    if cell.trace is not None and (reused := reused_words(cell.trace, edited)):
        tags.append(reused)
    if cell.trace is not None and cell.trace.too_long:
        tags.append("answers longer than asked")
    return tags + ([flag.words for flag in cell.measures.flags] if cell.measures else [])


def _twin(row: Sequence[Cell], position: int) -> list[str]:
    """An earlier column that sends the same prompts, and whether its run is this one's too."""
    cell = row[position]
    for other in row[:position]:
        if cell.leader == other.slot:
            return [f"same prompts as {other.name}: run once"]
    for other in row[:position]:
        if other.leader == other.slot and send_same_prompts(other, cell):
            return [f"same prompts as {other.name}, answers combined differently"]
    return []


def _column(comparison: Comparison, cell: Cell, column: Sequence[Cell], measures: str) -> None:
    """The flow of a cell, what its column passed and took, and why it has no answer."""
    trace, plans = cell.trace, cell.plans
    refused = plans.refused or cell.missing
    if refused and trace is None:
        error_box("This can't run.", refused)
    if plans.refused is not None and trace is None:
        return
    run = trace if trace and trace.calls else plans.high
    if run is not None and run.calls:
        _picture(cell, run)
    if trace is not None and trace.counts.cut is not None:
        st.html(alarm_html(trace))
    _passes(comparison, column, cell.slot)
    st.html(measures)
    if any_ended([cell]) and cell.answer is None:
        outcome_view.draw_unfinished(comparison, cell)
    elif trace is None and plans.high is None:
        small("This mode can be run but not planned.")
    elif trace is None and plans.high is not None and plans.high.problem:
        small(plans.high.problem)


def _picture(cell: Cell, run: Plan | Trace) -> None:
    version = None if isinstance(run, Plan) else cell.version
    key = (cell.slot.column, cell.request, version)
    scene = workspace.current().remembered(
        "small pictures", key, lambda: page_scene(draw_run(run, size=COLUMN))
    )
    draw_scene(scene, f"flow of {cell.slot.column}")


def measures_html(rows: Sequence[MeasureRow], position: int) -> Html:
    """The measures of the column at this position: name, bar and number.

    A full bar is the largest of all columns, and of shares the whole. The numbers take as much room
    in each column, so that equal bars are equally long.
    """
    letters = max((len(text) for row in rows for text in row.texts), default=0)
    cells = (_measure_html(row, position) for row in rows)
    return tag("div.measures.num", *cells, style=f"--letters: {letters}ch")


def _measure_html(row: MeasureRow, position: int) -> Html:
    name = row.name if position else term_html(row.name)  # explained once
    value = row.values[position]
    most = row.whole or max((amount for amount in row.amounts if amount), default=0)
    bar: str = "\N{NO-BREAK SPACE}"
    if value.amount:
        kind = ".k-lost" * (row.name == CUT_OFF) + ".estimate" * value.estimated
        bar = tag(f"i.bar{kind}", style=f"width: {100 * value.amount / most:.1f}%")
    number = tag("span.muted" if value.amount is None else "span.number", value.text)
    return tag("span", name) + tag("span.scale", bar) + number


def _frame(row: Sequence[Cell], rows: Sequence[MeasureRow]) -> pd.DataFrame:
    """One row per column of the comparison, with the measures as numbers."""
    frame = pd.DataFrame({"column": pd.Series([cell.label for cell in row], dtype=object)})
    for one in rows:
        frame[one.name] = pd.Series(one.amounts, dtype=float).convert_dtypes()
    return frame


def _passes(comparison: Comparison, column: Sequence[Cell], opened: RunSlot) -> None:
    """The rate and the tiles of the cells of a column, once a run of any column has ended."""
    if not any_ended(tuple(comparison.cells.values())):
        return
    if said := _passes_html(comparison, column, opened):
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
        runs.press(comparison, lacking)


def _passes_html(comparison: Comparison, column: Sequence[Cell], opened: RunSlot) -> Html:
    """How many questions the column passed, a tile for each run, and the interval of the rate.

    Of one question it is how much of what is needed its answer passed.
    """
    if len(column) == 1 and (run := column[0].judged):
        passed = f" of {len(run.needed):,} needed"
        words = tag("span", tag("b", f"passed {count_passed(run.needed):,}"), passed)
        return tag("div.rate", words) if run.needed else Html()
    rate = pass_rate(comparison.scores(lambda _, run: run.score)[column[0].slot.column])
    passed, interval = rate_words(rate)
    said = tag("div.rate.muted", "not run yet")
    if rate.mean is not None:
        words = tag("span", tag("b", f"passed {passed}"), f" of {rate.questions:,}")
        said = tag("div.rate", words, tag("span.muted", f"likely {interval}"))
    elif any(cell.trace for cell in column):
        ended = sum(cell.answer is not None for cell in column)
        said = tag("div.rate.muted", f"answered {ended:,} of {len(column):,}")
    if len(column) == 1:
        return said
    parts = [said, tiles_html(comparison, column, opened)]
    if rate.mean is not None:
        parts.append(whisker_html(rate))
    return tag("div.passes.num", *parts)
