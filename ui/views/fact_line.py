"""The fact that is followed: its field, and its way through a run; the facts of the question."""

from collections.abc import Sequence

import streamlit as st

from synth.quality import Fact, FactPath, Follower, read_facts
from synth.quality.facts import Words
from synth.quality.follow import find_in
from synth.quality.samples import SAMPLES
from synth.runs.trace import Trace
from ui.session import keys, parts, workspace
from ui.settings import state
from ui.settings.expected import first_typed, follow_fact
from ui.settings.request import Request
from ui.settings.schema import Chunks
from ui.views.run_views import remembered

_LABEL = "Follow a fact"


def field(query: str) -> None:
    """Draw the field for a fact that the answer should hold; another question has others."""

    def follow() -> None:
        follow_fact(query, st.session_state[keys.EXPECTED])
        parts.redraw_changed()

    st.text_input(
        _LABEL,
        placeholder="a fact the answer must hold",
        label_visibility="collapsed",
        icon=":material/target:",
        **state.bind(keys.EXPECTED, typed_fact(query), follow),
    )


def typed_fact(query: str) -> str:
    """Return the fact that is followed: typed here or in Compare, or the cause of a new sample."""
    values = workspace.current().values
    if values.get(keys.EXPECTED_OF) == query:
        return str(values.get(keys.EXPECTED, ""))
    opens = keys.SETTINGS not in values and query == SAMPLES[0].question
    return SAMPLES[0].cause if opens else first_typed(query)


def read_typed(query: str) -> tuple[tuple[Fact, ...], str]:
    """Read the fact that was typed for this question, if any; else say why it is none."""
    try:
        return read_facts(typed_fact(query))[:1], ""
    except ValueError as wrong:
        return (), str(wrong)


def follow_typed(trace: Trace, chunks: Chunks) -> FactPath | None:
    """Follow the typed fact through this run; None where nothing was typed that is a fact."""
    facts, _ = read_typed(trace.setup.query)
    if not facts:
        return None

    def follow() -> FactPath:
        return Follower(trace, [chunk.text for chunk in chunks]).path(facts[0])

    return remembered(trace, "fact of a run", follow, (facts, chunks))


def find_chunks(request: Request) -> Sequence[int]:
    """Find the numbers of the chunks that have the typed fact, or a part of it each."""
    facts, _ = read_typed(request.query_str)
    if not facts:
        return ()

    def find() -> list[int]:
        texts = [Words(chunk) for chunk in request.text_chunks]
        return [number for number, _ in find_in(texts, facts[0])]

    key = (facts, request.text_chunks)
    return workspace.current().remember("chunks with the fact", key, find)


def is_cause(fact: Fact, query: str) -> bool:
    """Whether a sample calls this fact the cause."""
    return any((one.question, one.cause) == (query, fact.text) for one in SAMPLES)
