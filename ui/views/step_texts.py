"""The texts of one step: the answer before, the chunk text that goes in, the answer after.

With the job of the run, its answers can be used and edited; without it they are only shown.
"""

from collections.abc import Iterable, Iterator, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.html.escape import answer_html, tinted_html
from synth.html.provenance import diff_html
from synth.pictures.walk import ChunkPiece, LossKind, Step, StepAnswer
from synth.runs.calls import CallRecord
from synth.runs.trace import Trace
from synth.text.wording import counted
from synth.words.sentences import list_carried
from ui.look.elements import Row, box, error_box, rows_html, section, small
from ui.runs import start
from ui.runs.job import Job
from ui.session import keys
from ui.settings import hosts

_LISTED = 20  # the latest answers of a list, which are shown

_LOST: dict[LossKind, str] = {
    "empty": "The reply has no text, where the answer so far was to be refined.",
    "refers": "The reply only says that the answer stays, and yet replaces it: later calls never"
    " see the answer itself.",
    "shorter": "The reply has few of the words of the answer that it was to refine.",
}


def draw(trace: Trace, job: Job | None, step: Step, number: int) -> None:
    """Draw the texts of a step by its shape; of a level those of the call of this number."""
    if step.shape == "chain":
        _chain(trace, job, step)
    elif step.shape == "list":
        _growing(trace, job, step)
    else:
        _call_of_level(trace, job, step, number)


def _chain(trace: Trace, job: Job | None, step: Step) -> None:
    """Draw a step of a chain: answer so far, new chunk text, new answer with its changes marked."""
    parts = _columns(3 if step.before else 2)
    if step.before:
        with next(parts):
            _before(trace, step)
    with next(parts):
        _new_text(step.pieces, step.tokens)
    with next(parts):
        if step.lost:
            box("An answer was lost.", _LOST[step.lost])
        changes = ""
        if step.before:
            changes = f" · {step.diff.in_words}"
        _outcome(trace, job, step.calls[0], changes, diff_html(step.diff) if step.before else None)


def _growing(trace: Trace, job: Job | None, step: Step) -> None:
    """Draw a step of a list: the new chunk text, its answer, and the list so far."""
    new, after, so_far = _columns(3)
    with new:
        _new_text(step.pieces, step.tokens)
    with after:
        _outcome(trace, job, step.calls[0])
    with so_far:
        section(f"The list so far · {counted(len(step.after), 'answer')}")
        if len(step.after) > _LISTED:
            small(f"The first {len(step.after) - _LISTED:,} are not shown.")
        _answers(trace, step.after[-_LISTED:])


def _call_of_level(trace: Trace, job: Job | None, step: Step, number: int) -> None:
    """Draw one call of a level: the answers and the chunk text that it reads, and its answer."""
    [call] = [call for call in step.calls if call.number == number]
    read = list_carried(call, "answer")
    chunks = trace.setup.chunks
    pieces = {
        (number, chunks[number - 1][start:end])
        for kind, number, start, end in call.origins
        if kind == "chunk"
    }
    before, after = _columns(2)
    with before:
        if read:
            section(f"Call {call.number} reads {counted(len(read), 'answer')}")
            _answers(trace, [answer for answer in step.before if answer.number in read])
        if pieces or not read:
            of_call = [piece for piece in step.pieces if (piece.chunk, piece.text) in pieces]
            _new_text(of_call, sum(piece.tokens for piece in of_call))
    with after:
        _outcome(trace, job, call)


def _columns(count: int) -> Iterator[DeltaGenerator]:
    with st.container(key="two_step"):
        return iter(st.columns(count, gap="medium"))


def _before(trace: Trace, step: Step) -> None:
    tokens = sum(trace.setup.tokenizer.count(answer.text) for answer in step.before)
    section(f"Answer so far · {counted(tokens, 'token')}")
    for answer in step.before:
        st.html(tinted_html(answer.text, "answer"))


def _new_text(pieces: Sequence[ChunkPiece], tokens: int) -> None:
    if not pieces:
        section("New")
        small("No chunk text goes in.")
        return
    if len(pieces) == 1:
        section(f"New: {pieces[0].label} · {counted(tokens, 'token')}")
        st.html(tinted_html(pieces[0].text, "context"))
        return
    section(f"New: {counted(len(pieces), 'piece')} of chunks · {counted(tokens, 'token')}")
    st.html(rows_html(map(_piece, pieces)))


def _piece(piece: ChunkPiece) -> Row:
    part = f"{piece.part} of chunk {piece.chunk}" if piece.part else ""
    note = " · ".join(filter(None, (part, counted(piece.tokens, "token"))))
    return Row("context", f"{piece.chunk}", piece.text, note)


def _answers(trace: Trace, answers: Iterable[StepAnswer]) -> None:
    tokens = {call.number: call.output_tokens for call in trace.calls}
    rows = (
        Row("answer", f"{number}", text, counted(tokens[number], "token"))
        for number, text in answers
    )
    st.html(rows_html(rows))


def _outcome(
    trace: Trace,
    job: Job | None,
    call: CallRecord,
    changes: str = "",
    marked: str | None = None,
) -> None:
    """The new answer, as `marked` HTML if that is given, or the editor while it is edited."""
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
        section(f"New answer · {counted(call.output_tokens, 'token')}{changes}{_origin(job, call)}")
        st.html(marked or answer_html(call.answer))
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
