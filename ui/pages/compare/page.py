"""The Compare page: its head, then the running columns, or what is shown of them."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.html.escape import sentence_html
from synth.html.markup import Html, tag
from synth.text.wording import Bold, counted, short
from ui.controls import model_menu
from ui.look.elements import (
    box,
    button_row,
    dropdown,
    error_box,
    sentence,
    small,
    stop_button,
)
from ui.pages.compare import (
    chart_view,
    columns_view,
    questions_view,
    runs,
)
from ui.pages.compare.columns import current_columns, draw_recipes
from ui.pages.compare.comparison import (
    Comparison,
    compared_runs,
    comparison_of,
    with_runs,
)
from ui.pages.compare.figures import headline
from ui.plans.plan_range import PageInputs
from ui.session import keys
from ui.settings import hosts, state
from ui.store.store import StoreError

_LOOK_EVERY = 1.0  # seconds between two looks, which see all runs of the comparison


def draw(model_place: DeltaGenerator) -> None:
    """Draw the whole page; the model stands in its place of the menu."""
    inputs = PageInputs.read()
    page = inputs.settings
    handed_over = runs.take_handed_over(page)
    with model_place:
        model_menu.draw(inputs)
    head_container = st.container()
    state.sync_with_address(keys.COMPARE_VIEW, _VIEWS, "columns")
    view = str(st.session_state.get(keys.COMPARE_VIEW, "columns"))
    comparison = comparison_of(page, current_columns(page))
    runs.stop_others(comparison)
    try:
        came = runs.put_handed_over(comparison, handed_over) or runs.bring_back(comparison)
    except StoreError as problem:
        came = False
        error_box("The runs that are saved can't be read.", str(problem))
    if came:
        comparison = with_runs(comparison)
    running = bool(compared_runs().running)
    opened = int(st.session_state.get(keys.COMPARE_QUESTION, 1))
    st.session_state[keys.COMPARE_QUESTION] = max(1, min(opened, len(comparison.asked)))
    question = st.session_state[keys.COMPARE_QUESTION] - 1
    notes_container = st.container()
    with head_container:
        _draw_head(inputs, comparison, view, question)
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
    runs.draw_judging(comparison, runs.lacking(comparison))


def _progress(comparison: Comparison) -> None:
    """How far the runs are; when the last has ended, the whole page is drawn again."""
    held = compared_runs()
    if not held.running:
        st.rerun()
    jobs = {held.jobs[row.key] for row in comparison.rows if row.key in held.jobs}
    for job in jobs:
        job.look_again()
    ended = sum(not job.running for job in jobs)
    answered = sum(len(job.answered) for job in jobs)
    prompt_tokens = sum(job.spent.prompt_tokens for job in jobs)
    output_tokens = sum(job.spent.output_tokens for job in jobs)
    sentence(
        [
            Bold(f"{ended:,} of {counted(len(jobs), 'run')} ended."),
            f" {counted(answered, 'call')} answered, {prompt_tokens:,} prompt tokens,"
            f" {output_tokens:,} output tokens so far.",
        ]
    )
    st.progress(ended / max(len(jobs), 1))
    for job in held.judging:
        if job.running and ended == len(jobs):
            small(f"Judging: {counted(len(job.answered), 'call')} answered.")


_VIEWS = {"columns": "Columns", "grid": "Questions", "chart": "Chart"}
_LONGEST_QUESTION = 80  # characters


def _draw_head(inputs: PageInputs, comparison: Comparison, view: str, question: int) -> None:
    """Draw the sentence with the columns, the questions and Run, then the views."""
    with st.container(horizontal=True, vertical_alignment="center", key="head"):
        sentence = st.container(key="head_words")
        buttons = st.container(horizontal=True, width="content", key="head_buttons")
    with st.container(horizontal=True, vertical_alignment="center", key="compare_inputs"):
        button_row("What is compared", [*_VIEWS], keys.COMPARE_VIEW, format_func=_VIEWS.__getitem__)
        st.space("stretch")
        if view == "columns":
            _question(comparison)
    rows = comparison.by_question[question] if view == "columns" else comparison.rows
    line, detail = headline(rows)  # of the question that is open, or of all
    sentence.html(sentence_html([Bold(line)]) + tag("div.subline", detail or Html("&nbsp;")))
    with buttons:
        draw_recipes(comparison.page, current_columns(comparison.page))
        filled = {name for row in comparison.rows for name, _ in row.request.variables}
        questions_view.draw_editor(inputs, len(comparison.asked), filled)
        with st.container(key="run", width=190):
            if compared_runs().running:
                stop_button(compared_runs().stop, type="primary", width="stretch")
            else:
                _run_button(comparison)


def _question(comparison: Comparison) -> None:
    """The question that is open; of several, the choice of it."""
    questions = [asked.query for asked in comparison.asked]
    if len(questions) == 1:
        st.html(tag("bdi.small", short(questions[0], _LONGEST_QUESTION)), width="content")
        return

    def say(number: int) -> str:
        return f"{number} of {len(questions)} · {short(questions[number - 1], _LONGEST_QUESTION)}"

    numbers = range(1, len(questions) + 1)
    dropdown("Question", numbers, keys.COMPARE_QUESTION, format_func=say, width=380)


def _run_button(comparison: Comparison) -> None:
    possible = [row for row in comparison.rows if row.can_run and not row.missing]
    lacking = [row for row in possible if row.answer is None]
    again = bool(possible) and not lacking
    others = bool(lacking) and len(lacking) < len(possible)
    was_again = st.session_state.get(keys.RUNS_AGAIN)
    st.session_state[keys.RUNS_AGAIN] = again
    pressed = st.button(
        "Run again" if again else f"Run the other {len(lacking):,}" if others else "Run all",
        key="run_button",
        icon=":material/refresh:" if again else ":material/play_arrow:",
        type="secondary" if again else "primary",
        width="stretch",
        shortcut="Mod+Enter",
        help="Sends every call anew." if again else "Sends only prompts without an answer.",
        disabled=not possible or bool(runs.too_many(comparison) or comparison.unconfirmed),
    )
    if pressed and (lacking or was_again):  # else another tab has run all of it
        runs.press(comparison, lacking or possible, reuse=not again)
