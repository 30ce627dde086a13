"""The texts of a call of a step: the answers that it reads, the chunk text, its own answer.

With the job of the run, its answers can be used and edited; without it they are only shown.
"""

from collections.abc import Iterator, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.html.escape import answer_html, tinted_html
from synth.html.provenance import diff_html
from synth.pictures.walk import ChunkPiece, LossKind, StepAnswer, StepCall
from synth.runs.calls import CallRecord
from synth.runs.trace import Trace
from synth.text.wording import counted
from ui.look.elements import Row, box, error_box, rows_html, section, small
from ui.runs import start
from ui.runs.job import Job
from ui.session import keys
from ui.settings import hosts

_LOST: dict[LossKind, str] = {
    "empty": "The reply has no text, where the answer so far was to be refined.",
    "refers": "The reply only says that the answer stays, and yet replaces it: later calls never"
    " see the answer itself.",
    "shorter": "The reply has few of the words of the answer that it was to refine.",
}


def draw(trace: Trace, job: Job | None, call: StepCall) -> None:
    """Draw what a call reads, and its answer, with the changes in one that it refines."""
    has_new_text = bool(call.pieces or not call.read)
    parts = _columns(1 + (1 if call.read else 0) + (1 if has_new_text else 0))
    if call.read:
        with next(parts):
            _draw_read(trace, call)
    if has_new_text:
        with next(parts):
            _new_text(call.pieces)
    with next(parts):
        if call.lost:
            box("An answer was lost.", _LOST[call.lost])
        _outcome(trace, job, call)


def _columns(count: int) -> Iterator[DeltaGenerator]:
    with st.container(key="two_step"):
        return iter(st.columns(count, gap="medium"))


def _draw_read(trace: Trace, call: StepCall) -> None:
    tokens = {each.number: each.output_tokens for each in trace.calls}
    if call.refines:
        [before] = call.read
        section(f"Answer so far · {counted(tokens[before.number], 'token')}")
        st.html(tinted_html(before.text, "answer"))
        return
    section(f"Call {call.number} reads {counted(len(call.read), 'answer')}")
    st.html(rows_html(_answer(each, tokens[each.number]) for each in call.read))


def _answer(answer: StepAnswer, tokens: int) -> Row:
    return Row("answer", f"{answer.number}", answer.text, counted(tokens, "token"))


def _new_text(pieces: Sequence[ChunkPiece]) -> None:
    tokens = counted(sum(piece.tokens for piece in pieces), "token")
    if not pieces:
        section("New")
        small("No chunk text goes in.")
    elif len(pieces) == 1:
        section(f"New: {pieces[0].label} · {tokens}")
        st.html(tinted_html(pieces[0].text, "context"))
    else:
        section(f"New: {counted(len(pieces), 'piece')} of chunks · {tokens}")
        st.html(rows_html(map(_piece, pieces)))


def _piece(piece: ChunkPiece) -> Row:
    part = f"{piece.part} of chunk {piece.chunk}" if piece.part else ""
    note = " · ".join(filter(None, (part, counted(piece.tokens, "token"))))
    return Row("context", f"{piece.chunk}", piece.text, note)


def _outcome(trace: Trace, job: Job | None, step_call: StepCall) -> None:
    """The new answer, with its changes marked, or the editor while it is edited."""
    call, diff = step_call.call, step_call.diff
    if job is not None and st.session_state.get(keys.EDITED_ANSWER) == (job.serial, call.number):
        editor(job, trace, call)
        return
    if call.answer is None:
        if call.stopped:
            box("Stopped.", call.error or "")
        else:
            error_box(f"Call {call.number} failed.", call.error or "")
    elif not (call.satisfied or call.answer):
        section(f"Filtered · {counted(call.output_tokens, 'token')}{_origin(job, call)}")
        small("The model said that this text does not answer the question.")
    else:
        changes = "" if diff is None else f" · {diff.in_words}"
        section(f"New answer · {counted(call.output_tokens, 'token')}{changes}{_origin(job, call)}")
        st.html(answer_html(call.answer) if diff is None else diff_html(diff))
    if job is not None:
        actions(job, call)


def _origin(job: Job | None, call: CallRecord) -> str:
    if job is None or not call.replayed:
        return ""
    return " · edited by hand" if call.number in job.info.edited else " · replayed"


def actions(job: Job, call: CallRecord) -> None:
    """The buttons that use or edit the answer of a call."""
    with st.container(horizontal=True, key="step_actions"):
        st.button(
            "Use this answer",
            icon=":material/check:",
            disabled=call.answer is None or job.chosen == call.number,
            help="The view Answer then shows this one.",
            on_click=_choose,
            args=(job, call.number),
            key="use_answer",
        )
        st.button(
            "Edit and go on from here",
            icon=":material/edit:",
            on_click=_edit,
            args=((job.serial, call.number),),
            key="edit_answer",
        )
    if job.chosen == call.number:
        small("This is the answer shown in the view Answer.")


def _choose(job: Job, number: int) -> None:
    job.chosen = number


def _edit(call: tuple[int, int] | None) -> None:
    st.session_state[keys.EDITED_ANSWER] = call


def editor(job: Job, trace: Trace, call: CallRecord) -> None:
    """The editor of a call's answer, with the button that starts a branch from it."""
    key = f"edited {job.serial} {call.number}"
    st.text_area("New answer", call.answer or "", height=220, key=key)
    with st.container(horizontal=True, key="edit_actions"):
        st.button(
            "Go on from here",
            type="primary",
            icon=":material/call_split:",
            on_click=_go_on,
            args=(job, trace, call.number, key),
            key="go_on",
            disabled=not job.info.by_person and bool(hosts.why_not(start.settings_of(job))),
        )
        st.button("Cancel", on_click=_edit, args=(None,), key="cancel_edit")
    small(
        "This makes a branch beside this run. Calls whose prompts stay the same cost nothing;"
        " calls that read the changed answer are sent again."
    )


def _go_on(job: Job, trace: Trace, number: int, key: str) -> None:
    text = st.session_state[key]

    def go_on() -> None:
        start.branch(job, trace, number, text)
        _edit(None)

    start.press(go_on)
