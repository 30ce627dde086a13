"""Where one fact was lost: the chunks and the cut, or the prompt and the answers around it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from synth.pictures.coverage import fact_strip
from synth.pictures.shapes import BESIDE, shown
from synth.quality import Cut, FactPath, Place, Sending, SentText
from synth.runs.calls import CallRecord
from synth.runs.trace import Plan, Trace
from synth.text.diff import word_diff
from ui.look.elements import section, sentence, small
from ui.look.escape import answer_html, prompt_html
from ui.look.picture_element import draw_picture
from ui.text.diff import diff_html
from ui.trace.fact_words import path_sentence
from ui.views.fact_html import cut_html, marked_html


def draw(path: FactPath, trace: Trace) -> None:
    """The sentence about the fact, and the texts in which it was seen last."""
    sentence(path_sentence(path, trace))
    if path.stage == "not_sent":
        _not_sent(path, trace)
    elif path.stage == "not_answered":
        _prompt(path, trace, _call(trace, path.sent[-1]))
        _answer(_call(trace, path.sent[-1]))
    elif path.stage == "dropped":
        _dropped(path, trace)
    elif path.stage == "answered":
        st.html(marked_html(trace.response or "", path.evidence, "answer", "the answer"))
        if path.sent:
            _prompt(path, trace, _call(trace, path.sent[-1]))


def draw_planned(sending: Sending, plan: Plan) -> None:
    """The chunks as a plan sends them, with the fact and the cut before it."""
    if sending.places:
        _chunks(plan, sending.places, sending.cut if not sending.calls else None)


def _not_sent(path: FactPath, trace: Trace) -> None:
    _chunks(trace, path.evidence, path.cut)
    if path.cut is not None:
        _whole_prompt(trace, _call(trace, path.cut.call))


def _chunks(run: Plan | Trace, places: Sequence[Place], cut: Cut | None) -> None:
    place = places[0]
    pictures = [fact_strip(run.coverage, place.number, place.start, width) for width in BESIDE]
    if strips := [picture for picture in pictures if picture is not None]:
        small(f"{strips[0].alt}; ▼ the fact")
        draw_picture(shown(strips), "fact_strip")
    if cut is not None:
        st.html(cut_html(run.coverage, cut, place))
    else:
        text = run.setup.chunks[place.number - 1]
        st.html(marked_html(text, places, "context", f"chunk {place.number}"))


def _dropped(path: FactPath, trace: Trace) -> None:
    held = _call(trace, path.evidence[0].number)
    section(f"The answer of call {held.number} held it")
    st.html(marked_html(held.answer or "", path.evidence, "answer", f"call {held.number}"))
    lost = _call(trace, path.call or held.number)
    if lost.number != held.number and lost.answer is not None:
        section(f"What call {lost.number} made of that answer")
        diff = word_diff(held.answer or "", lost.answer)
        st.html(diff_html(diff) if diff.readable else answer_html(lost.answer))
    _whole_prompt(trace, lost)


def _prompt(path: FactPath, trace: Trace, call: CallRecord) -> None:
    """The prompt of a call, open at the place of the fact."""
    found = SentText(trace.setup, [call]).sending(path.fact).places
    carried = {origin.number for origin in call.origins if origin.kind == "chunk"}
    places = [place for place in found if place.number in carried]
    if places:
        section(f"In the prompt of call {call.number}")
        _chunk(trace, places)
    _whole_prompt(trace, call)


def _chunk(trace: Trace, places: list[Place]) -> None:
    number = places[0].number
    st.html(marked_html(trace.setup.chunks[number - 1], places, "context", f"chunk {number}"))


def _answer(call: CallRecord) -> None:
    section(f"The answer of call {call.number}")
    if call.answer:
        st.html(answer_html(call.answer))
    else:
        small("There is none." if call.answer is None else "It is empty.")


def _whole_prompt(trace: Trace, call: CallRecord) -> None:
    with st.expander(f"The whole prompt of call {call.number}"):
        st.html(prompt_html(call.prompt, tokenizer=trace.setup.tokenizer))


def _call(trace: Trace, number: int) -> CallRecord:
    return next(call for call in trace.calls if call.number == number)
