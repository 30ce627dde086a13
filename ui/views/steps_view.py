"""The view Steps: all steps as a figure, the texts of the one that is shown, and its choice."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from time import monotonic
from typing import Any

import streamlit as st

from synth.html.escape import answer_html
from synth.html.markup import Html, tag
from synth.html.notebook import write_reply
from synth.html.provenance import diff_html
from synth.modes.registry import mode_facts
from synth.pictures.bar_parts import State, state_of
from synth.pictures.calls_picture import draw_call, order_read
from synth.pictures.placement import STRIP
from synth.pictures.scene import Target
from synth.runs.calls import CallRecord, Setup
from synth.runs.trace import Trace
from synth.text.diff import Diff, word_diff
from synth.text.wording import Bold, counted, numbered
from synth.text.words_and_sentences import count_words
from synth.words.run_words import list_carried
from ui.look import scripts
from ui.look.elements import Row, rows_html, sentence, small
from ui.runs import start
from ui.runs.job import Job
from ui.session import keys
from ui.settings import hosts
from ui.views import calls
from ui.views.run_views import bars_of, draw_picture, draw_remembered, remembered


def steps_of(trace: Trace) -> list[list[CallRecord]]:
    """Return the calls of each step of a run: one, or those of a level, which go out together."""
    if mode_facts(trace.setup.mode).response_source == "all_answers":
        return [[call] for call in trace.calls]
    return [list(level) for _, level in groupby(trace.calls, key=attrgetter("depth"))]


def list_read(trace: Trace, call: CallRecord) -> list[CallRecord]:
    """Return the calls whose answers a call reads, each once, even if a template has it twice."""
    numbers = dict.fromkeys(origin.number for origin in call.origins if origin.kind == "answer")
    if not numbers:  # as of most calls of a large tree
        return []
    answered = {each.number: each for each in trace.calls if each.answer is not None}
    return [answered[number] for number in numbers if number in answered]


def find_refined(trace: Trace, call: CallRecord) -> CallRecord | None:
    """Return the call whose answer this one was to give again, and better; None in a tree."""
    read = list_read(trace, call)
    if len(read) != 1:
        return None
    is_chain = len({each.depth for each in trace.calls}) == len(trace.calls)
    return read[0] if is_chain else None


def _diff(trace: Trace, call: CallRecord) -> Diff | None:
    """Compare its answer with the one that it refines; None where there is none of either."""
    base, text = find_refined(trace, call), call.answer
    if base is None or text is None or not call.satisfied:
        return None
    return remembered(trace, "diff", lambda: word_diff(base.answer or "", text), call.number)


def call_states(steps: Iterable[Sequence[CallRecord]], number: int) -> dict[int, State]:
    """Return the states of all calls after step `number`: calls of later steps wait."""
    return {
        call.number: "waiting" if at > number else state_of(call)
        for at, step in enumerate(steps, 1)
        for call in step
    }


def step_words(trace: Trace, number: int) -> list[str]:
    """Write the number of a step, what went in, and what came of it."""
    steps = steps_of(trace)
    calls = steps[number - 1]
    parts = [counted(len(calls), "call")] if len(calls) > 1 else []
    if chunks := {chunk for call in calls for chunk in list_carried(call, "chunk")}:
        parts.append(numbered("chunk", sorted(chunks)))
    others = (call for call in calls if find_refined(trace, call) is None)
    if read := {answer.number for call in others for answer in list_read(trace, call)}:
        parts.append(f"reads {counted(len(read), 'answer')}")
    if any(call.answer is None for call in calls):
        parts.append("stopped" if any(call.stopped for call in calls) else "failed")
    elif not all(call.satisfied for call in calls):
        parts.append("filtered")
    elif len(calls) == 1:
        diff = _diff(trace, calls[0])
        words = counted(count_words(calls[0].answer or ""), "word")
        parts.append(words if diff is None else diff.in_words)
    return [Bold(f"Step {number:,} of {len(steps):,}"), f" · {' · '.join(parts)}"]


def draw(trace: Trace, job: Job | None = None, way_on: Callable[[], object] | None = None) -> None:
    """Draw all steps with the chosen one marked, its texts, and the budget of its call.

    With the `job` its answers can be edited. `way_on` draws a button beside those of the steps.
    """
    steps = steps_of(trace)
    number, total = current(len(steps)), len(steps)
    with st.container(horizontal=True, vertical_alignment="center", key="step_head"):
        sentence(step_words(trace, number))
        with st.container(horizontal=True, width="content", key="step_controls"):
            controls(number, total)
        if way_on is not None:
            way_on()
    step, opened = steps[number - 1], calls.read_open_call(trace)
    call = next((each for each in step if each.number == opened), step[0])

    def clicked(target: Target) -> None:
        kind, clicked_number = target
        for at, calls_of_step in enumerate(steps, 1):
            if kind == "call" and any(each.number == clicked_number for each in calls_of_step):
                calls.open_call(clicked_number)
                go(at)

    states = call_states(steps, number)
    draw_picture(trace, "steps", states=states, selected=call.number, clicked=clicked, size=STRIP)
    _draw_answer(trace, job, call)
    bar = bars_of(trace)[call.number - 1]
    wide = partial(draw_call, bar, trace.setup, opened=True)
    draw_remembered(trace, "opened_call", wide, call.number)
    cards = (
        _answers(list_read(trace, call)) if kind == "answer" else _pieces(trace.setup, call)
        for kind in order_read(bar)
    )
    st.html(tag("div.step-read", *cards))


_NUMBER = re.compile("[0-9]{1,9}")
_PACE = 1.5  # seconds a step is shown while the run plays


def current(total: int) -> int:
    """The number of the step that is shown: the session's, else the URL's, else the first."""
    chosen = str(st.session_state.get(keys.STEP, st.query_params.get(keys.STEP, "1")))
    number = max(1, min(int(chosen) if _NUMBER.fullmatch(chosen) else 1, total))
    st.session_state[keys.STEP] = number
    if st.query_params.get(keys.STEP) != str(number):
        st.query_params[keys.STEP] = str(number)
    return number


def go(number: int) -> None:
    """Show a step, and stop playing."""
    st.session_state[keys.STEP] = number
    pause()


def pause() -> None:
    """Stop playing at the step that is shown."""
    st.session_state[keys.PLAYING] = False


def controls(number: int, total: int) -> None:
    """The buttons Previous step, Play or Pause, and Next step."""
    playing = bool(st.session_state.get(keys.PLAYING)) and number < total
    back: dict[str, Any] = {"on_click": _move, "args": (-1,), "shortcut": "Left"}
    on: dict[str, Any] = {"on_click": _move, "args": (1,), "shortcut": "Right"}
    left, right = ":material/chevron_left:", ":material/chevron_right:"
    st.button("Previous step", icon=left, disabled=number == 1, key="step_back", **back)
    st.button(
        "Pause" if playing else "Play",
        icon=":material/pause:" if playing else ":material/play_arrow:",
        disabled=total == 1,
        on_click=_play,
        args=(not playing, number == total),
        key="step_play",
    )
    st.button("Next step", icon=right, disabled=number == total, key="step_on", **on)
    scripts.free_the_arrows()
    if playing:
        st.fragment(_tick, run_every=_PACE)(total)


def _move(by: int) -> None:
    """Move from the step in the session, so that keys pressed before a redraw all count."""
    go(st.session_state[keys.STEP] + by)


def _play(on: bool, again: bool) -> None:
    """Start or stop playing; with `again`, from the first step."""
    if again:
        st.session_state[keys.STEP] = 1
    st.session_state[keys.PLAYING] = on
    st.session_state[keys.TICKED] = monotonic()


def _tick(total: int) -> None:
    """Show the next step if it is time; the fragment also runs whenever the page is drawn."""
    if monotonic() - st.session_state[keys.TICKED] < _PACE * 0.8:
        return
    st.session_state[keys.TICKED] = monotonic()
    st.session_state[keys.STEP] += 1
    st.session_state[keys.PLAYING] = st.session_state[keys.STEP] < total
    st.rerun()


def _card(kind: str, title: str, *content: Html) -> Html:
    return tag(f"div.step-card.of-{kind}", tag("div.small.muted.num", tag("b", title)), *content)


def _answers(read: Sequence[CallRecord]) -> Html:
    """What a call reads of earlier answers: the one that it refines, or several."""
    if len(read) == 1:
        [call] = read
        title = f"Answer {call.number} · {counted(call.output_tokens, 'token')}"
        return _card("answer", title, answer_html(call.answer or ""))
    rows = (
        Row("answer", f"{call.number}", call.answer or "", counted(call.output_tokens, "token"))
        for call in read
    )
    return _card("answer", counted(len(read), "answer"), rows_html(rows))


def _pieces(setup: Setup, call: CallRecord) -> Html:
    """The pieces of chunks in a call."""
    origins = [origin for origin in dict.fromkeys(call.origins) if origin.kind == "chunk"]
    rows, sum_of_all = [], 0
    for _, number, first, end in origins:
        text = setup.chunks[number - 1][first:end]
        tokens = setup.tokenizer.count(text)
        rows.append(Row("context", f"{number}", text, counted(tokens, "token")))
        sum_of_all += tokens
    size = counted(sum_of_all, "token")
    if len(rows) == 1:
        return _card("context", f"Chunk {rows[0].badge} · {size}", answer_html(rows[0].text))
    return _card("context", f"{counted(len(rows), 'piece')} of chunks · {size}", rows_html(rows))


def _draw_answer(trace: Trace, job: Job | None, call: CallRecord) -> None:
    """Draw the answer, with its changes marked, or the editor while it is edited."""
    diff = _diff(trace, call)
    if job is not None and st.session_state.get(keys.EDITED_ANSWER) == (job.serial, call.number):
        _draw_editor(job, trace, call)
        return
    if job is not None:
        with st.container(horizontal=True, horizontal_alignment="right", key="step_actions"):
            st.button(
                "Edit and go on from here",
                type="tertiary",
                icon=":material/edit:",
                on_click=_edit,
                args=((job.serial, call.number),),
                key="edit_answer",
            )
    size = counted(call.output_tokens, "token")
    if job is not None and call.replayed:
        size += " · edited by hand" if call.number in job.info.edited else " · replayed"
    if call.answer is None:
        st.html(tag("div.reply", *write_reply(call, trace.setup.tokenizer)))
        return
    text = answer_html(call.answer) if diff is None else diff_html(diff)
    title = f"Answer {call.number}"
    if not call.satisfied:
        title = "Filtered: the model said that this text does not answer the question"
    st.html(_card("answer", f"{title} · {size}", text))


def _edit(call: tuple[int, int] | None) -> None:
    st.session_state[keys.EDITED_ANSWER] = call


def _draw_editor(job: Job, trace: Trace, call: CallRecord) -> None:
    """The editor of a call's answer, with the button that starts a branch from it."""
    key = f"edited {job.serial} {call.number}"
    st.text_area("New answer", call.answer or "", height=220, key=key)
    with st.container(horizontal=True, key="edit_actions"):
        st.button(
            "Go on from here",
            type="primary",
            icon=":material/call_split:",
            on_click=_go_on,
            args=(job, trace, call.number, key),
            key="go_on",
            disabled=not job.info.by_person and bool(hosts.why_not(start.settings_of(job))),
        )
        st.button("Cancel", on_click=_edit, args=(None,), key="cancel_edit")
    small(
        "This makes a branch beside this run. Calls whose prompts stay the same cost nothing;"
        " calls that read the changed answer are sent again."
    )


def _go_on(job: Job, trace: Trace, number: int, key: str) -> None:
    text = st.session_state[key]

    def go_on() -> None:
        start.branch(job, trace, number, text)
        _edit(None)

    start.press(go_on)
