"""The main button of the Playground: Run, Stop or Run again."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.html.markup import Html, tag
from synth.text.wording import at_most, ranged
from ui.look.elements import small, stop_button
from ui.plans.plan_range import PageInputs
from ui.runs import start
from ui.runs.job import Job
from ui.session import parts
from ui.settings import hosts

KEY = "Mod+Enter"
"""What presses the button that a person wants next."""

_WIDTH = 150  # pixels that the button needs for its words and its shortcut


def draw(
    column: DeltaGenerator, inputs: PageInputs, job: Job | None, resumes: bool = False
) -> None:
    """Draw the button, which Ctrl+Enter presses outside of text fields; `job` is the last run.

    Where the last run `resumes` by another button, that has the key.
    """
    with column.container(key="run", width=_WIDTH):
        parts.part("run words", inputs, _words, _draw_words)
        parts.part("run", inputs, partial(_button, job), partial(_draw_button, job, resumes))


def stop(column: DeltaGenerator, job: Job) -> None:
    """Draw, in its place, the button that stops the run, where it goes on at this server."""
    with column.container(key="run", width=_WIDTH):
        if job.elsewhere:
            small("It goes on at another server.")
            return
        stop_button(job.stop, type="primary", width="stretch")


def reuse(inputs: PageInputs) -> None:
    """Draw the button that runs with the answers that are kept, where there are any."""
    parts.part("reuse", inputs, _reuses, _draw_reuse)


def _reuses(inputs: PageInputs) -> bool:
    settings = inputs.settings
    return not hosts.why_not(settings) and start.can_reuse_answers(inputs.plans.high, settings)


def _draw_reuse(inputs: PageInputs, reuses: bool) -> None:
    if reuses and st.button(
        "Reuse answers",
        key="reuse_button",
        icon=":material/replay:",
        type="tertiary",
        help="Prompts that were answered before get these answers. Only the others are sent.",
    ):
        begin(inputs, reuse=True)


def _words(inputs: PageInputs) -> Html | None:
    """What a run can make, as HTML, for narrow pages, on which the plan may be out of sight."""
    bounds = inputs.plans.bounds
    if bounds is None:
        return None
    calls = ranged(*bounds.calls, "call")
    tokens = at_most(bounds.prompt_tokens.high + bounds.output_tokens.high, "token")
    size = tag("span.muted", f"{calls}, {tokens}")
    return tag("div.run-words.small.num", tag("b", inputs.settings.mode), Html("<br>"), size)


def _draw_words(_: PageInputs, words: Html | None) -> None:
    if words is not None:
        st.html(words)


def _button(job: Job | None, inputs: PageInputs) -> tuple[bool, str, bool]:
    """Whether the button can be pressed, why not, and whether the run would be a new one."""
    missing = hosts.why_not(inputs.settings)
    if not missing and inputs.request.lacks_question:
        missing = "The question is missing."
    is_new = job is None or job.request != inputs.request
    return inputs.can_run and not missing, missing, is_new


def _draw_button(
    job: Job | None, resumes: bool, inputs: PageInputs, button: tuple[bool, str, bool]
) -> None:
    enabled, missing, is_new = button
    pressed = st.button(
        "Start again" if resumes and not is_new else "Run",
        key="run_button",
        icon=":material/play_arrow:" if job is None else ":material/refresh:",
        type="primary" if is_new and enabled else "secondary",
        width="stretch",
        shortcut=None if resumes else KEY,
        disabled=not enabled,
        help=missing or None,
    )
    if pressed:
        begin(inputs)


def begin(inputs: PageInputs, reuse: bool = False) -> None:
    """Start a run of the inputs."""
    start.press(partial(start.start, inputs.request, reuse=reuse))
