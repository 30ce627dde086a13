"""What came of a column: its answer, compared with another one, or why there is none."""

from __future__ import annotations

import streamlit as st

from synth.trace import Trace
from synth.wording import counted
from ui.compare import marks, opening, repeats_view, runs
from ui.compare.analysis import Entry
from ui.compare.run_slots import slot_runs
from ui.compare.side import Side
from ui.look.elements import box, small
from ui.look.escape import answer_html
from ui.run import runner
from ui.session import workspace
from ui.text.diff import TOO_DIFFERENT, diff_html, word_diff
from ui.text.split_words import split_words

_LONG = 3_000  # characters of an answer from which on it scrolls
_TALLEST = 640  # pixels of it


def draw(side: Side, trace: Trace, reference: Entry) -> None:
    """The answer beside that of the reference, or why there is none, and what can be done."""
    if trace.response is None:
        kept = len(trace.log())
        if trace.stopped:
            _ended_early(side, "You stopped this column.", "No further call was sent.", kept)
        else:
            failed(side, trace.error or "", kept)
        return
    if trace.response == "":
        small("The answer is empty; the sources are the result of this mode.")
    elif side.is_reference or not reference.answer:
        _text(answer_html(trace.response), trace.response)
        words = counted(sum(word.weight > 0 for word in split_words(trace.response)), "word")
        small(f"{words}{' · the others are compared with this answer' * side.is_reference}")
    else:
        _against(side, trace.response, reference.answer)
    repeats_view.draw(side.shown, side.column, side.question)
    job = slot_runs()[side.slot].job
    with st.container(horizontal=True, vertical_alignment="center"):
        marks.draw(job.serial, side.column.name)
        st.space("stretch")
        opening.button(side.shown, side.slot)


def _text(html: str, text: str) -> None:
    """An answer; one that is very long scrolls, so that the columns stay beside one another."""
    with st.container(height=_TALLEST if len(text) > _LONG else "content", border=False):
        st.html(html)


def _against(side: Side, text: str, reference: str) -> None:
    """The answer with what it has and lacks of the reference's."""
    if text == reference:
        _text(answer_html(text), text)
        small(f"word for word the answer of {side.reference}")
        return
    diff = workspace.current().remembered(
        "compared answers", (reference, text), lambda: word_diff(reference, text)
    )
    _text(diff_html(diff) if diff.readable else answer_html(text), text)
    numbers = f"{counted(diff.kept, 'word')} kept, {diff.added:,} added, {diff.dropped:,} dropped"
    blunt = "" if diff.readable else f"; {TOO_DIFFERENT[0].lower()}{TOO_DIFFERENT[1:-1]}"
    small(f"{numbers} against {side.reference}{blunt}")


def failed(side: Side, problem: str, kept: int) -> None:
    """Say what failed, and offer to go on."""
    _ended_early(side, "This column failed.", problem, kept)


def _ended_early(side: Side, head: str, why: str, kept: int) -> None:
    """Why there is no answer, and the way to get one."""
    keeps = f" It keeps {counted(kept, 'answer')}." if kept else ""
    job = slot_runs()[side.slot].job
    if gone := runner.key_gone(job, side.shown.settings(side.slot)):
        small(gone)
    pressed = box(head, f"{why}{keeps}").button(
        "Try again",
        icon=":material/resume:",
        type="tertiary",
        key=f"resume {side.column.name}",
        help="Asks only what has no answer yet.",
    )
    if pressed:
        missing = runs.missing(side.shown)
        runs.start(side.shown, [one for one in missing if one.column == side.column.name])
        st.rerun()
