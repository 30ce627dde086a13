"""The code that records a run of one's own application, to copy."""

from __future__ import annotations

import streamlit as st

from synth.traces import RECORDER
from ui.look.elements import small


def draw_recorder(opened: bool) -> None:
    """Draw the recorder in a fold, which is open at first if `opened`."""
    with st.expander("Record a run of your own application", opened, icon=":material/code:"):
        small("Put this where your application starts. Its runs are written into run.jsonl.")
        st.code(RECORDER, language=None)  # the colours of a language are too pale to read
        small("It needs openinference-instrumentation-llama-index and opentelemetry-sdk.")
