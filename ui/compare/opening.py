"""Taking a column to the Playground: its settings there, and its run."""

from __future__ import annotations

import streamlit as st

from synth.default_prompts import DEFAULTS
from ui.compare.columns import TEMPLATES, key_name
from ui.compare.lineup import Lineup
from ui.run import runner
from ui.run.job import Past
from ui.session import workspace
from ui.session.workspace import Place
from ui.settings import state, template_texts

_BEFORE = "Before Compare"  # a set with the templates that the column's take the place of


def button(shown: Lineup, place: Place) -> None:
    """The button that opens a run."""
    pressed = st.button(
        "Open",
        icon=":material/open_in_new:",
        type="tertiary",
        key=f"open {place.column}",
        help="Show this run in the Playground, with the settings of the column.",
        on_click=_take,
        args=(shown, place),
    )
    if pressed:
        st.switch_page("app.py", query_params={"w": workspace.current().id})


def _take(shown: Lineup, place: Place) -> None:
    """Give the Playground the settings and the run of a column."""
    get = shown.settings(place)
    compared = workspace.current().compared[place]
    job, trace = compared.job, compared.job.trace
    if trace is not None and job.request != compared.request:
        # The run of another column, which sends the same: every answer comes from its log.
        job = runner.job_of(compared.request, Past(trace.log()), get)
    _hand_over_key(get("base_url"), get("api_key"))
    [column] = [one for one in shown.columns if one.name == place.column]
    names = [name for name, _ in column.overrides if name != TEMPLATES]
    if column.own(TEMPLATES) in template_texts.names():
        if any(template_texts.edited(name) for name in DEFAULTS):
            template_texts.save(_BEFORE)
        template_texts.use(column.own(TEMPLATES))
    # The question too: a list of questions has others than the Playground.
    state.put(**{name: get(name) for name in ("question", *names)})
    workspace.current().begin(job)
    st.session_state[runner.NEW] = True
    st.session_state["inputs_open"] = False


def _hand_over_key(address: str, key: str) -> None:
    """Keep the sidebar's key for its own address, and take that of the column's."""
    if address.strip() == state.get("base_url").strip():
        return
    st.session_state[key_name(state.get("base_url"))] = state.get("api_key")
    st.session_state["api_key"] = key
