"""One call in detail: its budget bar, its prompt and its answer."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from synth.calls import CallRecord, PlannedCall
from synth.wording import counted, duration, listed, numbered
from ui.figures import budget_alt, budget_bars
from ui.look.elements import NARROW, box, section, sentence, small
from ui.look.escape import Bold, answer_html, prompt_html
from ui.session import keys
from ui.views.shared import RunView, legend, sized


def selected(view: RunView) -> int:
    """The number of the open call, 1 if none was opened."""
    return max(1, min(int(st.session_state.get(keys.OPEN_CALL, 1)), len(view.run.calls)))


def select(number: int) -> None:
    """Open a call. Its table is drawn as a new one, since a table reads its selection only once."""
    st.session_state[keys.OPEN_CALL] = number
    st.session_state[keys.CALLS_OPENED] = st.session_state.get(keys.CALLS_OPENED, 0) + 1


def detail(view: RunView, width: int = NARROW) -> None:
    """Draw the bar, the prompt and the answer of the open call, in this width in pixels."""
    number = selected(view)
    call = view.run.calls[number - 1]
    with st.container(horizontal=True, vertical_alignment="center", key="call_head"):
        sentence([Bold(f"Call {number}"), f" of {len(view.run.calls):,} · reads {reads(call)}"])
        _step("Previous", ":material/chevron_left:", number - 1, number == 1)
        _step("Next", ":material/chevron_right:", number + 1, number == len(view.run.calls))
    rows = [view.row(call)]
    at_width = replace(view, width=width)
    sized(at_width, partial(budget_bars, rows, view.look), "call_bar", budget_alt(rows))
    legend(rows)
    for note in call.notes:
        small(f"Note: {note}")
    with st.container(border=True):
        st.html(prompt_html(call.prompt, tokenizer=view.run.setup.tokenizer))
    if isinstance(call, CallRecord):
        _answer(call, call.number in view.edited)
    elif not call.exact:
        small("The answers in this prompt are placeholders of the assumed length.")


def reads(call: PlannedCall | CallRecord, brief: bool = False) -> str:
    """The chunks and answers in the prompt of a call, in words; `brief` is for a table."""
    chunks, answers = (
        sorted({origin.number for origin in call.origins if origin.kind == kind})
        for kind in ("chunk", "answer")
    )
    words = [numbered("chunk", chunks)] if chunks or not answers else []
    if answers:
        prefix = "the answer of " if len(answers) == 1 else "the answers of "
        words.append(("" if brief else prefix) + numbered("call", answers))
    return listed(words)


def _step(label: str, icon: str, number: int, disabled: bool) -> None:
    st.button(label, icon=icon, disabled=disabled, on_click=select, args=(number,))


def _answer(call: CallRecord, edited: bool) -> None:
    """The answer of a call with its size and its time, or the reason why there is none."""
    if call.error is not None:
        box("Stopped." if call.stopped else "This call failed.", call.error)
        if call.reply:
            section("The part of the answer that had arrived")
            st.html(answer_html(call.reply))
        return
    took = duration(call.seconds) + (f", try {call.tries}" if call.tries > 1 else "")
    if edited:
        took = "edited by hand"
    elif call.replayed:
        took = f"reused; took {took} originally"
    section(f"Answer of call {call.number} · {counted(call.output_tokens, 'token')} · {took}")
    if not call.satisfied:
        small("Filtered: the model said that this text does not answer the question.")
    if call.answer:
        st.html(answer_html(call.answer))
    else:
        small("The model returned an empty answer.")
