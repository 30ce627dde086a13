"""A lost fact is put back into the answer of the call that left it out, and the run goes on."""

from functools import partial
from typing import Literal, NamedTuple

import streamlit as st

from synth.quality import Fact, FactPath
from synth.quality.sending import find_stretches
from synth.quality.words import Words
from synth.runs.trace import Trace
from synth.text.sentences import join_sentences, paragraphs
from synth.text.wording import short
from ui.runs import start
from ui.runs.job import Job
from ui.settings import hosts

_LONGEST = 120  # characters of the sentence that is shown


class PutBack(NamedTuple):
    """The number of a call, and its answer with the sentence that was added to it."""

    call: int
    added: str
    text: str


def draw_button(
    back: PutBack, trace: Trace, job: Job, type: Literal["primary", "secondary"]
) -> None:
    """Draw the button that starts a branch with the fact in the answer that left it out."""
    st.button(
        "Put it back and go on",
        icon=":material/playlist_add:",
        type=type,
        key="put_back",
        help=f"It adds “{short(back.added, _LONGEST)}” to the answer of call {back.call}. The calls"
        " that read it are asked anew.",
        on_click=_go_on,
        args=(job, trace, back),
        disabled=not job.info.by_person and bool(hosts.why_not(start.settings_of(job))),
    )


def _go_on(job: Job, trace: Trace, back: PutBack) -> None:
    start.press(partial(start.branch, job, trace, back.call, back.text))


def make(path: FactPath, trace: Trace) -> PutBack | None:
    """Make the answer that has the fact; None where no call left it out."""
    if path.why != "left_out" or path.call is None:
        return None
    answers = {call.number: call.answer or "" for call in trace.calls}
    place = path.evidence[0]
    source = answers[place.number] if place.kind == "answer" else ""
    if place.kind == "chunk":
        source = trace.setup.chunks[place.number - 1]
    added = _find_sentence(path.fact, source)
    text = join_sentences([*filter(None, [answers[path.call]]), added])
    return PutBack(path.call, added, text)


def _find_sentence(fact: Fact, text: str) -> str:
    """Find the sentence of a text that says the fact; the fact's own words where none does."""
    sentences = (sentence for part in paragraphs(text) for sentence in part)
    says = (sentence for sentence in sentences if find_stretches(fact, Words(sentence)))
    return next(says, fact.text)
