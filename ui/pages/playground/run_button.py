"""The main button of the Playground: Run, Stop or Run again."""

from functools import partial
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.html.markup import Html, tag
from synth.text.wording import at_most, ranged
from ui.look.elements import stop_button
from ui.plans.plan_range import can_run, plan_range
from ui.runs import start
from ui.runs.job import Job
from ui.session import parts
from ui.settings import hosts, state
from ui.settings.request import Request

FIRST, AGAIN = 148, 190  # pixels that the button needs for its words and its shortcut


class _Button(NamedTuple):
    """Whether the button can be pressed, why not, and whether the run would be a new one."""

    enabled: bool
    missing: str
    new: bool


def draw(column: DeltaGenerator, job: Job | None) -> None:
    """Draw the button, which Ctrl+Enter presses outside of text fields; `job` is the last run."""
    with column.container(key="run"):
        parts.part("run words", _words, _draw_words)
        parts.part("run", partial(_button, job), partial(_draw_button, job))


def stop(column: DeltaGenerator, job: Job) -> None:
    """Draw, in its place, the button that stops the run."""
    with column.container(key="run"):
        stop_button(job.stop, type="primary", width="stretch")


def reuse() -> None:
    """Draw the button that runs with the answers that are kept, where there are any."""
    parts.part("reuse", _reuses, _draw_reuse)


def _reuses() -> bool:
    settings = state.current()
    return not hosts.why_not(settings) and start.answers_kept(Request.of(settings), settings)


def _draw_reuse(reuses: bool) -> None:
    if reuses and st.button(
        "Reuse answers",
        key="reuse_button",
        icon=":material/replay:",
        type="tertiary",
        help="Prompts that were answered before get these answers. Only the others are sent.",
    ):
        begin(reuse=True)


def _words() -> Html | None:
    """What a run can make, as HTML, for narrow pages, on which the plan may be out of sight."""
    request = Request.of(state.current())
    bounds = plan_range(request).bounds
    if bounds is None:
        return None
    calls = ranged(*bounds.calls, "call")
    tokens = at_most(bounds.prompt_tokens.high + bounds.output_tokens.high, "token")
    size = tag("span.muted", f"{calls}, {tokens}")
    return tag("div.run-words.small.num", tag("b", request.mode), Html("<br>"), size)


def _draw_words(words: str | None) -> None:
    if words is not None:
        st.html(words)


def _button(job: Job | None) -> _Button:
    request, missing = Request.of(state.current()), hosts.why_not(state.current())
    return _Button(
        enabled=can_run(request) and not missing,
        missing=missing,
        new=job is None or job.request != request,
    )


def _draw_button(job: Job | None, button: _Button) -> None:
    pressed = st.button(
        "Run" if job is None else "Run again",
        key="run_button",
        icon=":material/play_arrow:" if job is None else ":material/refresh:",
        type="primary" if button.new and button.enabled else "secondary",
        width="stretch",
        shortcut="Mod+Enter",
        disabled=not button.enabled,
        help=button.missing or None,
    )
    if pressed:
        begin()


def begin(reuse: bool = False, by_person: bool = False) -> None:
    """Start a run of the inputs; what another tab changed or began since is shown instead."""
    if start.may_start():
        start.start(Request.of(state.current()), reuse=reuse, by_person=by_person)
    st.rerun()
