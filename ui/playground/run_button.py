"""The main button of the Playground: Run, Stop or Run again."""

from __future__ import annotations

import streamlit as st

from ui.plan.plan_range import plan_range
from ui.request.request import Request
from ui.run import runner
from ui.run.job import Job


def draw(request: Request, job: Job | None, running: bool = False) -> None:
    """Draw the button, which Ctrl+Enter presses outside of text fields."""
    with st.container(key="run"):
        if job is not None and running:
            st.button(
                "Stop",
                key="stop_button",
                icon=":material/stop:",
                type="primary",
                width="stretch",
                on_click=job.stop,
            )
            return
        refused = plan_range(request).refused is not None
        prominent = not (refused or request.lacks_question) and (
            job is None or job.request != request
        )
        pressed = st.button(
            "Run" if job is None else "Run again",
            key="run_button",
            icon=":material/play_arrow:" if job is None else ":material/refresh:",
            type="primary" if prominent else "secondary",
            width="stretch",
            shortcut="Mod+Enter",
            disabled=refused or request.lacks_question,
            help="Ask a question first." if request.lacks_question else None,
        )
    if pressed:
        runner.start(request)
        st.rerun()
