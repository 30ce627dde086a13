"""What one can do next with a run: try the change that sends a fact, put it back, resume."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

import streamlit as st

from synth.quality import Change, Choice, Fact, FactPath, smallest_changes
from synth.quality.facts import Words
from synth.quality.follow import find_stretches
from synth.quality.smallest_change import MOST_SEARCHED
from synth.runs.trace import Plan, Trace
from synth.text.wording import short
from synth.text.words_and_sentences import join_sentences, paragraphs
from synth.words.fact_words import change_cost, change_words, modes_like
from ui.pages.playground import head
from ui.pages.playground.latest_run import kept_trace
from ui.plans.plan_range import PageInputs
from ui.runs import start
from ui.runs.job import Job
from ui.session import workspace
from ui.settings import hosts, state
from ui.settings.request import Request
from ui.settings.schema import DEFAULT, OFFLINE
from ui.views import fact_line


def draw_way_on(job: Job, inputs: PageInputs, _: object = None) -> None:
    """Draw the button of the way on, where there is one."""
    trace = job.trace
    if trace is None:
        return
    if trace.response is None:
        _draw_resume(job, trace)
        return
    path = fact_line.follow_typed(trace, inputs.settings.chunks)
    if path is None:
        return
    unchanged = job.request == inputs.request
    if path.stage in ("not_sent", "not_retrieved") and unchanged:
        _draw_trial(path, inputs, job)
    elif path.why == "left_out":
        _draw_put_back(path, trace, job, unchanged)


def _draw_trial(path: FactPath, inputs: PageInputs, job: Job) -> None:
    """Draw the button of the smallest change that sends the fact; its help has the others."""
    words, changed, help = DEFAULT.mode, {"mode": DEFAULT.mode}, ""
    if job.trace is not kept_trace():
        changes = _changes_for(path.fact, inputs)
        if not changes:
            return
        words, changed = change_words(changes[0]), _changed_settings(changes[0])
        ways = "".join(f"\n- or {change_words(one)}: {change_cost(one)}" for one in changes[1:])
        then = f"The fact is then sent in call {changes[0].call:,}: {change_cost(changes[0])}."
        help = f"{then}\n{ways}\n\n{_PROMISE}"
    st.button(
        f"Try {words}",
        icon=":material/arrow_forward:",
        icon_position="right",
        type="primary",
        key="try_change",
        help=help or None,
        on_click=_try,
        args=(changed,),
    )


def _try(changed: dict[str, Any]) -> None:
    """Change the settings; the offline model, which costs nothing, answers at once."""
    state.update(**changed)
    settings = state.current()
    if settings.model_kind == OFFLINE:
        start.press(partial(start.start, Request.of(settings)))
    st.rerun()


def _draw_put_back(path: FactPath, trace: Trace, job: Job, is_way_on: bool) -> None:
    """Draw the button that starts a branch with the fact in the answer that left it out."""
    if path.call is None:
        return
    answers = {call.number: call.answer or "" for call in trace.calls}
    place = path.evidence[0]
    source = answers[place.number] if place.kind == "answer" else ""
    if place.kind == "chunk":
        source = trace.setup.chunks[place.number - 1]
    added = _find_sentence(path.fact, source)
    text = join_sentences([*filter(None, [answers[path.call]]), added])
    st.button(
        "Put it back and go on",
        icon=":material/playlist_add:",
        type="primary" if is_way_on else "secondary",
        key="put_back",
        help=f"It adds “{short(added, _LONGEST)}” to the answer of call {path.call}. The calls"
        " that read it are asked anew.",
        on_click=start.press,
        args=(partial(start.branch, job, trace, path.call, text),),
        disabled=not job.info.by_person and bool(hosts.why_not(start.settings_of(job))),
    )


def can_resume(trace: Trace | None) -> bool:
    """Whether a run that ended early has calls that can be asked now."""
    if trace is None:
        return False
    unanswered = any(call.answer is None for call in trace.calls)
    return trace.response is None and (trace.stopped or unanswered or start.is_capped(trace))


def _draw_resume(job: Job, trace: Trace) -> None:
    if not can_resume(trace):
        return
    missing = "" if job.info.by_person else hosts.why_not(start.settings_of(job))
    sends = "Sends only unanswered calls, to the model of this run."
    hint = start.CAP_HINT if start.is_capped(trace) else sends
    if st.button(
        "Resume",
        icon=":material/resume:",
        type="primary",
        help=missing or hint,
        key="resume",
        shortcut=head.RUN_KEY,
        disabled=bool(missing),
    ):
        start.press(partial(start.resume, job, trace))


_PROMISE = (
    "Found by planning, without a call. That the fact is sent is certain while no answer is longer"
    " than its limit; that an answer keeps it is not."
)


def _changes_for(fact: Fact, inputs: PageInputs) -> tuple[Change, ...]:
    """The changes of the settings under which the fact is sent, the smallest first.

    From memory if they were searched before; none for chunks that take too long to plan often.
    """
    settings, request = inputs.settings, inputs.request
    chunks = [chunk for chunk in settings.chunks if chunk.on]
    if sum(len(chunk.text) for chunk in chunks) > MOST_SEARCHED:
        return ()

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
    return workspace.current().remember("smallest changes", key, search)


def _settings_of(choice: Choice) -> dict[str, Any]:
    limits = asdict(choice)
    if choice.similarity_top_k is None:
        del limits["similarity_top_k"]
        return limits | {"selection": "all"}
    return limits | {"selection": "top"}


def _changed_settings(change: Change) -> dict[str, Any]:
    before, after = _settings_of(change.before), _settings_of(change.after)
    return {name: value for name, value in after.items() if value != before.get(name)}


_LONGEST = 120  # characters of the sentence that is shown


def _find_sentence(fact: Fact, text: str) -> str:
    """Find the sentence of a text that says the fact; the fact's own words where none does."""
    sentences = (sentence for part in paragraphs(text) for sentence in part)
    says = (sentence for sentence in sentences if find_stretches(fact, Words(sentence)))
    return next(says, fact.text)
