"""The view Answer: the answer in one of four forms, the flow, and the sources."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import streamlit as st

from synth.trace import Trace
from synth.wording import counted
from ui.look.elements import NARROW, box, section, small
from ui.look.escape import answer_html, short, tame_markdown
from ui.request.request import Request
from ui.run.job import Job
from ui.text.provenance import NOTE, Match, matches, provenance_html
from ui.views import shared
from ui.views.shared import RunView

_SOURCES = 20  # shown here; the view Data has all of them
_TEXT, _WORDS, _MARKDOWN, _COPY = "Plain text", "Words in the chunks", "Markdown", "To copy"


def draw(view: RunView, job: Job) -> None:
    """Draw the answer, the flow of its chunks, and its sources."""
    trace = view.run
    assert isinstance(trace, Trace)
    with st.container(key="two_answer"):
        left, right = st.columns([7, 5], gap="medium")
    with left:
        section("Answer")
        text = _text(job, trace)
        if text is None:
            small("There is no answer: the run did not reach its end.")
        elif text:
            _answer(view, text, job.chosen)
        else:
            small("The answer is empty; the sources are the result of this mode.")
        if trace.calls:
            section("How it came about")
            shared.flow(replace(view, width=NARROW))
    with right:
        _sources(job.request)


def _text(job: Job, trace: Trace) -> str | None:
    """The answer of the run, or the one that a person chose instead."""
    if job.chosen is None:
        return trace.response
    head = f"This is the answer of call {job.chosen}, not the run's own."
    box(head, "It was chosen in the view Steps.").button(
        "Back to the run's own answer", type="tertiary", on_click=_unchoose, args=(job,)
    )
    [answer] = [call.answer for call in trace.calls if call.number == job.chosen]
    return answer


def _unchoose(job: Job) -> None:
    job.chosen = None


def _answer(view: RunView, text: str, chosen: int | None) -> None:
    """The answer in the chosen form."""
    form = st.segmented_control(
        "Show the answer as",
        (_TEXT, _WORDS, _MARKDOWN, _COPY),
        default=_TEXT,
        required=True,
        label_visibility="collapsed",
        key="answer_form",
        persist_state="session",
    )
    if form == _COPY:
        st.code(text, language=None, wrap_lines=True)
        return
    with st.container(border=True):
        if form == _MARKDOWN:
            st.markdown(tame_markdown(text))
        elif form == _WORDS:
            st.html(provenance_html(text, _matches(view, text, chosen)))
        else:
            st.html(answer_html(text))
    if form == _WORDS:
        small(NOTE)
    if form == _MARKDOWN:
        small("Images and links are shown as they are written, and not followed.")


def _matches(view: RunView, text: str, chosen: int | None) -> list[Match]:
    return view.remembered("matches", lambda: matches(text, view.run.setup.chunks), chosen)


def _sources(request: Request) -> None:
    """The chunks that went into the run, with their position in the list and their score."""
    section(f"Sources · {counted(len(request.chunks), 'chunk')}")
    rows = zip(request.chunks, request.positions, request.scores, strict=True)
    for number, (chunk, position, score) in enumerate(islice(rows, _SOURCES), 1):
        rank = "" if score is None else f" · chunk {position + 1} of the list, score {score:.2f}"
        small(f"{number}{rank} · {short(chunk, 140)}")
    if len(request.chunks) > _SOURCES:
        small(f"and {len(request.chunks) - _SOURCES:,} more")
