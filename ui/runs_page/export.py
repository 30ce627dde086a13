"""The files that a run can be taken away as."""

from __future__ import annotations

import streamlit as st

from ui.history import run_file
from ui.history.saved_run import SavedRun


def draw(run: SavedRun) -> None:
    """Draw the menu of the files."""
    with st.popover("Export", icon=":material/download:"):
        st.download_button(
            "The run as JSON",
            lambda: run_file.written(run).encode(),
            f"run-{run.summary.started:%Y-%m-%d-%H%M}.json",
            "application/json",
            on_click="ignore",
            type="tertiary",
            key="export_json",
        )
