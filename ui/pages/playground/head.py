"""The rows that a plan and a run share: headline, Run or Stop, views, answer and picture."""

from collections.abc import Iterable, Sequence
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.html.escape import answer_html, level_html, sentence_html, words_html
from synth.html.markup import Html, tag
from synth.html.provenance import match_words, provenance_html
from synth.pictures.placement import Mark
from synth.pictures.scene import Target
from synth.quality import FactPath
from synth.runs.calls import CallRecord
from synth.runs.trace import Plan, Trace
from synth.text.wording import Bold, at_most, ranged
from synth.words.plan_words import Headline
from ui.controls.input_changes import take_move
from ui.controls.inputs import CHUNKS
from ui.look.elements import button_row, small, stop_button
from ui.plans.curves import window_cliffs
from ui.plans.plan_range import PageInputs
from ui.runs import start
from ui.runs.job import Job
from ui.session import keys, parts
from ui.settings import hosts
from ui.settings.request import Request
from ui.views import calls, fact_line, run_views

PICTURE, CALLS = "picture", "calls"
_SHOWN = 1_500  # characters of an answer above the picture, which has five lines
_SEEN, _BEFORE = 350, 150  # of these that are seen on any page, and before a followed fact


def row() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Open the row of the headline, and return the places of its words and of its buttons."""
    with st.container(horizontal=True, vertical_alignment="center", key="head"):
        words = st.container(key="head_words")
        buttons = st.container(horizontal=True, width="content", key="head_buttons")
    return words, buttons


def draw_headline(
    headline: Headline, notes: Iterable[str] = (), warnings: Sequence[str] = ()
) -> None:
    """Draw a headline, and the line below it with warnings before and notes behind it."""
    line = [*warnings, *headline.line, *(f" {note}" for note in notes)]
    below = sentence_html(line, "subline") if line else tag("div.subline", Html("&nbsp;"))
    if warnings:
        below = tag("div.warns", below, role="status", tabindex="0")
    st.html(sentence_html(headline.head) + below)


def warn(what: str, why: str = "") -> list[str]:
    """Return a warning for the line below a headline; nothing where there is nothing to say."""
    return [Bold(f"{what} "), f"{why} "] if what else []


def draw_refusal(reason: str) -> None:
    """Draw, in the place of a headline and its line, why the inputs can't run."""
    head = tag("div.lede", level_html("error", "This can't run."))
    below = tag("div.subline.num", words_html(reason))
    st.html(head + tag("div.warns", below, role="alert", tabindex="0"))


def draw_views(label: str, views: Sequence[str], key: str, query: str) -> DeltaGenerator:
    """Draw the switch between views and the field for a fact; returns the place behind them."""
    with st.container(horizontal=True, vertical_alignment="center", key="views"):
        button_row(label, views, key, format_func=view_words, on_change=parts.redraw_changed)
        st.space("stretch")
        with st.container(width=250, key="fact_field"):
            fact_line.field(query)
        return st.container(horizontal=True, vertical_alignment="center", width="content")


def view_words(view: str) -> str:
    """The words on a switch for the code of a view."""
    return view.replace("_", " ").capitalize()


def draw_answer(label: str, inside: Html, *, done: bool) -> None:
    """Draw the answer above the picture, with its name; dashed as long as it is not `done`."""
    kind = "div.answer-strip" if done else "div.answer-strip.open"
    st.html(tag(kind, tag("b", label), tag("div.strip-text", inside, dir="auto", tabindex="0")))


def tagged_answer(text: str, chunks: Sequence[str], path: FactPath | None = None) -> Html:
    """Return a part of an answer, tagged with the chunks in which its words stand.

    It is the beginning, or where a followed fact stands, whose `path` is given: that is filled.
    """
    if not text:
        return tag("span.muted", "The answer is empty.")
    places = path.evidence if path is not None else ()
    filled = [(one.start, one.end) for one in places if one.kind == "response"]
    first = filled[0][0] if filled else 0
    skipped = text.rfind(" ", 0, first - _BEFORE) + 1 if first > _SEEN else 0
    before = "…" if skipped else ""
    after = "…" if len(text) > skipped + _SHOWN else ""
    part = before + text[skipped : skipped + _SHOWN] + after
    found = match_words(part, chunks)
    shift = len(before) - skipped
    filled = [(start + shift, end + shift) for start, end in filled if start >= skipped]
    return provenance_html(part, found, filled=filled) if found else answer_html(part)


def draw_picture(
    request: Request,
    run: Plan | Trace,
    key: str,
    begun: Sequence[CallRecord] = (),
    mark: Mark | None = None,
) -> None:
    """Draw the picture with what other windows would give; a click opens a call, a drag edits.

    `key` is that of the switch between views; `begun` and `mark` are as for `draw_run`.
    """
    run_views.draw_picture(
        run,
        begun=begun,
        mark=mark,
        clicked=partial(_open, key, request),
        moved=take_move,
        cliffs=partial(window_cliffs, request),
    )


def _open(key: str, request: Request, target: Target) -> None:
    kind, number = target
    if kind == "call":
        st.session_state[key] = CALLS
        calls.open_call(number)
        st.rerun()  # the whole page, whose switch shows the other view
    elif number <= len(request.positions):
        st.session_state[keys.INPUTS] = CHUNKS
        st.session_state[keys.EDITED_CHUNK] = request.positions[number - 1]
        parts.redraw_changed()


RUN_KEY = "Mod+Enter"
"""What presses the button that a person wants next."""

_WIDTH = 150  # pixels that the button needs for its words and its shortcut


def draw_run(
    column: DeltaGenerator, inputs: PageInputs, job: Job | None, resumes: bool = False
) -> None:
    """Draw the button, which Ctrl+Enter presses outside of text fields; `job` is the last run.

    Where the last run `resumes` by another button, that has the key.
    """
    with column.container(key="run", width=_WIDTH):
        parts.part("run words", inputs, _words, _draw_words)
        parts.part("run", inputs, partial(_button, job), partial(_draw_button, job, resumes))


def draw_stop(column: DeltaGenerator, job: Job) -> None:
    """Draw, in its place, the button that stops the run, where it goes on at this server."""
    with column.container(key="run", width=_WIDTH):
        if job.elsewhere:
            small("It goes on at another server.")
            return
        stop_button(job.stop, type="primary", width="stretch")


def _words(inputs: PageInputs) -> Html:
    """What a run can make, for narrow pages, on which the plan may be out of sight."""
    bounds = inputs.plans.bounds
    if bounds is None:
        return Html()
    calls = ranged(*bounds.calls, "call")
    tokens = at_most(bounds.prompt_tokens.high + bounds.output_tokens.high, "token")
    size = tag("span.muted", f"{calls}, {tokens}")
    return tag("div.run-words.small.num", tag("b", inputs.settings.mode), Html("<br>"), size)


def _draw_words(_: PageInputs, words: Html) -> None:
    if words:
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
        shortcut=None if resumes else RUN_KEY,
        disabled=not enabled,
        help=missing or None,
    )
    if pressed:
        start.press(partial(start.start, inputs.request))
