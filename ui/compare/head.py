"""The head of the page: what is compared, the switches, and the one button."""

from __future__ import annotations

import streamlit as st

from synth.wording import counted
from ui.compare import columns, runs
from ui.compare.heading import heading_html
from ui.compare.lineup import MOST_RUNS, Lineup
from ui.session import keys

_COLUMNS, _MODES = "columns", "modes"


def table_chosen() -> bool:
    """Whether all modes are looked at, as a table."""
    return bool(st.session_state.get(keys.COMPARE_VIEW) == _MODES)


def show_columns() -> None:
    """Look at the columns; for callbacks."""
    st.session_state[keys.COMPARE_VIEW] = _COLUMNS


def draw(shown: Lineup, going: bool) -> None:
    """The heading, Edit, the switch, and Run or Stop."""
    with st.container(horizontal=True, vertical_alignment="center", key="compare_head"):
        st.html(heading_html(shown), width="stretch")
        opened = st.session_state.get(keys.COMPARE_EDITING)
        st.button(
            "Done" if opened else "Edit",
            icon=":material/check:" if opened else ":material/edit:",
            key="edit_columns",
            on_click=_fold,
        )
        count = len(columns.columns())
        st.segmented_control(
            "What is compared",
            (_COLUMNS, _MODES),
            format_func=lambda name: f"{count} columns" if name == _COLUMNS else "All modes",
            default=_COLUMNS,
            required=True,
            label_visibility="collapsed",
            key=keys.COMPARE_VIEW,
            bind="query-params",
            persist_state="session",
        )
        with st.container(key="run", width=160):
            _button(shown, going)


def _fold() -> None:
    st.session_state[keys.COMPARE_EDITING] = not st.session_state.get(keys.COMPARE_EDITING)


def _button(shown: Lineup, going: bool) -> None:
    if going:
        st.button(
            "Stop",
            key="stop_button",
            icon=":material/stop:",
            type="primary",
            width="stretch",
            on_click=runs.stop,
            args=(shown,),
        )
        return
    possible = [place for place in shown.slots() if not shown.refused(place)]
    missing = runs.missing(shown)
    again = bool(possible) and not missing
    pressed = st.button(
        "Run again" if again else "Run all",
        key="run_button",
        icon=":material/refresh:" if again else ":material/play_arrow:",
        type="secondary" if again else "primary",
        width="stretch",
        shortcut="Mod+Enter",
        help=None if again else "Asks only what has no answer yet.",
        disabled=not possible or runs.too_many(shown),
    )
    if pressed:
        runs.start(shown, missing or possible)
        st.rerun()


def too_many(shown: Lineup) -> str:
    """Why nothing is run."""
    wanted = len(shown.requests) * shown.repeats
    return (
        f"{counted(len(shown.questions), 'question')} in {len(shown.columns)} columns,"
        f" {counted(shown.repeats, 'time')} each, would be {wanted:,} runs; at most"
        f" {MOST_RUNS:,} go out together. Take fewer questions or repeats."
    )
