"""The view Columns: one question, and what each column made and answered.

Up to four columns stand beside one another, with their answers; more are rows of their measures.
"""

import math
from collections.abc import Iterator, Sequence

import streamlit as st

from synth.html.escape import words_html
from synth.html.markup import tag
from synth.html.notebook import alarm_html
from synth.pictures.placement import COLUMN, ROW, PictureSize
from synth.pictures.run_picture import draw_run
from synth.quality.support import find_unfounded
from synth.runs.trace import Trace
from synth.text.wording import counted, listed
from synth.words.run_words import reused_words
from ui.look.elements import box, draw_columns, error_box, small
from ui.look.scripts import draw_scene
from ui.pages.compare import runs, thumbs_and_notes
from ui.pages.compare.columns import current_columns
from ui.pages.compare.comparison import Asked, Comparison, RunRow, list_lacks
from ui.pages.compare.figures import answer_beside, measures_html
from ui.runs import start
from ui.session import workspace
from ui.settings import state
from ui.settings.schema import MOST_COLUMNS, VARIABLE

_LONG = 3_000  # characters: longer answers scroll
_TALLEST = 640  # pixels of an answer that scrolls


def draw(comparison: Comparison, question: int) -> None:
    """Draw the picture of each column, the measures in lines across them, and the answers."""
    rows = comparison.of_question(question)
    asked = comparison.asked[question]
    if len(rows) > MOST_COLUMNS:
        _draw_rows(comparison, rows, asked)
        return
    containers = draw_columns("compared", *[1] * len(rows))
    for row, container in zip(rows, containers, strict=True):
        with container:
            _head(comparison, row)
            _picture(comparison, row)
            st.html(measures_html(rows, row, asked))
    if all(row.answer is None and row.problem is None and row.trace is None for row in rows):
        return
    containers = draw_columns("answers", *[1] * len(rows))
    for row, container in zip(rows, containers, strict=True):
        with container:
            _answer(comparison, rows, row)


def _draw_rows(comparison: Comparison, rows: Sequence[RunRow], asked: Asked) -> None:
    """Draw a row for each column: first those whose answer passes, the cheapest before others."""
    passing = [row for row in rows if row.score == 1 and row.calls > 0]  # a model answered
    others = sorted((row for row in rows if row not in passing), key=_dearness)
    passing.sort(key=_dearness)
    with st.container(key="rows", gap=None):
        for key, group in (("passing_rows", passing), ("other_rows", others)):
            with st.container(key=key, gap=None):
                for row in group:
                    _draw_row(comparison, [*passing, *others], row, asked)


def _draw_row(comparison: Comparison, rows: Sequence[RunRow], row: RunRow, asked: Asked) -> None:
    head, picture, measures, way_on = st.columns((4, 5, 12, 2), vertical_alignment="center")
    with head:
        _head(comparison, row)
    with picture:
        _picture(comparison, row, ROW)
    measures.html(measures_html(rows, row, asked))
    with way_on:
        if row.answer is not None:
            _open_button(comparison, row)
    if row.answer is None and (row.trace or row.problem):
        _draw_unfinished(comparison, row)


def _dearness(row: RunRow) -> tuple[float, ...]:
    """Order by what passed, then by cost and tokens; what is not judged keeps its place."""
    if math.isnan(row.passed):
        return (math.inf,)
    return -row.passed, math.inf if math.isnan(row.cost) else row.cost, row.tokens


def _head(comparison: Comparison, row: RunRow) -> None:
    notes = ", ".join(filter(None, [comparison.column(row.column).differs, *_notes(row)]))
    parts = [tag("span.letter", row.column), tag("b", row.request.mode)]
    st.html(tag("div.side-head", *parts, tag("div.differs.small.num", notes)))


def _notes(row: RunRow) -> Iterator[str]:
    """What is to be known of a run: its answers reused or too long, and what is in no chunk."""
    trace, job = row.trace, row.job
    if trace is not None and job is not None:
        yield reused_words(trace, job.info.edited)
        yield "answers longer than asked" if trace.too_long else ""
        if invented := [mention.text for mention in find_unfounded(trace)]:
            yield f"in no chunk: {listed(invented)}"


def _picture(comparison: Comparison, row: RunRow, size: PictureSize = COLUMN) -> None:
    missing = comparison.column(row.column).missing
    refused, run = row.plans.refused or missing, row.run
    if refused and row.trace is None:
        error_box("This can't run.", refused)
    if run is not None and run.calls and not (row.plans.refused and row.trace is None):
        version = None if row.job is None else (row.job.serial, row.job.events_read)
        key = (row.column, row.request, row.trace is None, version, size)
        scene = workspace.current().remember(
            "small pictures", key, lambda: draw_run(run, size=size)
        )
        draw_scene(scene, f"flow of {row.column}")
    if row.trace is not None and row.trace.counts.cut is not None:
        st.html(alarm_html(row.trace))
    if row.trace is None and row.plans.refused is None:
        if row.plans.high is None:
            small("This mode can be run but not planned.")
        elif row.plans.high.problem:
            small(row.plans.high.problem)


def _answer(comparison: Comparison, rows: Sequence[RunRow], row: RunRow) -> None:
    """Draw the answer, what it lacks of what is expected, and what a person says of it."""
    if row.answer is None:
        if row.trace is not None or row.problem is not None:
            _draw_unfinished(comparison, row)
        return
    asked = comparison.asked[row.question]
    equal = next(other for other in rows if other.answer == row.answer)
    words, answer = answer_beside(rows[0].answer, row.answer)  # against that of the first
    note = f"against {rows[0].column}: {words}" if words else ""
    if equal is not row:
        note = f"the same answer as {equal.column}"
    st.html(tag("div.num", tag("b", row.column), " ", tag("span.small.muted", note)))
    if equal is row:
        with st.container(height=_TALLEST if len(row.answer) > _LONG else "content", border=False):
            st.html(answer)
    if row.trace is not None:
        _lacks(comparison, row, row.trace, asked)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if equal is row:
            thumbs_and_notes.draw(asked.query, row.answer)
        st.space("stretch")
        _open_button(comparison, row)


def _lacks(comparison: Comparison, row: RunRow, trace: Trace, asked: Asked) -> None:
    """Draw each check and fact that is needed and did not pass, with where a fact was lost."""
    if not row.outcomes:  # it ended while the page is drawn: the next one judges it
        return
    chunks = [chunk.text for chunk in comparison.page.chunks]
    key = (row.key, asked, row.outcomes)
    lacks = workspace.current().remember(
        "lacks", key, lambda: list(list_lacks(trace, asked, row.outcomes, chunks))
    )
    lines = (
        tag("div", tag("b", sign), f" {name}", tag("div.muted", words_html(reason)), dir="auto")
        for sign, name, reason in lacks
    )
    st.html(tag("div.lacks.small.num", *lines))


def _draw_unfinished(comparison: Comparison, row: RunRow) -> None:
    """Draw why a run has no answer, and the button that sends what is missing."""
    trace, column = row.trace, comparison.column(row.column)
    show, head, reason = box, "You stopped this column.", "No further call was sent."
    if trace is None or not trace.stopped:
        show, head = error_box, "This column failed."
        reason = row.problem or (trace and trace.error) or ""
    kept = len(trace.log()) if trace is not None else 0
    answers = f" {counted(kept, 'answer')} {'was' if kept == 1 else 'were'} kept." if kept else ""
    if row.job and (warning := start.say_key_gone(row.job, column.settings)):
        small(warning)
    pressed = show(head, f"{reason}{answers}").button(
        "Try again",
        icon=":material/resume:",
        type="tertiary",
        key=f"resume {row.column}",
        help="Sends only unanswered calls.",
        disabled=bool(comparison.unconfirmed or column.missing),
    )
    if pressed:
        lacking = runs.lacking(comparison)
        runs.press(comparison, [other for other in lacking if other.column == row.column])


def _open_button(comparison: Comparison, row: RunRow) -> None:
    pressed = st.button(
        "Open",
        icon=":material/open_in_new:",
        type="tertiary",
        key=f"open {row.column}",
        help="Show this run in the Playground, with the settings of the column.",
        on_click=_open_run,
        args=(comparison, row),
    )
    if pressed:
        st.switch_page("app.py", query_params=workspace.address())


def _open_run(comparison: Comparison, row: RunRow) -> None:
    """Give the Playground the settings and the run of a row; for callbacks."""
    job, asked = row.job, comparison.asked[row.question]
    if job is None:
        return
    settings = comparison.column(row.column).settings
    [own] = [one for one in current_columns(comparison.page) if one.name == row.column]
    # The question too: a list of questions has others than the Playground.
    changes = {name: settings.value(name) for name, _ in own.overrides}
    changes |= {f"{VARIABLE}{name}": text for name, text in asked.variables.items()}
    state.update(**changes | {"query_str": asked.query})
    start.show_earlier(job)
