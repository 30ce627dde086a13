"""The Compare page: its head, then the plan, the runs that go on, or what came of them."""

from __future__ import annotations

import streamlit as st

from ui.compare import columns, editors, head, runs, side_by_side, table_view, watching
from ui.compare.lineup import Lineup, lineup
from ui.compare.run_slots import slot_runs
from ui.controls.sidebar import draw_sidebar
from ui.look.elements import box
from ui.look.theme import Look
from ui.request.changes import changes
from ui.session import keys
from ui.settings import state


def draw(look: Look) -> None:
    """All of it."""
    draw_sidebar()
    bar = st.container()
    if st.session_state.get(keys.COMPARE_EDITING):
        editors.draw()
    state.remember()
    every = head.table_chosen()
    shown = lineup(columns.every_mode() if every else columns.columns())
    going = runs.running(shown)
    with bar:
        head.draw(shown, going)
    if runs.too_many(shown):
        box("Too many runs.", head.too_many(shown))
    if going:
        st.fragment(watching.draw, run_every=0.5)(shown)
        return
    _out_of_date(shown)
    if every:
        table_view.draw(shown, look)
    else:
        side_by_side.draw(shown, look)


def _out_of_date(shown: Lineup) -> None:
    """What has changed since the runs, column by column; the results stay."""
    compared = slot_runs()
    found: dict[str, list[str]] = {}
    for slot in shown.slots():
        if slot in compared and compared[slot].request != shown.request(slot):
            change = "; ".join(changes(compared[slot].request, shown.request(slot)))
            names = found.setdefault(change, [])
            if slot.column not in names:
                names.append(slot.column)
    if found:
        said = (f"{', '.join(names)}: {change}." for change, names in found.items())
        box("Out of date.", f"Since these runs: {' '.join(said)}")
