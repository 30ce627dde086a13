"""A run that no other page can show, as its trace has it: answer, calls, times, documents."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from synth.pictures.shapes import WIDE
from synth.text.wording import Bold, counted, duration
from synth.traces import IMPORTED
from ui.imports import documents
from ui.imports.opened_file import OpenedFile, OpenedRun
from ui.look.elements import box, lead, section, sentence
from ui.look.escape import sentence_html
from ui.look.html import tag
from ui.views import calls, coverage_view
from ui.views.run_views import RunView

_VIEW = "recorded_view"
_ANSWER, _CALLS, _COVERAGE, _TIMELINE = "answer", "calls", "coverage", "timeline"
_DOCUMENTS = "documents"
_DRAW = {
    _CALLS: calls.draw,
    _COVERAGE: coverage_view.draw,
    _TIMELINE: coverage_view.draw_timeline,
}


def draw(file: OpenedFile) -> None:
    """Draw the run over the whole page, and the way back to what our engine says of it."""
    run = file.shown
    with lead():
        words = [Bold("As it was recorded. "), file.name]
        st.html(sentence_html(words, "headline"), width="stretch")
        st.button(
            "Back to the import",
            icon=":material/arrow_back:",
            on_click=file.look_at_recording,
            args=(False,),
        )
    sentence(_sentence(run))
    view = _choose(run)
    if view == _ANSWER:
        _answer(run)
    elif view == _DOCUMENTS:
        documents.draw(run.run)
    else:
        key = ("as recorded", run.form)
        _DRAW[view](RunView(run.trace, key, WIDE, recorded=True))


def _sentence(run: OpenedRun) -> Iterator[str]:
    recorded = run.run
    if recorded.mode != IMPORTED:
        yield Bold(recorded.mode)
        yield " made "
    yield Bold(counted(len(recorded.calls), "call"))
    tokens = counted(recorded.prompt_tokens, "prompt token")
    yield f" in {duration(recorded.seconds)}: {tokens},"
    yield f" {counted(recorded.output_tokens, 'output token')}. "
    if run.verified:
        yield "Our engine sends the same prompts, so it knows what was sent of each chunk."
    else:
        yield "All of it is from the trace; nothing is computed from it."


def _choose(run: OpenedRun) -> str:
    """Draw the choice of a view; coverage is known only where our engine sends the same."""
    views = [_ANSWER, _CALLS, *([_COVERAGE] if run.verified else []), _TIMELINE, _DOCUMENTS]
    if st.session_state.get(_VIEW) not in views:  # it was chosen for another run
        st.session_state[_VIEW] = _ANSWER
    return str(
        st.segmented_control(
            "View of the recording",
            views,
            required=True,
            label_visibility="collapsed",
            key=_VIEW,
            format_func=str.capitalize,
        )
    )


def _answer(run: OpenedRun) -> None:
    if run.run.query:
        section("The question")
        _text(run.run.query)
    if run.run.response is None:
        failures = [f"Call {call.number:,}: {call.error}" for call in run.run.calls if call.error]
        box("The recording has no answer.", " ".join(failures))
        return
    section("The answer")
    _text(run.run.response)


def _text(text: str) -> None:
    st.html(tag("div.answer.pane", text, dir="auto", tabindex="0"))
