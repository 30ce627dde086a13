"""The line below an answer: what should have been in it, where it was lost, what would send it."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

import streamlit as st

from synth.html.markup import Html, table
from synth.quality import Change, Choice, Fact, FactPath, Follower, read_facts, smallest_changes
from synth.quality.smallest_change import MOST_SEARCHED
from synth.runs.trace import Plan, Trace
from synth.text.wording import Bold, agreeing, counted
from synth.words.change_words import TOO_LONG, change_cost, change_price, change_words, modes_like
from synth.words.fact_words import losing_call, path_sentence
from ui.look.elements import sentence, small
from ui.plans.page_inputs import PageInputs
from ui.runs.job import Job
from ui.session import keys, workspace
from ui.settings import state
from ui.settings.chunk_list import Chunks
from ui.settings.expected import facts_of
from ui.settings.request import Request
from ui.views import call_detail, put_back
from ui.views.run_views import remembered

_LABEL = "Follow a fact"


def field(query: str) -> None:
    """Draw the field for a fact that the answer should hold; another question has others."""
    values = workspace.current().values
    if values.get(keys.EXPECTED_OF) != query:
        values[keys.EXPECTED_OF], values[keys.EXPECTED] = query, ""
    bound = state.bind_to_workspace(keys.EXPECTED, "")
    store = bound.pop("on_change")
    arguments = bound.pop("args", ())

    def follow() -> None:
        store(*arguments)
        state.redraw_changed()

    st.text_input(
        _LABEL,
        placeholder="a fact the answer must hold",
        label_visibility="collapsed",
        icon=":material/target:",
        on_change=follow,
        **bound,
    )


def typed_fact(query: str) -> str:
    """Return what was typed for this question."""
    values = workspace.current().values
    return str(values.get(keys.EXPECTED, "")) if values.get(keys.EXPECTED_OF) == query else ""


def draw(trace: Trace, job: Job, inputs: PageInputs) -> FactPath | None:
    """Draw what became of the typed fact in this run; the path is that of the fact, if any."""
    typed = typed_fact(trace.setup.query)
    if not typed.strip():
        _of_the_question(trace, inputs.settings.chunks)
        return None
    try:
        [fact] = read_facts(typed)
    except ValueError as problem:
        small(str(problem))
        return None
    [path] = paths(trace, (fact,), inputs.settings.chunks)
    _found(trace, job, path)
    unchanged = job.request == inputs.request
    if path.stage in ("not_sent", "not_retrieved") and path.why != "unfinished" and unchanged:
        _draw_change(fact, inputs)
    return path


def _found(trace: Trace, job: Job, path: FactPath) -> None:
    """What became of the fact; where a call lost it, with the ways to that call and on from it."""
    call = losing_call(path)
    if call is None:
        sentence(path_sentence(path, trace))
        return
    back = remembered(
        trace, "put back", lambda: put_back.put_back(path, trace, job.request), path.fact
    )
    with st.container(border=True, key="lost_fact"):
        with st.container(horizontal=True, vertical_alignment="center", key="lost_fact_head"):
            sentence(path_sentence(path, trace))
            st.button(
                f"Open call {call}",
                icon=":material/arrow_forward:",
                type="tertiary",
                key="open_lost_call",
                on_click=open_call,
                args=(call,),
            )
            if back is not None:
                put_back.button(back, trace, job)
        if back is not None:
            small(put_back.put_back_words(back, job.request.model, job.info.by_person))


def open_call(number: int) -> None:
    """Show a call in the view Calls; ends a callback."""
    st.session_state[keys.VIEW] = "calls"
    call_detail.select(number)
    st.rerun()  # the whole page, whose switch shows the other view


def paths(trace: Trace, facts: tuple[Fact, ...], chunks: Chunks) -> list[FactPath]:
    """Follow facts of these chunks through the run, or take their paths from memory."""

    def make() -> list[FactPath]:
        follower = Follower(trace, [chunk.text for chunk in chunks])
        return [follower.path(fact) for fact in facts]

    return remembered(trace, "facts of a run", make, (facts, chunks))


def expected(trace: Trace) -> tuple[Fact, ...]:
    """The facts that the answer should hold: the one that was typed, else those of the question."""
    values, query = workspace.current().values, trace.setup.query
    if values.get(keys.EXPECTED_OF) == query and (typed := values.get(keys.EXPECTED, "").strip()):
        with suppress(ValueError):  # which the line below the answer says
            return tuple(read_facts(typed))
    return facts_of(query)[0]


def _of_the_question(trace: Trace, chunks: Chunks) -> None:
    """How many facts of the question are in the answer, where there are both."""
    facts, _ = facts_of(trace.setup.query)
    if not facts or trace.response is None:
        return
    found = paths(trace, facts, chunks)
    held = {path.fact for path in found if path.stage == "answered"}
    musts = [fact for fact in facts if fact.must]
    of = counted(len(facts), "fact")
    arrived = ""
    if musts:
        there = len(held.intersection(musts))
        are = agreeing("are", there)
        arrived = f" Of the {len(musts)} that must be there, {there} {are}."
    denied = sum(path.stage == "denied" for path in found)
    also = f" and denies {denied}" if denied else ""
    small(
        f"The answer holds {len(held)} of {of} of this question{also}.{arrived} Compare shows each."
    )


_PROMISE = (
    "Found by planning, without a call. That the fact is sent is certain while no answer is longer"
    " than its limit; that an answer keeps it is not."
)


def _draw_change(fact: Fact, inputs: PageInputs) -> None:
    """The card for a fact that is not sent with the settings of the page."""
    changes = _changes_for(fact, inputs)
    if changes is None:
        small(TOO_LONG)
        return
    if not changes:
        small("No window, answer length, overlap, order or mode of these would send it.")
        return
    smallest, *others = changes
    words = change_words(smallest)
    with st.container(border=True, key="smallest_change"):
        then = f". The fact is then sent in call {smallest.call:,}; {change_cost(smallest)} in all."
        sentence([Bold(f"Smallest change: {words}"), then])
        if others:
            st.html(_table_html(others))
        changed = _changed_settings(smallest)
        st.button(f"Try {words}", on_click=state.update_and_rerun, kwargs=changed, key="try_change")
        small(_PROMISE)


def _table_html(changes: Sequence[Change]) -> Html:
    rows = [
        (change_words(one), f"{one.calls:,}", f"{one.prompt_tokens:,}", change_price(one))
        for one in changes
    ]
    return table("other-changes.num", ("or", "calls", "prompt tokens", "but"), rows)


def _changes_for(fact: Fact, inputs: PageInputs) -> tuple[Change, ...] | None:
    """The changes of the settings under which the fact is sent, the smallest first.

    From memory if they were searched before; None for chunks that take too long to plan often.
    """
    settings, request = inputs.settings, inputs.request
    chunks = [chunk for chunk in settings.chunks if chunk.on]
    if sum(len(chunk.text) for chunk in chunks) > MOST_SEARCHED:
        return None

    def plans_of(choice: Choice) -> Sequence[Plan]:
        changed = _settings_of(choice)
        trial = Request.of(settings.with_(changed))
        synthesizer = trial.synthesizer()
        values: dict[str, Any] = dict(trial.variables)
        if not synthesizer.plannable:
            return ()
        plan = synthesizer.plan
        return [
            plan(trial.query_str, trial.text_chunks, tokens, **values)
            for tokens in (0, trial.num_output)
        ]

    def search() -> tuple[Change, ...]:
        choice = Choice(
            request.mode,
            request.context_window,
            request.num_output,
            request.chunk_overlap_ratio,
            None if settings.selection == "all" else len(request.text_chunks),
        )
        return smallest_changes(fact, choice, plans_of, modes_like(request.mode), len(chunks))

    key = (fact, request, settings.chunks)
    return workspace.current().remembered("smallest changes", key, search)


def _settings_of(choice: Choice) -> dict[str, Any]:
    """A choice as the settings of the page."""
    limits = asdict(choice)
    if choice.similarity_top_k is None:
        del limits["similarity_top_k"]
        return limits | {"selection": "all"}
    return limits | {"selection": "top"}


def _changed_settings(change: Change) -> dict[str, Any]:
    """The settings that a change changes."""
    before, after = _settings_of(change.before), _settings_of(change.after)
    return {name: value for name, value in after.items() if value != before.get(name)}
