"""The ticked runs: one of them in short, with what can be done with it, or several at once."""

from collections.abc import Mapping, Sequence
from datetime import tzinfo

import streamlit as st

from synth.errors import SynthError
from synth.html.alarm import alarm_html
from synth.html.escape import counting_tag, sentence_html, tags_html
from synth.html.markup import pairs, tag
from synth.pictures.walk import steps_of
from synth.text.wording import counted
from synth.words.cost_words import paid
from synth.words.sentences import run_sentence
from ui.export import popover
from ui.history.history import History
from ui.history.saved_run import SavedRun
from ui.history.summaries import Owner
from ui.history.tables import Summary
from ui.history.template_versions import newest
from ui.look.elements import error_box, small
from ui.pages.runs import actions, opening, run_words
from ui.runs import start
from ui.runs.job import Job
from ui.session import workspace

_UNSURE = "Tokens and cost are at most so much: the server ended during {requests}."
_GOES_ON = ("interrupted", "stopped", "failed")


def draw(history: History, owner: Owner, ticked: Sequence[Summary], local: tzinfo) -> None:
    """Draw what is ticked, in a frame."""
    actions.draw_problem()
    with st.container(border=True, key="run_detail"):
        if not ticked:
            small("Tick a run to see it, several to compare them.")
        elif len(ticked) == 1:
            _one(history, owner, ticked[0], local)
        else:
            opening.draw(history, owner, ticked, local)


def _one(history: History, owner: Owner, run: Summary, local: tzinfo) -> None:
    run_words.draw(run, local)
    whole = _whole(history, owner, run)
    if run.state == "running":
        small("It still goes on, and can be opened when it has ended. Saved so far:")
    if whole is not None:
        cost = paid(run.dollars, at_most=bool(run.unsure))
        said = run_sentence(whole.trace, run.by_person, whole.edited, cost)
        counting = counting_tag(whole.trace.setup.tokenizer)
        alarm = alarm_html(whole.trace)
        st.html(alarm + sentence_html(said) + tags_html([counting]))
    if run.unsure and run.state != "running":
        small(_UNSURE.format(requests=counted(run.unsure, "request")))
    if run.answer:
        st.html(tag("div.answer.pane", run.answer, dir="auto", tabindex="0"))
    elif run.problem:
        error_box("It failed.", run.problem)
    now = newest(history, run.workspace)
    _facts(run, now)
    if whole is not None and run.state != "running":
        _ways_on(whole)
    actions.draw(history, owner, run, now)


def _whole(history: History, owner: Owner, run: Summary) -> SavedRun | None:
    """The run with its calls; else draw why it can't be opened."""
    try:
        return opening.loaded(history, owner, run)
    except SynthError as problem:
        error_box("This run can't be opened.", str(problem))
        return None


def _job(run: SavedRun) -> Job:
    """The run as the Playground would have it, for its files."""
    return workspace.current().remembered(
        "saved job", opening.key(run.summary), lambda: start.reopened(run)
    )


def _facts(run: Summary, now: Mapping[str, int]) -> None:
    """The model, the versions of the templates, and the note."""
    named = [_version(name, number, now) for name, number in run.template_versions.items()]
    model = "you" if run.by_person else run.model
    rows = {"Model": model, "Templates": " · ".join(named), "Note": run.note}
    st.html(pairs((name, text) for name, text in rows.items() if text))


def _version(name: str, number: int, now: Mapping[str, int]) -> str:
    later = f" (now v{now[name]})" if now.get(name, number) > number else ""
    return f"{name.removesuffix('_template')} v{number}{later}"


def _ways_on(run: SavedRun) -> None:
    """The buttons that open the run, and the menu of its files."""
    goes_on = run.summary.state in _GOES_ON
    with st.container(horizontal=True, vertical_alignment="center", key="run_ways"):
        if goes_on and st.button(
            "Resume",
            type="primary",
            icon=":material/resume:",
            help="Opens it, and sends only unanswered calls.",
            key="resume_saved",
        ):
            opening.resume(run)
        steps = len(steps_of(run.trace))
        at = opening.ANSWER
        pressed = st.button(
            "Open",
            type="secondary" if goes_on else "primary",
            icon=":material/open_in_new:",
            key="open_saved",
        )
        if steps:
            at = st.selectbox(
                "Open at",
                range(steps + 1),
                format_func=lambda step: f"at step {step} of {steps}" if step else "at its answer",
                label_visibility="collapsed",
                width=150,
                key=f"open_at {run.summary.id}",
            )
        if pressed:
            opening.open_at(run, at)
        popover.draw(_job(run))
