"""The view Answer: the answer in one of four forms, the flow, what each call said, the sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from synth.pictures.shapes import BESIDE
from synth.quality import Mention
from synth.runs.trace import Trace
from synth.text.diff import count_words
from synth.text.wording import counted
from ui.look.elements import box, section, small
from ui.look.escape import answer_html, tame_markdown
from ui.run.job import Job
from ui.session.apart import TookTooMuch, apart_if_long
from ui.text.provenance import (
    NOTE,
    UNFOUNDED_NOTE,
    Match,
    joined,
    matches,
    provenance_html,
    quoted_words,
)
from ui.views import fact_line, measures_view, other_modes, shared, sources
from ui.views.shared import RunView

_TAGGED, _PLAIN, _MARKDOWN, _COPY = "Tagged", "Plain", "Markdown", "To copy"


def draw(view: RunView, job: Job) -> None:
    """Draw the answer, the flow of its chunks, the answer of each call, and the sources."""
    trace = view.run
    assert isinstance(trace, Trace)
    with st.container(key="two_answer"):
        left, right = st.columns([7, 5], gap="medium")
    with left:
        text = _text(job, trace)
        found = _matches(view, text, job.chosen) if text else []
        quoted = quoted_words(text or "", found)
        if text:
            _measured(view, replace(trace, response=text), job.chosen, found, quoted)
        else:
            section("Answer")
            small(_NO_ANSWER[text])
        fact_line.draw(view, trace, job)
        if trace.calls:
            section("How it came about")
            shared.flow(replace(view, widths=BESIDE))
            sources.calls(view, trace)
    with right:
        sources.chunks(view, trace, job.request, quoted if text else None)
        other_modes.draw(job.request)


_NO_ANSWER: dict[str | None, str] = {
    None: "There is no answer: the run did not reach its end.",
    "": "The answer is empty; the sources are the result of this mode.",
}


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


def _matches(view: RunView, text: str, chosen: int | None) -> list[Match]:
    chunks = view.run.setup.chunks

    def made() -> list[Match]:
        try:
            found = apart_if_long(sum(map(len, chunks)), matches, text, chunks)
        except TookTooMuch as problem:
            small(f"To look for its words in the chunks {problem}, so none are marked.")
            return [Match(0, len(text), None)]
        return joined(text, found)

    return view.remembered("matches", made, chosen)


def _measured(
    view: RunView, trace: Trace, chosen: int | None, found: list[Match], quoted: dict[int, int]
) -> None:
    """The answer, and its measures if a model gave it."""
    text = trace.response or ""
    if not trace.calls:
        _answer(view, text, found, quoted, ())
        return
    try:
        measures = measures_view.measures_of(view, trace, chosen)
    except TookTooMuch as problem:
        _answer(view, text, found, quoted, ())
        small(f"Its measures {problem}, so there are none.")
        return
    _answer(view, text, found, quoted, measures.unfounded.missing)
    measures_view.draw(trace.setup.query, measures)


def _answer(
    view: RunView,
    text: str,
    found: list[Match],
    quoted: dict[int, int],
    unfounded: Sequence[Mention],
) -> None:
    """The answer in the chosen form, below how much of it stands in the chunks."""
    with st.container(horizontal=True, vertical_alignment="center", key="answer_head"):
        words, found_words = count_words(text), sum(quoted.values())
        share = "all" if words == found_words else f"{found_words:,}" if found_words else "none"
        section(f"Answer · {counted(words, 'word')}, {share} of them word for word in a chunk")
        form = st.segmented_control(
            "Show the answer as",
            (_TAGGED, _PLAIN, _MARKDOWN, _COPY),
            default=_TAGGED,
            required=True,
            label_visibility="collapsed",
            key="answer_form",
            persist_state="session",
            width="content",
        )
    if form == _COPY:
        st.code(text, language=None, wrap_lines=True)
        return
    with st.container(border=True):
        if form == _MARKDOWN:
            st.markdown(tame_markdown(text))
        elif form == _PLAIN:
            st.html(answer_html(text))
        else:
            st.html(provenance_html(text, found, unfounded) + sources.lights(quoted))
    if form == _MARKDOWN:
        small("Images and links are shown as they are written, and not followed.")
    if form == _TAGGED:
        small(f"{NOTE} {UNFOUNDED_NOTE}" if unfounded else NOTE)
