"""The Compare page: its head, then the running columns, or what is shown of them."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.html.markup import tag
from synth.text.wording import Bold, counted
from ui.controls import model_menu
from ui.look.elements import box, draw_columns, error_box, sentence, small
from ui.pages.compare import (
    chart_view,
    columns_view,
    head,
    judging,
    questions_view,
    runs,
)
from ui.pages.compare.columns import current_columns, put_recorded_first
from ui.pages.compare.comparison import (
    Comparison,
    column_label,
    comparison_of,
    with_runs,
)
from ui.pages.compare.run_slots import compared_runs
from ui.plans.page_inputs import PageInputs
from ui.runs.job import Job
from ui.settings import hosts
from ui.store.errors import StoreError

_LOOK_EVERY = 1.0  # seconds between two looks, which see all runs of the comparison


def draw(model_place: DeltaGenerator) -> None:
    """Draw the whole page; the model stands in its place of the menu."""
    inputs = PageInputs.read()
    page = inputs.settings
    handed_over = runs.take_handed_over(page)
    with model_place:
        model_menu.draw(inputs)
    recorded = put_recorded_first(page)
    head_container = st.container()
    view = head.chosen_view()
    comparison = comparison_of(page, current_columns(page))
    runs.stop_others(comparison)
    try:
        came = runs.put_handed_over(comparison, handed_over) or runs.bring_back(comparison)
    except StoreError as problem:
        came = False
        error_box("The runs that are saved can't be read.", str(problem))
    if recorded is not None and comparison.rows[0].can_run:
        runs.start(comparison, comparison.rows[:1])
        came = True
    if came:
        comparison = with_runs(comparison)
    running = bool(compared_runs().running)
    question = head.open_question(comparison)
    notes_container = st.container()
    with head_container:
        head.draw(inputs, comparison, view, question)
    with notes_container:
        _notes(comparison, running)
    if running:
        st.fragment(_progress, run_every=_LOOK_EVERY)(comparison)
        return
    match view:
        case "columns":
            columns_view.draw(comparison, question)
        case "grid":
            questions_view.draw(comparison, question)
        case "chart":
            chart_view.draw(comparison)


def _notes(comparison: Comparison, running: bool) -> None:
    """What is to be known before the columns: what is wrong, what is to run."""
    if problem := runs.too_many(comparison):
        box("Too many runs.", problem)
    if not comparison.asked[0].query.strip():
        box("The question is missing.", "Type one, or a list, under “1 question”.")
    if running:
        return
    head, why = hosts.find_obstacle(comparison.lookups)
    if head:
        with box(head, why):
            hosts.draw_consent(comparison.lookups, "columns")
    if line := runs.still_to_send(comparison):
        small(line)
    judging.draw(comparison, runs.lacking(comparison))


def _jobs(comparison: Comparison, column: str | None = None) -> list[Job]:
    """The runs of a column or of all, each once."""
    held = compared_runs().jobs
    rows = [row for row in comparison.rows if column in (None, row.column)]
    return list(dict.fromkeys(held[row.key] for row in rows if row.key in held))


def _progress(comparison: Comparison) -> None:
    """All columns; when the last run has ended, the whole page is drawn again."""
    if not compared_runs().running:
        st.rerun()
    jobs = _jobs(comparison)
    for job in jobs:
        job.look_again()
    ended = sum(not job.running for job in jobs)
    prompt_tokens = sum(job.spent.prompt_tokens for job in jobs)
    output_tokens = sum(job.spent.output_tokens for job in jobs)
    sentence(
        [
            Bold(f"{ended:,} of {counted(len(jobs), 'run')} ended."),
            f" {prompt_tokens:,} prompt tokens, {output_tokens:,} output tokens so far.",
        ]
    )
    st.progress(ended / max(len(jobs), 1))
    for job in compared_runs().judging:
        if job.running and ended == len(jobs):
            small(f"Judging: {counted(len(job.answered), 'call')} answered.")
    containers = draw_columns("running", *[1] * len(comparison.columns))
    for column, container in zip(comparison.columns, containers, strict=True):
        with container:
            st.html(tag("b", column_label(column.name, column.request.mode)))
            st.progress(*_share(_jobs(comparison, column.name)))


def _share(jobs: Sequence[Job]) -> tuple[float, str]:
    """The share of a column's calls that are answered, from 0 to 1, and the same in words."""
    answered = sum(len(job.answered) for job in jobs)
    planned = sum(job.info.planned or 0 for job in jobs)
    if any(job.info.planned is None for job in jobs):  # a mode without a plan, or without an end
        return 0.0, f"{counted(answered, 'call')} so far"
    share = min(1.0, answered / planned) if planned else 0.0
    return share, f"{answered:,} of {counted(planned, 'call')}"
