"""A call of a step: its answer, its bar, and the answers and the chunk text that it reads.

With the job of the run, its answers can be edited; without it they are only shown.
"""

import streamlit as st

from synth.html.escape import answer_html
from synth.html.markup import Html, tag
from synth.html.provenance import diff_html
from synth.pictures.walk import ChunkPiece, StepCall
from synth.runs.calls import CallRecord
from synth.runs.trace import Trace
from synth.text.wording import counted
from ui.look.elements import Row, box, error_box, rows_html, small
from ui.runs import start
from ui.runs.job import Job
from ui.session import keys
from ui.settings import hosts
from ui.views.run_views import opened_call

_LOST = (
    "The reply has few of the words of the answer that it was to refine, and yet replaces it: later"
    " calls never see that answer itself."
)


def draw(trace: Trace, job: Job | None, call: StepCall) -> None:
    """Draw the answer of a call, below it the call, and below that what it reads."""
    if call.lost:
        box("An answer was lost.", _LOST)
    _draw_answer(trace, job, call)
    kinds = opened_call(trace, call.number)
    cards = (_answers(trace, call) if kind == "answer" else _pieces(call) for kind in kinds)
    st.html(tag("div.step-read", *cards))


def _card(kind: str, title: str, *content: Html) -> Html:
    return tag(f"div.step-card.of-{kind}", tag("div.small.muted.num", tag("b", title)), *content)


def _answers(trace: Trace, call: StepCall) -> Html:
    """What it reads of earlier answers: the one that it refines, or several."""
    tokens = {each.number: each.output_tokens for each in trace.calls}
    if len(call.read) == 1:
        [answer] = call.read
        title = f"Answer {answer.number} · {counted(tokens[answer.number], 'token')}"
        return _card("answer", title, answer_html(answer.text))
    rows = (
        Row("answer", f"{answer.number}", answer.text, counted(tokens[answer.number], "token"))
        for answer in call.read
    )
    return _card("answer", counted(len(call.read), "answer"), rows_html(rows))


def _pieces(call: StepCall) -> Html:
    tokens = counted(sum(piece.tokens for piece in call.pieces), "token")
    if len(call.pieces) == 1:
        [piece] = call.pieces
        return _card("context", f"{piece.label.capitalize()} · {tokens}", answer_html(piece.text))
    title = f"{counted(len(call.pieces), 'piece')} of chunks · {tokens}"
    return _card("context", title, rows_html(map(_piece, call.pieces)))


def _piece(piece: ChunkPiece) -> Row:
    part = f"{piece.part} of chunk {piece.chunk}" if piece.part else ""
    note = " · ".join(filter(None, (part, counted(piece.tokens, "token"))))
    return Row("context", f"{piece.chunk}", piece.text, note)


def _draw_answer(trace: Trace, job: Job | None, step_call: StepCall) -> None:
    """Draw the answer, with its changes marked, or the editor while it is edited."""
    call, diff = step_call.call, step_call.diff
    if job is not None and st.session_state.get(keys.EDITED_ANSWER) == (job.serial, call.number):
        editor(job, trace, call)
        return
    if job is not None:
        _edit_button(job, call)
    size = f"{counted(call.output_tokens, 'token')}{_origin(job, call)}"
    if call.answer is None:
        if call.stopped:
            box("Stopped.", call.error or "")
        else:
            error_box(f"Call {call.number} failed.", call.error or "")
    elif not call.satisfied:
        says = tag("div.small", "The model said that this text does not answer the question.")
        st.html(_card("answer", f"Filtered · {size}", says, answer_html(call.answer)))
    else:
        text = answer_html(call.answer) if diff is None else diff_html(diff)
        st.html(_card("answer", f"Answer {call.number} · {size}", text))


def _origin(job: Job | None, call: CallRecord) -> str:
    if job is None or not call.replayed:
        return ""
    return " · edited by hand" if call.number in job.info.edited else " · replayed"


def _edit_button(job: Job, call: CallRecord) -> None:
    """The button that edits the answer of a call, in the corner of what follows."""
    with st.container(horizontal=True, horizontal_alignment="right", key="step_actions"):
        st.button(
            "Edit and go on from here",
            type="tertiary",
            icon=":material/edit:",
            on_click=_edit,
            args=((job.serial, call.number),),
            key="edit_answer",
        )


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
