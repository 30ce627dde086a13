"""The view Calls: all calls as a list of bars, and the open call beside it."""

from collections.abc import Collection, Iterator
from functools import partial

import streamlit as st

from synth.html.escape import prompt_html
from synth.html.markup import Html, tag
from synth.html.notebook import bars_key, write_reply
from synth.pictures.bar_parts import list_neighbours
from synth.pictures.calls_picture import draw_call as draw_call_bar
from synth.pictures.calls_picture import draw_call_list
from synth.pictures.scene import Target
from synth.runs.calls import CallRecord, PlannedCall, reasoning_count
from synth.runs.trace import Plan, Trace
from synth.text.wording import Bold
from synth.words.run_words import answer_facts, reads
from ui.look.elements import draw_columns, sentence, small
from ui.session import keys
from ui.views.run_views import bars_of, draw_remembered

_LISTED = 50  # calls around the open one


def draw(run: Plan | Trace, edited: Collection[int] = ()) -> None:
    """Draw the calls around the open one, which is beside them; those `edited` are a person's.

    A click opens another.
    """

    def clicked(target: Target) -> None:
        open_call(target[1])

    left, right = draw_columns("calls", 5, 9)
    with left:
        opened = read_open_call(run)
        bars = list_neighbours(bars_of(run), opened, _LISTED)
        first, last = bars[0].number, bars[-1].number
        if len(bars) < len(run.calls):
            small(f"Calls {first:,} to {last:,} of {len(run.calls):,}")
        draw_list = partial(draw_call_list, bars, run.setup, opened)
        draw_remembered(run, "call_list", draw_list, (first, last, opened), clicked)
    with right:
        draw_call(run, edited)


def read_open_call(run: Plan | Trace) -> int:
    """Return the number of the open call, 1 if none was opened."""
    return max(1, min(int(st.session_state.get(keys.OPEN_CALL, 1)), len(run.calls)))


def open_call(number: int) -> None:
    """Open a call."""
    st.session_state[keys.OPEN_CALL] = number


def draw_call(run: Plan | Trace, edited: Collection[int] = ()) -> None:
    """Draw the bar, the prompt and the answer of the open call, and the ways to its neighbours."""
    call = run.calls[read_open_call(run) - 1]
    _draw_head(call, len(run.calls))
    bar = bars_of(run)[call.number - 1]
    draw_remembered(run, "call_bar", lambda: draw_call_bar(bar, run.setup), call.number)
    st.html(bars_key([bar]))
    st.html(tag("div.small.num", *_numbers(run, call, edited)))
    for note in call.all_notes:
        small(f"Note: {note}")
    with st.container(border=True):
        st.html(prompt_html(call.prompt, run.setup.tokenizer))
    if isinstance(call, PlannedCall) and not call.exact:
        small("The answers in this prompt are placeholders of the assumed length.")
    if isinstance(call, CallRecord):
        st.html(tag("div.reply", *write_reply(call, run.setup.tokenizer)))


def _draw_head(call: PlannedCall | CallRecord, total: int) -> None:
    """Draw what a call reads, and the buttons that open the calls before and after it."""
    with st.container(horizontal=True, vertical_alignment="center", key="call_head"):
        sentence([Bold(f"Call {call.number}"), f" of {total:,} · reads {reads(call)}"])
        for label, icon, number in (
            ("Previous", ":material/chevron_left:", call.number - 1),
            ("Next", ":material/chevron_right:", call.number + 1),
        ):
            is_none = not 1 <= number <= total
            st.button(label, icon=icon, disabled=is_none, on_click=open_call, args=(number,))


def _numbers(
    run: Plan | Trace, call: PlannedCall | CallRecord, edited: Collection[int]
) -> Iterator[Html | str]:
    """The tokens of a call, by our count and by the server's, and how its answer came."""
    is_bound = isinstance(call, PlannedCall) and not call.exact
    tokens: dict[str, int | None] = {"prompt": call.prompt_tokens}
    if isinstance(run, Trace):
        by_server = {each.number: each.server_tokens for each in run.counts.calls}
        tokens["prompt by the server"] = by_server.get(call.number)
    tokens["cached" if isinstance(call, CallRecord) else "likely cached"] = call.cached_tokens
    tokens["answer"] = call.output_tokens
    tokens["reasoning"] = reasoning_count(call, run.setup.tokenizer) or None
    for name, count in tokens.items():
        if count is not None:
            yield f"{name} "
            yield tag("b", f"≤ {count:,}" if is_bound else f"{count:,}")
            yield " · "
    words = [f"template {call.template}" if call.template else "no template"]
    if isinstance(call, CallRecord):  # without seconds nobody timed it, as in a lesson
        words += answer_facts(call, bool(call.seconds), edited)
    yield " · ".join(words)
