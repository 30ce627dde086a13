"""The calls one by one: a table to choose from, and all there is to know of the one chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from synth.calls import CallRecord, PlannedCall
from ui.figures import budget_alt, budget_bars
from ui.safe import Bold, answer_html, prompt_html
from ui.views import NARROW, Shown
from ui.words import ROW, box, chart, counted, section, sentence, small, table

_COLUMNS = {
    "call": st.column_config.NumberColumn(width=46),
    "prompt": st.column_config.NumberColumn(width=62, format="localized", help="Tokens sent"),
    "answer": st.column_config.NumberColumn(width=62, format="localized", help="Tokens back"),
    "seconds": st.column_config.NumberColumn(width=66, format="%.2f"),
    "template": st.column_config.TextColumn(width=82),
    "reads": st.column_config.TextColumn(width="large"),
}

SELECTED = "call"  # in the session: the number of the call that is open


def selected(shown: Shown) -> int:
    """The number of the call that is open."""
    return max(1, min(int(st.session_state.get(SELECTED, 1)), len(shown.run.calls)))


def select(number: int) -> None:
    """Open a call."""
    st.session_state[SELECTED] = number


def draw(shown: Shown) -> None:
    """All calls, and the open one; side by side where there is room."""
    if shown.width > NARROW:
        with st.container(key="two_calls"):
            left, right = st.columns([5, 7], gap="medium")
    else:
        left = right = st.container()
    with left:
        _choice(shown)
    with right:
        detail(shown)


def _choice(shown: Shown) -> None:
    """The table of calls; a click on a row opens its call."""
    number, tall = selected(shown), 330 if shown.width > NARROW else 175
    table(
        _frame(shown.run.calls),
        key="call_table",
        row_height=ROW,
        height=min(ROW * len(shown.run.calls) + 34, tall),
        column_config=_COLUMNS,
        on_select=_row_chosen,
        selection_mode="single-row",
        selection_default={"selection": {"rows": [number - 1]}},
        alt="The calls; choose a row to open one",
    )


def _frame(calls: Sequence[PlannedCall] | Sequence[CallRecord]) -> pd.DataFrame:
    columns: dict[str, list[Any]] = {
        "call": [call.number for call in calls],
        "prompt": [call.prompt_tokens for call in calls],
        "answer": [call.output_tokens for call in calls],
    }
    if calls and isinstance(calls[0], CallRecord):
        columns["seconds"] = [getattr(call, "seconds", 0.0) for call in calls]
    columns["template"] = [call.template.removesuffix("_template") for call in calls]
    columns["reads"] = [_reads(call) for call in calls]
    return pd.DataFrame(columns)


def _row_chosen() -> None:
    rows = st.session_state["call_table"]["selection"]["rows"]
    if rows:
        select(rows[0] + 1)


def detail(shown: Shown, width: int = NARROW) -> None:
    """The open call, in a column of that many pixels: its bar, its prompt, its answer."""
    number = selected(shown)
    call = shown.run.calls[number - 1]
    with st.container(horizontal=True, vertical_alignment="center", key="call_head"):
        sentence([Bold(f"Call {number}"), f" of {len(shown.run.calls):,} · reads {_reads(call)}"])
        st.space("stretch")
        _step("Previous", ":material/chevron_left:", number - 1, number == 1)
        _step("Next", ":material/chevron_right:", number + 1, number == len(shown.run.calls))
    row = shown.row(call)
    chart(budget_bars([row], shown.look, width), "call_bar", budget_alt([row]))
    for note in call.notes:
        small(f"Note: {note}")
    with st.container(border=True):
        st.html(prompt_html(call.prompt, tokenizer=shown.run.setup.tokenizer))
    if isinstance(call, CallRecord):
        answer(call)
    elif not call.exact:
        small("The answers in this prompt are stand-ins of the assumed length.")


def _reads(call: PlannedCall | CallRecord) -> str:
    sources = dict.fromkeys((origin.kind, origin.number) for origin in call.origins)
    words = []
    for kind, noun in (("chunk", "chunk"), ("answer", "the answer of call")):
        numbers = [number for found, number in sources if found == kind]
        if len(numbers) > 1:
            plural = "chunks" if kind == "chunk" else "the answers of calls"
            words.append(f"{plural} {min(numbers)} to {max(numbers)}")
        elif numbers:
            words.append(f"{noun} {numbers[0]}")
    return " and ".join(words) or "no chunk"


def _step(label: str, icon: str, to: int, disabled: bool) -> None:
    st.button(label, icon=icon, disabled=disabled, on_click=select, args=(to,))


def answer(call: CallRecord) -> None:
    """What came back, and how long it took."""
    if call.error is not None:
        box(f"Call {call.number} failed.", call.error)
        if call.reply:
            section("What had arrived")
            st.html(answer_html(call.reply))
        return
    took = "from the earlier run" if call.replayed else f"{call.seconds:.2f} s"
    section(f"Answer of call {call.number} · {counted(call.output_tokens, 'token')} · {took}")
    if not call.satisfied:
        small("Filtered: the model said that this text does not answer the question.")
    if call.answer:
        st.html(answer_html(call.answer))
    else:
        small("The model answered nothing.")
