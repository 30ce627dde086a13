"""Where one fact was lost: the chunks and the cut, or the prompt and the answers around it."""

from collections.abc import Sequence

import streamlit as st

from synth.html.escape import answer_html, from_html, prompt_html
from synth.html.markup import Html, tag
from synth.html.provenance import diff_html
from synth.pictures.coverage import fact_strip
from synth.pictures.shapes import BESIDE, shown
from synth.quality import Cut, FactPath, Place, Sending, SentText
from synth.runs.calls import CallRecord
from synth.runs.coverage import ChunkCoverage
from synth.runs.trace import Plan, Trace
from synth.text.diff import word_diff
from synth.words.fact_words import path_sentence
from synth.words.sentences import carried
from ui.look.elements import section, sentence, small
from ui.look.scripts import draw_picture


def draw(path: FactPath, trace: Trace) -> None:
    """The sentence about the fact, and the texts in which it was seen last."""
    sentence(path_sentence(path, trace))
    if path.stage == "not_sent":
        _not_sent(path, trace)
    elif path.stage == "not_read":
        _chunks(trace, path.evidence, None)
        _whole_prompt(trace, _call(trace, path.sent[-1]))
    elif path.stage == "not_answered":
        last = _call(trace, path.call or path.sent[-1])
        _prompt(path, trace, last)
        _answer(last)
    elif path.stage == "dropped":
        _dropped(path, trace)
    elif path.stage in ("answered", "denied"):
        _said(path, trace)


def draw_planned(sending: Sending, plan: Plan) -> None:
    """The chunks as a plan sends them, with the fact and the cut before it."""
    if sending.places:
        _chunks(plan, sending.places, sending.cut)


def _said(path: FactPath, trace: Trace) -> None:
    """The answer that says or denies the fact, and the last prompt that had it."""
    place = path.evidence[0]
    text, source = trace.response or "", "the answer"
    if place.kind == "answer":
        text, source = _call(trace, place.number).answer or "", f"call {place.number}"
    st.html(_marked_html(text, path.evidence, "answer", source))
    if path.sent:
        _prompt(path, trace, _call(trace, path.sent[-1]))


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
    if cut is not None and not place.goes_on:
        st.html(_cut_html(run.coverage, cut, place))
    else:
        _marked_chunks(run, places)


def _dropped(path: FactPath, trace: Trace) -> None:
    held = _call(trace, path.evidence[0].number)
    section(f"The answer of call {held.number} held it")
    st.html(_marked_html(held.answer or "", path.evidence, "answer", f"call {held.number}"))
    lost = _call(trace, path.call or held.number)
    if lost.number != held.number and lost.answer is not None:
        section(f"What call {lost.number} made of that answer")
        diff = word_diff(held.answer or "", lost.answer)
        st.html(diff_html(diff) if diff.readable else answer_html(lost.answer))
    _whole_prompt(trace, lost)


def _prompt(path: FactPath, trace: Trace, call: CallRecord) -> None:
    """The prompt of a call, open at the place of the fact."""
    found = SentText(trace.setup, [call]).sending(path.fact).places
    chunks = carried(call, "chunk")
    places = [place for place in found if place.number in chunks]
    if places:
        section(f"In the prompt of call {call.number}")
        _marked_chunks(trace, places)
    _whole_prompt(trace, call)


def _marked_chunks(run: Plan | Trace, places: Sequence[Place]) -> None:
    """The chunk of the first place; also the next one, where the fact ends there."""
    number = places[0].number
    text = run.setup.chunks[number - 1]
    st.html(_marked_html(text, places, "context", f"chunk {number}"))
    if places[0].goes_on and places[1:]:
        _marked_chunks(run, places[1:])


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


_AROUND = 220  # characters on each side of a fact
_WORD = 20  # characters within which a word ends


def _marked_html(text: str, places: Sequence[Place], kind: str, label: str) -> Html:
    """The text around the first of these places, with the places in it marked.

    `kind` is "context" or "answer"; `label` says where the text comes from.
    """
    first = places[0]
    start, end = _at_a_word(text, first.start - _AROUND), min(len(text), first.end + _AROUND)
    parts, at = ["… " * (start > 0)], start
    for place in places:
        if place.number == first.number and start <= place.start and place.end <= end:
            parts += [text[at : place.start], _fact(text[place.start : place.end])]
            at = place.end
    parts += [text[at:end], " …" * (end < len(text))]
    return tag("div.prompt", from_html(label, kind), tag(f"span.s-{kind}", *parts), dir="auto")


def _cut_html(chunks: Sequence[ChunkCoverage], cut: Cut, place: Place) -> Html:
    """The end of the text that was sent, and the text up to the fact, which was not."""
    last, fact = chunks[cut.chunk - 1], chunks[place.number - 1]
    start = _at_a_word(last.text, cut.at - _AROUND // 2)
    sent = "… " * (start > 0) + last.text[start : cut.at]
    parts = [_tag(cut.chunk), tag("span.s-context", sent)]
    end = place.end + _AROUND // 2
    after = fact.text[place.end : end] + " …" * (end < len(fact.text))
    begins = cut.at if cut.chunk == place.number else 0
    between = fact.text[begins : place.start]
    if cut.chunk != place.number:
        parts += [tag("span.lost-text", _ends(last.text[cut.at :])), _tag(place.number)]
    words = _fact(fact.text[place.start : place.end])
    if place.start < cut.at and cut.chunk == place.number:  # the cut goes through the fact
        words, between = _fact(fact.text[cut.at : place.end]), ""
    parts.append(tag("span.lost-text", _ends(between), words, after))
    return tag("div.prompt", *parts, dir="auto")


def _fact(text: str) -> Html:
    return tag("b.fact", text)


def _at_a_word(text: str, start: int) -> int:
    """The start of the next word, if one is near; Chinese has no spaces."""
    if start <= 0:
        return 0
    space = text.find(" ", start, start + _WORD)
    return start if space < 0 else space + 1


def _ends(text: str) -> str:
    """The text, or its two ends."""
    if len(text) <= _AROUND:
        return text
    return f"{text[: _AROUND // 2]} … {text[-_AROUND // 2 :]}"


def _tag(chunk: int) -> Html:
    return from_html(f"chunk {chunk}", "context")
