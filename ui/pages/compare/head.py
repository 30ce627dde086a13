"""The head of the page: the line of figures, Run all, and what is compared."""

from collections.abc import Sequence
from functools import partial
from typing import Literal, get_args

import streamlit as st

from synth.html.escape import sentence_html
from synth.html.markup import Html, tag
from synth.text.wording import counted, listed, ranged, short
from ui.look.elements import button_row, lead, stop_button
from ui.pages.compare import runs
from ui.pages.compare.cells import Cell
from ui.pages.compare.comparison import Comparison
from ui.pages.compare.figures import call_figures, passed_figures
from ui.session import keys
from ui.settings import model, state
from ui.settings.changes import value
from ui.settings.request import token_counts

View = Literal["columns", "grid", "chart"]
_VIEWS: tuple[View, ...] = get_args(View)
_LONGEST_QUESTION = 110  # characters


def chosen_view() -> View:
    """What the page shows of the comparison; the address may say so."""
    state.sync_with_address(keys.COMPARE_VIEW, _VIEWS, "columns")
    view: View = st.session_state.get(keys.COMPARE_VIEW, "columns")
    return view


def draw(comparison: Comparison, row: Sequence[Cell], running: bool) -> None:
    """The line of figures with Edit and Run or Stop, and below it what is compared."""
    lead_row = lead()
    with st.container(horizontal=True, vertical_alignment="center", key="compare_inputs"):
        st.html(_heading_html(comparison), width="stretch")
        _view_switch(len(comparison.columns))
    with lead_row:
        st.html(_figures_html(comparison, row), width="stretch")
        _edit_button()
        with st.container(key="run", width=210):
            if running:
                stop_button(partial(runs.stop, comparison), type="primary", width="stretch")
            else:
                _run_button(comparison)


def _figures_html(comparison: Comparison, row: Sequence[Cell]) -> Html:
    """What passed in each column; before that is known, the calls that stand below it."""
    scores = comparison.scores(lambda _, run: run.score)
    found = passed_figures(scores) or call_figures(comparison.columns_of(row))
    test = tag("div.small.muted", found.test) if found.test else ""
    return tag("div.compared-figures", sentence_html(found.line, "headline"), test)


def _view_switch(columns: int) -> None:
    words: dict[View, str] = {
        "columns": f"{columns} columns",
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
    page = comparison.page
    chunk_tokens = token_counts(page.chunks, model.tokenizer(page), page.count_factor)
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
