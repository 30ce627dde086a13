"""Taking a column to the Playground: its settings there, and its run."""

from __future__ import annotations

import streamlit as st

from synth.default_prompts import DEFAULTS
from ui.compare.columns import TEMPLATES, key_name
from ui.compare.lineup import Lineup
from ui.compare.run_slots import RunSlot, slot_runs
from ui.run import runner
from ui.run.job import Past
from ui.session import workspace
from ui.settings import state, template_texts

_BEFORE = "Before Compare"  # a set with the templates that the column's take the slot of


def button(shown: Lineup, slot: RunSlot) -> None:
    """The button that opens a run."""
    pressed = st.button(
        "Open",
        icon=":material/open_in_new:",
        type="tertiary",
        key=f"open {slot.column}",
        help="Show this run in the Playground, with the settings of the column.",
        on_click=_take,
        args=(shown, slot),
    )
    if pressed:
        st.switch_page("app.py", query_params={"w": workspace.current().id})


def _take(shown: Lineup, slot: RunSlot) -> None:
    """Give the Playground the settings and the run of a column."""
    settings = shown.settings(slot)
    compared = slot_runs()[slot]
    job, trace = compared.job, compared.job.trace
    if trace is not None and job.request != compared.request:
        # The run of another column, which sends the same: every answer comes from its log.
        job = runner.job_of(compared.request, Past(trace.log()), settings=settings)
    _hand_over_key(settings("base_url"), settings("api_key"))
    [column] = [one for one in shown.columns if one.name == slot.column]
    names = [name for name, _ in column.overrides if name != TEMPLATES]
    if column.own(TEMPLATES) in template_texts.names():
        if any(template_texts.edited(name) for name in DEFAULTS):
            template_texts.save(_BEFORE)
        template_texts.use(column.own(TEMPLATES))
    # The question too: a list of questions has others than the Playground.
    state.put(**{name: settings(name) for name in ("question", *names)})
    runner.show(job)


def _hand_over_key(address: str, key: str) -> None:
    """Keep the sidebar's key for its own address, and take that of the column's."""
    if address.strip() == state.get("base_url").strip():
        return
    st.session_state[key_name(state.get("base_url"))] = state.get("api_key")
    st.session_state["api_key"] = key
