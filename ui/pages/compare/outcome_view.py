"""Why the run of a column has no answer, and the button that opens a run in the Playground."""

import streamlit as st

from synth.text.wording import counted
from ui.look.elements import box, error_box, small
from ui.pages.compare import runs
from ui.pages.compare.columns import current_columns
from ui.pages.compare.comparison import Comparison
from ui.pages.compare.frame import RunRow
from ui.runs import start
from ui.session import workspace
from ui.settings import state
from ui.settings.schema import VARIABLE


def draw_unfinished(comparison: Comparison, row: RunRow) -> None:
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
    if trace is not None and (hint := start.cap_hint(trace)):
        small(hint)


def open_button(comparison: Comparison, row: RunRow) -> None:
    """Draw the button that shows this run in the Playground."""
    pressed = st.button(
        "Open",
        icon=":material/open_in_new:",
        type="tertiary",
        key=f"open {row.column}",
        help="Show this run in the Playground, with the settings of the column.",
        on_click=open_run,
        args=(comparison, row),
    )
    if pressed:
        st.switch_page("app.py", query_params=workspace.address())


def open_run(comparison: Comparison, row: RunRow) -> None:
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
