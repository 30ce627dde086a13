"""The line below an answer: what should have been in it, and where that was lost."""

from __future__ import annotations

from typing import Any

import streamlit as st

from synth.quality import Fact, Follower, follow, read_facts
from synth.trace import Trace
from synth.wording import counted
from ui.look.elements import sentence, small
from ui.request.from_settings import request_from
from ui.run.job import Job
from ui.session import keys, workspace
from ui.settings import fact_texts, state
from ui.trace.fact_words import path_sentence
from ui.views import change_card


def draw(trace: Trace, job: Job) -> None:
    """The field for a fact, and what became of it in this run."""
    values = workspace.current().values
    if keys.EXPECTED not in st.session_state:
        st.session_state[keys.EXPECTED] = values.get(keys.EXPECTED, "")
    typed = st.text_input(
        "Should have been in the answer",
        key=keys.EXPECTED,
        on_change=_store,
        placeholder="a fact, or several wordings of it: 8 instead of 80 | 8, not 80",
        help="The page follows it through this run, and says where it was lost.",
    )
    if not typed.strip():
        _of_the_question(trace)
        return
    try:
        [fact] = read_facts(typed)
    except ValueError as problem:
        small(str(problem))
        return
    _followed(fact, trace, job)


def _store() -> None:
    workspace.current().values[keys.EXPECTED] = st.session_state[keys.EXPECTED]


def _followed(fact: Fact, trace: Trace, job: Job) -> None:
    path = follow(fact, trace, [chunk.text for chunk in state.get("chunks")])
    sentence(path_sentence(path, trace))
    unchanged = job.request == request_from(state.get)
    if path.stage in ("not_sent", "not_retrieved") and path.why != "unfinished" and unchanged:
        change_card.draw(fact, state.get, _take)


def _take(changed: dict[str, Any]) -> None:
    state.take(**changed)


def _of_the_question(trace: Trace) -> None:
    """How many facts of the question are in the answer, where it has any."""
    facts, _ = fact_texts.facts_of(trace.setup.query)
    if not facts:
        return
    follower = Follower(trace)
    held = {fact for fact in facts if follower.path(fact).stage == "answered"}
    musts = [fact for fact in facts if fact.must]
    arrived = f", {len(held.intersection(musts))} of {len(musts)} that must be" if musts else ""
    of = counted(len(facts), "fact")
    small(f"{len(held)} of {of} of this question are in the answer{arrived}: Compare shows each.")
