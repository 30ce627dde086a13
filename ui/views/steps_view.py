"""The view Steps: all steps as a figure, the texts of the one that is shown, and its choice."""

import re
from collections.abc import Callable
from time import monotonic

import streamlit as st

from synth.html.escape import answer_html
from synth.html.markup import Html, tag
from synth.html.provenance import diff_html
from synth.pictures.call_list import draw_call, order_read
from synth.pictures.placement import STRIP
from synth.pictures.scene import Target
from synth.pictures.walk import ChunkPiece, Step, StepCall, call_states, steps_of
from synth.runs.calls import CallRecord
from synth.runs.trace import Trace
from synth.text.wording import counted
from synth.words.run_words import step_words
from ui.look import scripts
from ui.look.elements import Row, box, error_box, rows_html, sentence, small
from ui.runs import start
from ui.runs.job import Job
from ui.session import keys
from ui.settings import hosts
from ui.views import calls
from ui.views.run_views import bars_of, draw_picture, draw_remembered, remembered


def draw(trace: Trace, job: Job | None = None, way_on: Callable[[], object] | None = None) -> None:
    """Draw all steps with the chosen one marked, its texts, and the budget of its call.

    With the `job` its answers can be edited. `way_on` draws a button beside those of the steps.
    """
    steps = remembered(trace, "steps", lambda: steps_of(trace))
    step = steps[current(len(steps)) - 1]
    with st.container(horizontal=True, vertical_alignment="center", key="step_head"):
        sentence(step_words(step))
        with st.container(horizontal=True, width="content", key="step_controls"):
            controls(step.number, step.total)
        if way_on is not None:
            way_on()
    call = step.call(calls.read_open_call(trace))
    with st.container(key="steps_and_slider"):
        _draw_steps(trace, steps, step, call.call.number)
        slider(step.number, step.total)
    _draw_texts(trace, job, call)


def _draw_steps(trace: Trace, steps: list[Step], step: Step, number: int) -> None:
    """Draw the run so far, with what the open call reads; a click goes to the step of a call."""

    def clicked(target: Target) -> None:
        kind, clicked_number = target
        for any_step in steps:
            if kind == "call" and any(one.call.number == clicked_number for one in any_step.calls):
                calls.open_call(clicked_number)
                go(any_step.number)

    states = call_states(steps, step.number)
    draw_picture(trace, "steps", states=states, selected=number, clicked=clicked, size=STRIP)


_NUMBER = re.compile("[0-9]{1,9}")
_SLIDER = "step on the slider"
_PACE = 1.5  # seconds a step is shown while the run plays


def current(total: int) -> int:
    """The number of the step that is shown: the session's, else the URL's, else the first."""
    chosen = str(st.session_state.get(keys.STEP, st.query_params.get(keys.STEP, "1")))
    number = max(1, min(int(chosen) if _NUMBER.fullmatch(chosen) else 1, total))
    st.session_state[keys.STEP] = number
    if st.query_params.get(keys.STEP) != str(number):
        st.query_params[keys.STEP] = str(number)
    return number


def go(number: int) -> None:
    """Show a step, and stop playing."""
    st.session_state[keys.STEP] = number
    pause()


def pause() -> None:
    """Stop playing at the step that is shown."""
    st.session_state[keys.PLAYING] = False


def controls(number: int, total: int) -> None:
    """The buttons Previous step, Play or Pause, and Next step."""
    playing = bool(st.session_state.get(keys.PLAYING)) and number < total
    st.button(
        "Previous step",
        icon=":material/chevron_left:",
        shortcut="Left",
        disabled=number == 1,
        on_click=_move,
        args=(-1,),
        key="step_back",
    )
    st.button(
        "Pause" if playing else "Play",
        icon=":material/pause:" if playing else ":material/play_arrow:",
        disabled=total == 1,
        on_click=_play,
        args=(not playing, number == total),
        key="step_play",
    )
    st.button(
        "Next step",
        icon=":material/chevron_right:",
        shortcut="Right",
        disabled=number == total,
        on_click=_move,
        args=(1,),
        key="step_on",
    )
    scripts.free_the_arrows()
    if playing:
        st.fragment(_tick, run_every=_PACE)(total)


def slider(number: int, total: int) -> None:
    """The slider over all steps, if there are several."""
    if total == 1:
        return
    st.session_state[_SLIDER] = number
    with st.container(key="step_slider"):
        st.slider("Step", 1, total, key=_SLIDER, label_visibility="collapsed", on_change=_slid)


def _slid() -> None:
    go(st.session_state[_SLIDER])


def _move(by: int) -> None:
    """Move from the step in the session, so that keys pressed before a redraw all count."""
    go(st.session_state[keys.STEP] + by)


def _play(on: bool, again: bool) -> None:
    """Start or stop playing; with `again`, from the first step."""
    if again:
        st.session_state[keys.STEP] = 1
    st.session_state[keys.PLAYING] = on
    st.session_state[keys.TICKED] = monotonic()


def _tick(total: int) -> None:
    """Show the next step if it is time; the fragment also runs whenever the page is drawn."""
    if monotonic() - st.session_state[keys.TICKED] < _PACE * 0.8:
        return
    st.session_state[keys.TICKED] = monotonic()
    st.session_state[keys.STEP] += 1
    st.session_state[keys.PLAYING] = st.session_state[keys.STEP] < total
    st.rerun()


def _draw_texts(trace: Trace, job: Job | None, call: StepCall) -> None:
    """Draw the answer of a call, below it the call, and below that what it reads."""
    _draw_answer(trace, job, call)
    number = call.call.number
    bar = bars_of(trace)[number - 1]
    draw_remembered(trace, "opened_call", lambda: draw_call(bar, trace.setup, opened=True), number)
    kinds = order_read(bar)
    cards = (_answers(call) if kind == "answer" else _pieces(call) for kind in kinds)
    st.html(tag("div.step-read", *cards))


def _card(kind: str, title: str, *content: Html) -> Html:
    return tag(f"div.step-card.of-{kind}", tag("div.small.muted.num", tag("b", title)), *content)


def _answers(call: StepCall) -> Html:
    """What it reads of earlier answers: the one that it refines, or several."""
    if len(call.read) == 1:
        [read] = call.read
        title = f"Answer {read.number} · {counted(read.output_tokens, 'token')}"
        return _card("answer", title, answer_html(read.answer or ""))
    rows = (
        Row("answer", f"{one.number}", one.answer or "", counted(one.output_tokens, "token"))
        for one in call.read
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
        _draw_editor(job, trace, call)
        return
    if job is not None:
        with st.container(horizontal=True, horizontal_alignment="right", key="step_actions"):
            st.button(
                "Edit and go on from here",
                type="tertiary",
                icon=":material/edit:",
                on_click=_edit,
                args=((job.serial, call.number),),
                key="edit_answer",
            )
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


def _edit(call: tuple[int, int] | None) -> None:
    st.session_state[keys.EDITED_ANSWER] = call


def _draw_editor(job: Job, trace: Trace, call: CallRecord) -> None:
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
