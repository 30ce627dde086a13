"""The Compare page: its head, then the running columns, or what is shown of them."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.html.escape import answer_html
from synth.html.markup import tag
from synth.runs.trace import Trace
from synth.text.wording import Bold, counted
from ui.controls import model_menu
from ui.export import popover
from ui.export.downloads import comparison_files
from ui.export.reported import Compared
from ui.look.elements import box, error_box, sentence, small
from ui.pages.compare import (
    chart_view,
    editors,
    grid_view,
    head,
    judging,
    one_run,
    runs,
    side_by_side,
)
from ui.pages.compare.cells import Cell
from ui.pages.compare.columns import Column, current_columns, put_recorded_first
from ui.pages.compare.comparison import Comparison, comparison_of, judged
from ui.pages.compare.judged_runs import JudgedRun, count_passed
from ui.pages.compare.measures import measure_rows
from ui.pages.compare.run_slots import RunSlot, compared_runs
from ui.plans.cost import dollars_for
from ui.plans.page_inputs import PageInputs
from ui.runs.job import Job
from ui.runs.pool import RUNS
from ui.runs.progress import left_words
from ui.session import keys
from ui.settings import hosts
from ui.settings.changes import changes
from ui.store.errors import StoreError
from ui.store.run_json import Run
from ui.store.tables import RunInfo

_SLOWEST_LOOK = 2.0  # seconds between two looks, which see all runs of the comparison


def draw(model_place: DeltaGenerator) -> None:
    """Draw the whole page; the model stands in its place of the menu."""
    inputs = PageInputs.read()
    page = inputs.settings
    runs.take_handed_over(page)
    with model_place:
        model_menu.draw(inputs)
    recorded = put_recorded_first(page)
    head_container = st.container()
    view = head.chosen_view()
    columns = current_columns(page)
    if st.session_state.get(keys.COMPARE_EDITING):
        editors.draw(inputs, columns)
    comparison = comparison_of(page, columns)
    try:
        if runs.bring_back(comparison):
            comparison = comparison_of(page, columns)
    except StoreError as problem:
        error_box("The runs that are saved can't be read.", str(problem))
    if recorded is not None and (cell := comparison.cells[RunSlot(recorded.name)]).can_run:
        runs.start(comparison, [cell])
        comparison = comparison_of(page, columns)
    running = runs.running(comparison)
    comparison = judged(comparison)
    notes_container = st.container()
    question = one_run.open_question(comparison)
    row = comparison.row(question)
    with head_container:
        head.draw(comparison, row, running)
    with notes_container:
        _notes(comparison, running)
    if running:
        st.fragment(_progress, run_every=min(RUNS.pace, _SLOWEST_LOOK))(comparison)
    else:
        _view(comparison, question, view)


def _view(comparison: Comparison, question: int, view: head.View) -> None:
    """What is shown of the comparison."""
    row = comparison.row(question)
    match view:
        case "grid":
            grid_view.draw(comparison, question)
        case "chart":
            chart_view.draw(comparison)
        case "columns":
            row = [side_by_side.measured(cell) for cell in row]
            side_by_side.draw(comparison, row, question)
            _export(row, comparison.reference)


def _notes(comparison: Comparison, running: bool) -> None:
    """What is to be known before the columns: what is wrong, what is to run."""
    if problem := runs.too_many(comparison):
        box("Too many runs.", problem)
    if not comparison.asked[0].query.strip():
        box("The question is missing.", "Type one on the Playground, or some under Edit.")
    if running:
        return
    hosts.ask(comparison.lookups, "columns")
    _out_of_date(comparison)
    if line := runs.still_to_run(comparison):
        small(line)
    judging.draw(comparison, runs.to_start(comparison))


def _out_of_date(comparison: Comparison) -> None:
    """The changes since the runs, with the columns that each concerns; the results stay."""
    columns_by_change: dict[str, dict[str, None]] = {}
    for cell in comparison.cells.values():
        if cell.stale:
            change = "; ".join(changes(cell.request, cell.present))
            columns_by_change.setdefault(change, {})[cell.slot.column] = None
    if columns_by_change:
        sentences = [
            f"{', '.join(columns)}: {change}." for change, columns in columns_by_change.items()
        ]
        box("Out of date.", f"Changed since these runs: {' '.join(sentences)}")


def _progress(comparison: Comparison) -> None:
    """All columns; when the last run has ended, the whole page is drawn again."""
    if not runs.running(comparison):
        st.rerun()
    jobs = runs.jobs(comparison)
    ended = sum(not job.running for job in jobs)
    left = left_words(compared_runs().latest)
    prompt_tokens = sum(job.spent.prompt_tokens for job in jobs)
    output_tokens = sum(job.spent.output_tokens for job in jobs)
    sentence(
        [
            Bold(f"{ended:,} of {counted(len(jobs), 'run')} ended{left}."),
            f" {prompt_tokens:,} prompt tokens, {output_tokens:,} output tokens so far.",
        ]
    )
    st.progress(ended / len(jobs))
    for job in compared_runs().judging:
        if job.running and ended == len(jobs):
            small(f"Judging: {counted(len(job.answered), 'call')} answered.")
    with st.container(key="two_running"):
        containers = st.columns(len(comparison.columns), gap="medium")
    for column, container in zip(comparison.columns, containers, strict=True):
        with container:
            _running_column(comparison, column)


def _running_column(comparison: Comparison, column: Column) -> None:
    """How far the runs of a column have come, and its latest answer as it arrives."""
    jobs = runs.jobs(comparison, column.name)
    st.html(tag("b", comparison.cells[RunSlot(column.name)].label))
    st.progress(*_share(jobs))
    for job in jobs:
        for call in job.failed:
            error_box(f"Call {call.number} failed.", call.error or "")
    current = next((job for job in jobs if job.running and not job.waiting), None)
    if current is None:
        return
    arriving = list(current.arriving.items())
    answered = current.answered
    if arriving:
        number, text = arriving[-1]
        small(f"Call {number}, arriving")
        st.html(answer_html(text))
    elif answered:
        small(f"Answer of call {answered[-1].number}")
        st.html(answer_html(answered[-1].answer or ""))


def _share(jobs: Sequence[Job]) -> tuple[float, str]:
    """The share of a column's calls that are answered, from 0 to 1, and the same in words."""
    if not jobs:
        return 0.0, "nothing to run"
    answered = sum(len(job.answered) for job in jobs)
    plans = [job.info.planned for job in jobs if job.info.planned is not None]
    planned = sum(plans)
    share = min(1.0, answered / planned) if planned else 0.0
    if not any(job.running for job in jobs):
        failed = any(job.problem or job.failed for job in jobs)
        return (share, "failed") if failed else (1.0, f"{counted(answered, 'call')}, ended")
    if all(job.waiting for job in jobs if job.running) and not answered:
        return 0.0, "waiting"
    if len(plans) < len(jobs):  # a mode without a plan, or a plan that never ends
        return 0.0, f"{counted(answered, 'call')} so far"
    return share, f"{answered:,} of {counted(planned, 'call')}"


def _export(row: Sequence[Cell], reference: int) -> None:
    """The files of these columns, once one of them has a run."""
    if any(cell.trace for cell in row):
        popover.draw_files(
            "These columns as files",
            lambda: comparison_files(compared(row, reference)),
        )


def compared(row: Sequence[Cell], reference: int) -> Compared:
    """The columns as their report tells them; `reference` is a position in the row."""
    ran = [(cell, trace) for cell in row if (trace := cell.trace) is not None]
    measures = [(one.name, one.texts) for one in measure_rows([[cell] for cell, _ in ran])]
    return Compared(
        row[0].request.query_str,
        [(cell.label, _reported(cell, trace)) for cell, trace in ran],
        [(cell.label, _reason(cell)) for cell in row if cell.trace is None],
        [*_passed_row([cell.judged for cell, _ in ran]), *measures],
        row[reference].label,
    )


def _passed_row(runs: Sequence[JudgedRun | None]) -> list[tuple[str, list[str]]]:
    """How many of the checks and facts that are needed each run passed, if any are expected."""
    if not any(run and run.needed for run in runs):
        return []
    passed = [f"{count_passed(run.needed)} of {len(run.needed)}" if run else "" for run in runs]
    return [("passed", passed)]


def _reported(cell: Cell, trace: Trace) -> Run:
    info = RunInfo(dollars=dollars_for(cell.request.model, trace.sent))
    return Run(info, cell.request, trace)


def _reason(cell: Cell) -> str:
    """Why a column has no run; what a server said is left out."""
    if cell.plans.refused is not None:
        return cell.plans.refused
    return "The run failed." if cell.problem else "It was not run."
