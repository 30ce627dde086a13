"""The ticked runs: one of them in short, with what can be done with it, or several at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo

import streamlit as st

from synth.errors import SynthError
from synth.wording import counted
from ui.controls import template_versions as versions_dialog
from ui.history import changes
from ui.history.history import History
from ui.history.problems import HistoryError
from ui.history.saved_run import SavedRun, load
from ui.history.summaries import Owner, Summary
from ui.history.template_versions import newest
from ui.look.elements import box, sentence, small
from ui.look.escape import escape, marked
from ui.look.times import when
from ui.runs_page import export, opening
from ui.runs_page.words import spent, title
from ui.session import keys, workspace
from ui.trace.walk import steps_of

_MADE = "**{mode}** made **{calls}**: {spent}."
_GOES_ON = ("interrupted", "stopped", "failed")


def draw(history: History, owner: Owner, ticked: Sequence[Summary], local: tzinfo) -> None:
    """Draw what is ticked, in a frame."""
    _problem()
    with st.container(border=True, key="run_detail"):
        if not ticked:
            small("Tick a run to see it, two to compare them.")
        elif len(ticked) == 1:
            _one(history, owner, ticked[0], local)
        else:
            _several(history, owner, ticked, local)


def _saved(history: History, owner: Owner, run: Summary) -> SavedRun | None:
    """The whole run, from memory until it goes on; None if it was deleted in the meantime."""
    key = (run.id, run.state, run.ended, run.calls)
    found: SavedRun | None = workspace.current().remembered(
        "saved run", key, lambda: load(history, owner, run.id)
    )
    return found


def _one(history: History, owner: Owner, run: Summary, local: tzinfo) -> None:
    _head(run, local)
    sentence(marked(_MADE, mode=run.mode, calls=counted(run.calls, "call"), spent=spent(run)))
    if run.answer:
        st.html(f'<div class="answer pane" dir="auto" tabindex="0">{escape(run.answer)}</div>')
    elif run.problem:
        box("It failed.", run.problem)
    now = newest(history, run.workspace)
    _facts(run, now)
    whole = None
    try:
        whole = _saved(history, owner, run)
    except SynthError as problem:
        box("This run can't be opened.", str(problem))
    if whole is not None:
        _ways_on(whole)
    _actions(history, owner, run, now)


def _head(run: Summary, local: tzinfo) -> None:
    facts = [when(run.started, local), *(["pinned"] * run.pinned), f"from {run.page}"]
    if run.name:
        facts.append(run.question)
    st.html(
        f'<div class="run-title" dir="auto">{escape(title(run))}</div>'
        f'<div class="small muted num">{escape(" · ".join(facts))}</div>'
    )


def _facts(run: Summary, now: Mapping[str, int]) -> None:
    """The model, the versions of the templates, and the note."""
    named = [_version(name, number, now) for name, number in run.template_versions.items()]
    model = "you" if run.by_person else run.model
    rows = {"Model": model, "Templates": " · ".join(named), "Note": run.note}
    body = "".join(
        f"<dt>{name}</dt><dd dir='auto'>{escape(text)}</dd>" for name, text in rows.items() if text
    )
    st.html(f'<dl class="run-facts num">{body}</dl>')


def _version(name: str, number: int, now: Mapping[str, int]) -> str:
    later = f" (now v{now[name]})" if now.get(name, number) > number else ""
    return f"{name.removesuffix('_template')} v{number}{later}"


def _ways_on(run: SavedRun) -> None:
    """The buttons that open the run, and the menu of its files."""
    if run.summary.state == "running":
        small("It goes on in another tab or process. It can be opened when it has ended.")
        return
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
        export.draw(run)


def _actions(history: History, owner: Owner, run: Summary, now: Mapping[str, int]) -> None:
    """Rename, note, pin, delete, and the versions of the templates, those with later ones first."""
    with st.container(horizontal=True, vertical_alignment="center", key="run_actions"):
        _text(history, owner, run, "Rename", "Name", run.name, changes.rename)
        _text(history, owner, run, "Note", "Note", run.note, changes.annotate)
        st.button(
            "Unpin" if run.pinned else "Pin",
            type="tertiary",
            on_click=_pin,
            args=(history, owner, run.id, not run.pinned),
            key="pin_run",
        )
        _delete(history, owner, [run])
        numbers = run.template_versions
        names = sorted(numbers, key=lambda name: now.get(name) == numbers[name])
        if names and st.button("Template versions", type="tertiary", key="run_versions"):
            versions_dialog.show(run.workspace, names)


def _text(
    history: History,
    owner: Owner,
    run: Summary,
    label: str,
    field: str,
    value: str,
    change: Callable[[History, Owner, str, str], None],
) -> None:
    """A popover in which a text of the run is edited."""
    key = f"run_{field.lower()} {run.id}"

    def save() -> None:
        _attempt(change, history, owner, run.id, st.session_state[key])

    with st.popover(label, type="tertiary"):
        if field == "Name":
            st.text_input(field, value, max_chars=200, key=key, on_change=save)
        else:
            st.text_area(field, value, max_chars=10_000, height=120, key=key, on_change=save)


def _delete(history: History, owner: Owner, runs: Sequence[Summary]) -> None:
    st.button(
        "Delete",
        type="tertiary",
        on_click=_remove,
        args=(history, owner, [run.id for run in runs]),
        key="delete_runs",
    )


def _attempt(change: Callable[..., None], *args: object) -> bool:
    """Carry out a change; False if the database refuses it, and the page says why."""
    try:
        change(*args)
    except HistoryError as problem:
        st.session_state[keys.RUNS_PROBLEM] = str(problem)
        return False
    return True


def _problem() -> None:
    if problem := st.session_state.pop(keys.RUNS_PROBLEM, None):
        box("Nothing was changed.", problem)


def _pin(history: History, owner: Owner, run: str, pinned: bool) -> None:
    _attempt(changes.pin, history, owner, run, pinned)


def _remove(history: History, owner: Owner, ids: list[str]) -> None:
    if _attempt(changes.remove, history, owner, ids):
        st.session_state[keys.RUNS_DELETED] = ids
        st.session_state.pop(keys.TICKED_RUNS, None)
        st.rerun()


def draw_undo(history: History, owner: Owner) -> None:
    """Draw, after a deletion, the way back."""
    _problem()
    deleted = st.session_state.get(keys.RUNS_DELETED)
    if not deleted:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="runs_undo"):
        small(f"{counted(len(deleted), 'run')} deleted. This can be undone for a day.")
        st.button(
            "Undo",
            type="tertiary",
            icon=":material/undo:",
            on_click=_undo,
            args=(history, owner),
            key="undo_delete",
        )


def _undo(history: History, owner: Owner) -> None:
    if _attempt(changes.restore, history, owner, st.session_state.get(keys.RUNS_DELETED, ())):
        st.session_state.pop(keys.RUNS_DELETED, None)


def _several(history: History, owner: Owner, runs: Sequence[Summary], local: tzinfo) -> None:
    small(f"{len(runs):,} runs are ticked.")
    for run in runs[:2]:
        _head(run, local)
        small(f"{run.mode}: {spent(run)}.")
    if len(runs) == 2:
        st.button(
            "Compare the two",
            type="primary",
            icon=":material/compare_arrows:",
            on_click=_compare,
            args=([run.id for run in reversed(runs)],),
            key="compare_two",
        )
    else:
        small(f"and {len(runs) - 2:,} more. Two can be compared.")
    _delete(history, owner, runs)


def _compare(ids: list[str]) -> None:
    st.session_state[keys.TWO_RUNS] = ids
    st.rerun()
