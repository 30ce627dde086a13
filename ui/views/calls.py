"""The view Calls: a table of all calls, and the open call below and beside it."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import streamlit as st

from synth.runs.budget import reasoning_count
from synth.runs.calls import CallRecord, PlannedCall
from synth.runs.trace import Plan, Trace
from synth.words.sentences import reads
from ui.look.elements import ROW, Columns, button_row, table, whole_numbers
from ui.session import keys
from ui.views import call_detail

Call = PlannedCall | CallRecord

_COLUMNS = {
    "call": whole_numbers(width=46),
    "reads": st.column_config.TextColumn(width=144),
    "prompt": whole_numbers(width=62, help="Tokens sent"),
    "server": whole_numbers(width=62, help="Tokens of the prompt by the server's count"),
    "more": st.column_config.NumberColumn(
        width=54, format="%+d", help="Tokens that the server counts more than we do"
    ),
    "cached": whole_numbers(width=62, help="Tokens of the prompt that the server had cached"),
    "answer": whole_numbers(width=62, help="Tokens back"),
    "reasoning": whole_numbers(width=76, help="Tokens of these that are reasoning"),
    "prompt ≤": whole_numbers(
        width=68, help="Tokens sent, if the answers are as long as they may be"
    ),
    "answer ≤": whole_numbers(width=68, help="Tokens of the longest answer that it may give"),
    "seconds": st.column_config.NumberColumn(width=66, format="%.3f"),
    "outcome": st.column_config.TextColumn(width=72),
    "template": st.column_config.TextColumn(width=82),
}

_ANSWERED = "answered"
_TALLEST = 175  # pixels of the table
_FILTERS: dict[str, Callable[[CallRecord], bool]] = {
    "All": lambda call: True,
    "Failed": lambda call: call.error is not None and not call.stopped,
    "Stopped": lambda call: call.stopped,
    "Replayed": lambda call: call.replayed,
    "Cut off": lambda call: call.is_cut,
}


def draw(run: Plan | Trace, edited: Collection[int] = ()) -> None:
    """Draw the table of calls, and below it the open call."""
    _table(run, _filtered(run.calls) if isinstance(run, Trace) else run.calls, edited)
    call_detail.draw(run, edited)


def _filtered(calls: Sequence[Call]) -> Sequence[Call]:
    """The calls of the chosen filter; without a switch if all filters but one are empty."""
    every = {
        name: [call for call in calls if isinstance(call, CallRecord) and passes(call)]
        for name, passes in _FILTERS.items()
    }
    calls_by_filter = {name: passing for name, passing in every.items() if passing}
    if len(calls_by_filter) == 1:
        return calls
    name = button_row(
        "Which calls",
        list(calls_by_filter),
        "call_filter",
        format_func=lambda name: f"{name} {len(calls_by_filter[name]):,}",
    )
    return calls_by_filter[name]


def _table(run: Plan | Trace, calls: Sequence[Call], edited: Collection[int]) -> None:
    """Draw the table of calls; a click on a row opens its call."""
    numbers, number = [call.number for call in calls], call_detail.read_open_call(run)
    rows = [numbers.index(number)] if number in numbers else []
    key = f"call_table {st.session_state.get(keys.CALLS_OPENED, 0)}"
    table(
        _frame(run, calls, edited),
        key=key,
        row_height=ROW,
        height=min(ROW * len(calls) + 38, _TALLEST),
        column_config=_COLUMNS,
        on_select=lambda: _open_row(key, numbers),
        selection_mode="single-row",
        selection_default={"selection": {"rows": rows}},
        alt="The calls; choose a row to open one",
    )


def _open_row(key: str, numbers: Sequence[int]) -> None:
    rows = st.session_state[key]["selection"]["rows"]
    if rows and rows[0] < len(numbers):
        st.session_state[keys.OPEN_CALL] = numbers[rows[0]]


def _frame(run: Plan | Trace, calls: Sequence[Call], edited: Collection[int]) -> Columns:
    columns: dict[str, list[Any]] = {"call": [call.number for call in calls]}
    columns["reads"] = [reads(call, brief=True) for call in calls]
    sent = isinstance(calls[0], CallRecord)
    columns["prompt" if sent else "prompt ≤"] = [call.prompt_tokens for call in calls]
    columns |= _server_counts(run, calls)
    columns["cached"] = [getattr(call, "cached_tokens", None) for call in calls]
    columns["answer" if sent else "answer ≤"] = [call.output_tokens for call in calls]
    counts = run.setup.tokenizer
    columns["reasoning"] = [reasoning_count(call, counts) or None for call in calls]
    if sent and (outcomes := _outcomes(calls, edited)):
        columns["outcome"] = outcomes
    if sent:
        columns["seconds"] = [getattr(call, "seconds", 0.0) for call in calls]
    if any(call.template for call in calls):
        columns["template"] = [call.template.removesuffix("_template") for call in calls]
    return {name: column for name, column in columns.items() if set(column) != {None}}


def _server_counts(run: Plan | Trace, calls: Sequence[Call]) -> dict[str, list[Any]]:
    """The server's counts of the prompts beside ours; how much more if they differ.

    Nothing for a plan, and where the server did not count.
    """
    if not isinstance(run, Trace) or not run.counts.calls:
        return {}
    counts = run.counts
    by_server = {call.number: call.server_tokens for call in counts.calls}
    columns: dict[str, list[Any]] = {"server": [by_server.get(call.number) for call in calls]}
    if counts.equal:
        return columns
    pairs = [(call.prompt_tokens, by_server.get(call.number)) for call in calls]
    columns["more"] = [None if more is None else more - here for here, more in pairs]
    return columns


def _outcomes(calls: Sequence[Call], edited: Collection[int]) -> list[str]:
    """The outcome of each call; none where all were simply answered."""
    outcomes = [_outcome(call, edited) for call in calls]
    return outcomes if set(outcomes) != {_ANSWERED} else []


def _outcome(call: Call, edited: Collection[int]) -> str:
    """The names of the filters that the call passes; "edited" if a person wrote its answer."""
    assert isinstance(call, CallRecord)
    if call.number in edited:
        return "edited"
    names = [name.lower() for name, passes in _FILTERS.items() if name != "All" and passes(call)]
    return ", ".join(names) or _ANSWERED
