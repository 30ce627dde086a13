"""Why the run of a column has no answer, and the button that opens a run in the Playground."""

import streamlit as st

from synth.pictures.walk import steps_of
from synth.runs.trace import Trace
from synth.text.wording import counted
from ui.look.elements import box, error_box, small
from ui.pages.compare import runs
from ui.pages.compare.cells import Cell
from ui.pages.compare.columns import TEMPLATE_SET
from ui.pages.compare.comparison import Comparison
from ui.pages.compare.run_slots import RunSlot, slot_runs
from ui.runs import start
from ui.session import keys, workspace
from ui.settings import state, template_texts
from ui.settings.schema import DEFAULT

_SET_BEFORE = "Before Compare"  # the set that keeps the templates which a column's replace


def draw_unfinished(comparison: Comparison, cell: Cell) -> None:
    """Why a run has no answer, and the button that sends what is missing."""
    trace, column = cell.trace, cell.slot.column
    show, head, reason = box, "You stopped this column.", "No further call was sent."
    if trace is None or not trace.stopped:
        show, head = error_box, "This column failed."
        reason = cell.problem or (trace and trace.error) or ""
    kept = len(trace.log()) if trace is not None else 0
    answers = f" {counted(kept, 'answer')} {'was' if kept == 1 else 'were'} kept." if kept else ""
    settings = comparison.settings(cell.slot)
    if cell.run and (warning := start.key_gone(cell.run.job, settings)):
        small(warning)
    pressed = show(head, f"{reason}{answers}").button(
        "Try again",
        icon=":material/resume:",
        type="tertiary",
        key=f"resume {column}",
        help="Sends only unanswered calls.",
        disabled=bool(comparison.unconfirmed or cell.missing),
    )
    if pressed:
        missing = runs.missing(comparison)
        runs.press(comparison, [other for other in missing if other.slot.column == column])
    if trace is not None and (hint := start.cap_hint(trace)):
        small(hint)


def open_button(comparison: Comparison, slot: RunSlot) -> None:
    """The button that shows this run in the Playground."""
    pressed = st.button(
        "Open",
        icon=":material/open_in_new:",
        type="tertiary",
        key=f"open {slot.column}",
        help="Show this run in the Playground, with the settings of the column.",
        on_click=open_run,
        args=(comparison, slot),
    )
    if pressed:
        st.switch_page("app.py", query_params=workspace.address())


def see_step(trace: Trace, call: int) -> None:
    """Switch to the Playground, which shows the run, at the step of a call."""
    step = next(
        step.number for step in steps_of(trace) if any(one.number == call for one in step.calls)
    )
    address = workspace.address(**{keys.VIEW: "steps", keys.STEP: str(step)})
    st.switch_page("app.py", query_params=address)


def open_run(comparison: Comparison, slot: RunSlot) -> None:
    """Give the Playground the settings and the run of a slot; for callbacks."""
    settings = comparison.settings(slot)
    slot_run = slot_runs()[slot]
    job, trace = slot_run.job, slot_run.job.trace
    if trace is not None and job.request != slot_run.request:
        # The run of another column with the same prompts: all answers come from its log.
        job = start.job_of(slot_run.request, log=trace.log(), settings=settings)
    column = comparison.column(slot.column)
    names = [name for name, _ in column.overrides if name != TEMPLATE_SET]
    before = template_texts.of_page(state.current())
    edited = before != template_texts.of_page(DEFAULT)
    if edited and any(settings.value(path) != value for path, value in before.items()):
        template_texts.save(_SET_BEFORE, before)
    # The question too: a list of questions has others than the Playground.
    state.update(**{path: settings.value(path) for path in ("query_str", *before, *names)})
    start.show_earlier(job)
