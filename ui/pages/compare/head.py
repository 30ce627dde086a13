"""The head of the page: the adviser's headline, Run all, and what is compared."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Literal, get_args

import streamlit as st

from synth.html.escape import sentence_html, tags_html
from synth.html.markup import Html, tag
from synth.modes.advice.choice import Prospect, Prospects, choose
from synth.modes.facts import Goal
from synth.runs.bounds import Bounds, Range
from synth.runs.trace import Trace
from synth.text.wording import counted, listed, ranged, short
from synth.words.headline import headline
from ui.controls.modes import choose_goal
from ui.look.elements import button_row, lead, stop_button
from ui.pages.compare import runs
from ui.pages.compare.analysis.evidence import Evidence, evidence_of
from ui.pages.compare.analysis.evidence_words import Tags, Told, changed_by_runs, told
from ui.pages.compare.cells import Cell
from ui.pages.compare.columns import current_columns
from ui.pages.compare.comparison import Comparison, lettered
from ui.plans.cost import crossing
from ui.session import keys, workspace
from ui.settings import model, state
from ui.settings.changes import value
from ui.settings.model import CapLimits, cap_limits
from ui.settings.request import token_counts

View = Literal["columns", "grid", "chart"]
_VIEWS: tuple[View, ...] = get_args(View)
_LONGEST_QUESTION = 110  # characters


def chosen_view() -> View:
    """What the page shows of the comparison; the address may say so."""
    state.hold(keys.COMPARE_VIEW, _VIEWS, "columns")
    view: View = st.session_state.get(keys.COMPARE_VIEW, "columns")
    return view


def draw(comparison: Comparison, row: Sequence[Cell], running: bool) -> list[str]:
    """The adviser's headline with Edit and Run or Stop, and below it what is compared.

    Returns the letters of the columns that the adviser would take.
    """
    lead_row = lead()
    with st.container(horizontal=True, vertical_alignment="center", key="compare_inputs"):
        st.html(_heading_html(comparison), width="stretch")
        goal = choose_goal()
        _view_switch()
    said = _said(comparison, row, goal)
    with lead_row:
        st.html(_said_html(said), width="stretch")
        _edit_button()
        with st.container(key="run", width=210):
            if running:
                stop_button(partial(runs.stop, comparison), type="primary", width="stretch")
            else:
                _run_button(comparison)
    return list(said.advised)


def _said(comparison: Comparison, row: Sequence[Cell], goal: Goal) -> Told:
    """What the evidence says; before there is any, what the plans and runs of a row do."""
    cap = cap_limits(state.current())
    prospects, left_out = prospects_of(row, cap)
    planned = choose(goal, prospects_of([replace(cell, run=None) for cell in row], cap)[0])
    letters = {cell.name: cell.slot.column for cell in row}
    plain = headline(goal, prospects, left_out, _of_what(comparison, row))
    if found := _evidence(comparison):
        by_letter = {letters[name]: one for name, one in prospects.items()}
        planned = [letters[name] for name in planned]
        return told(lettered(comparison), found, goal, by_letter, planned, "".join(plain))
    chosen = choose(goal, prospects)
    tags: Tags = []
    if any(cell.answer is not None for cell in row):
        tags.append(("nothing is expected of the answers: none is known to be better", "estimate"))
        if planned and not set(chosen) & set(planned):
            tags.append(changed_by_runs(planned))
    advised = [letters[name] for name in chosen]
    return Told(plain, "", tags, advised)


def _of_what(comparison: Comparison, row: Sequence[Cell]) -> str:
    """Which of its runs the headline is on, where the columns below sum up several; else ""."""
    if len(comparison.asked) > 1:
        return f"For question {row[0].slot.question + 1:,}"
    return f"For each of {comparison.repeats:,} repeats" if comparison.repeats > 1 else ""


def _evidence(comparison: Comparison) -> list[Evidence]:
    """All evidence on the columns, from memory while no run is another."""
    cells = tuple(
        (slot, cell.version, cell.judged and cell.judged.outcomes, cell.asked)
        for slot, cell in comparison.cells.items()
    )
    key = (cells, comparison.reference)
    return workspace.current().remembered(
        "evidence", key, lambda: evidence_of(lettered(comparison))
    )


def _said_html(said: Told) -> Html:
    below = tag("div.small.muted", said.below) if said.below else ""
    tags = tags_html(said.tags) if said.tags else ""
    return tag("div.evidence", sentence_html(said.sentences, "headline"), below, tags)


def _view_switch() -> None:
    words: dict[View, str] = {
        "columns": f"{len(current_columns())} columns",
        "grid": "Questions",
        "chart": "Chart",
    }
    button_row("What is compared", _VIEWS, keys.COMPARE_VIEW, format_func=words.__getitem__)


def _edit_button() -> None:
    editing = st.session_state.get(keys.COMPARE_EDITING)
    st.button(
        "Done" if editing else "Edit columns",
        icon=":material/check:" if editing else ":material/edit:",
        key="edit_columns",
        on_click=_toggle_editors,
    )


def _toggle_editors() -> None:
    st.session_state[keys.COMPARE_EDITING] = not st.session_state.get(keys.COMPARE_EDITING)


def _run_button(comparison: Comparison) -> None:
    possible = [one for one in comparison.cells.values() if one.can_run and not one.missing]
    missing = [cell for cell in runs.missing(comparison) if not cell.missing]
    again = bool(possible) and not missing
    to_start = len(runs.to_start(comparison))
    others = bool(to_start) and len(missing) < len(possible)
    said_again = st.session_state.get(keys.RUNS_AGAIN)
    st.session_state[keys.RUNS_AGAIN] = again
    pressed = st.button(
        "Run again" if again else f"Run the other {to_start:,}" if others else "Run all",
        key="run_button",
        icon=":material/refresh:" if again else ":material/play_arrow:",
        type="secondary" if again else "primary",
        width="stretch",
        shortcut="Mod+Enter",
        help="Sends every call anew." if again else "Sends only prompts without an answer.",
        disabled=not possible or bool(runs.too_many(comparison) or comparison.unconfirmed),
    )
    if pressed and (missing or said_again):  # else another tab has run all of it
        runs.press(comparison, missing or possible, reuse=not again)


def _heading_html(comparison: Comparison) -> Html:
    """The question, chunks, tokens, window and model; ranges where the columns differ."""
    if len(comparison.asked) > 1:
        question = counted(len(comparison.asked), "question")
    else:
        question = short(comparison.asked[0].query, _LONGEST_QUESTION) or "No question"
    inputs = " · ".join(_inputs(comparison))
    return tag("div.small.muted.num", tag("bdi", question), f" · {inputs}", dir="auto")


def _inputs(comparison: Comparison) -> list[str]:
    requests = [cell.present for cell in comparison.cells.values()]
    chunk_tokens = token_counts(state.current().chunks, model.tokenizer(state.current()))
    tokens = [sum(chunk_tokens[position] for position in request.positions) for request in requests]
    unnamed = {True: "offline model", False: "no model chosen"}
    names = [request.model.name or unnamed[request.model.free] for request in requests]
    models = list(dict.fromkeys(names))
    behaviours = list(dict.fromkeys(request.behaviour for request in requests))
    counting = list(dict.fromkeys(value("tokenizer", request.tokenizer) for request in requests))
    return [
        _range([len(request.text_chunks) for request in requests], "chunk"),
        _range(tokens, "token"),
        f"window {_range([request.context_window for request in requests])}",
        models[0] if len(models) == 1 else counted(len(models), "model"),
        *(counting if len(counting) == 1 else []),
        f"as {listed(behaviours)}",
    ]


def _range(values: list[int], noun: str = "") -> str:
    return ranged(min(values), max(values), noun)


def prospects_of(columns: Sequence[Cell], cap: CapLimits) -> tuple[Prospects, dict[str, str]]:
    """What the columns made or would make, by name, and by name why a column is left out.

    A run that has its answer takes the place of the column's plans. A plan that is certain to
    cross the cap of a run is left out.
    """
    prospects: dict[str, Prospect] = {}
    left_out: dict[str, str] = {}
    for column in columns:
        name, plans = column.name, column.complete
        if column.trace is not None and column.trace.response is not None:
            trace = column.trace
            prospects[name] = Prospect(trace, trace, _made(trace), column.price)
        elif column.plans.refused is not None:
            left_out[name] = "would be refused"
        elif plans is None:
            planned = column.plans.high is not None
            left_out[name] = "would stop before the end" if planned else "can't be planned"
        elif crossing(_least(plans.bounds), cap, column.request.model):
            left_out[name] = "would cross the cap of a run"
        else:
            prospects[name] = Prospect(*plans, column.price)
    return prospects, left_out


def _made(trace: Trace) -> Bounds:
    """What a run made, which is certain."""
    made = (trace.call_count, trace.prompt_tokens, trace.output_tokens, trace.longest_chain)
    return Bounds(*(Range(number, number) for number in made))


def _least(bounds: Bounds) -> Bounds:
    """The least that a run makes, as bounds."""
    ranges = (bounds.calls, bounds.prompt_tokens, bounds.output_tokens, bounds.longest_chain)
    return Bounds(*(Range(one.low, one.low) for one in ranges))
