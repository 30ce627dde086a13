"""The main button of the Playground: Run, Stop or Run again."""

from __future__ import annotations

import streamlit as st

from synth.trace import Plan
from synth.wording import counted
from ui.look.escape import escape
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
        plans = plan_range(request)
        refused = plans.refused is not None
        if plans.high is not None:
            _words(plans.high)
        new = job is None or job.request != request
        prominent = new and not (refused or request.lacks_question)
        pressed = st.button(
            "Run" if job is None else "Run again",
            key="run_button",
            icon=":material/play_arrow:" if job is None else ":material/refresh:",
            type="primary" if prominent else "secondary",
            width="stretch",
            shortcut="Mod+Enter",
            disabled=refused or request.lacks_question,
        )
    if pressed:
        runner.start(request)
        st.rerun()


def _words(plan: Plan) -> None:
    """What a run would make, for narrow pages, on which the plan may be out of sight."""
    calls, tokens = counted(plan.call_count, "call"), plan.prompt_tokens + plan.output_tokens
    st.html(
        f'<div class="run-words small num"><b>{escape(plan.setup.mode)}</b><br>'
        f'<span class="muted">{calls}, up to {counted(tokens, "token")}</span></div>'
    )
