"""The popover on Runs that says how an application sends its runs here, and asks for the token."""

from urllib.parse import urlsplit

import streamlit as st

from synth.traces import EXPORTER
from ui.imported import received_runs
from ui.look.elements import error_box, small
from ui.received import whose
from ui.received.whose import MOST_KEPT, MOST_TRACES
from ui.store.errors import StoreError

_ENDPOINT, _HEADERS = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_HEADERS"


def draw() -> None:
    """Draw the popover; who may not see what applications send is asked for the token first."""
    with st.popover("Connect an application", icon=":material/sensors:"):
        if whose.may_see():
            _draw_lines()
        elif whose.has_token():
            _draw_token()
        else:
            small(
                "This server takes no spans: it runs for others than its own user, and has no"
                f" token. Whoever starts it sets {whose.TOKEN}; whoever has this token can send"
                " spans and see them."
            )


def _draw_lines() -> None:
    small("Start your LlamaIndex application with this in its environment.")
    lines = [f"{_ENDPOINT}={_base()}"]
    if whose.has_token():
        lines.append(f"{_HEADERS}=Authorization=Bearer%20{whose.TOKEN}")
    st.code("\n".join(lines), language=None, wrap_lines=True)
    if whose.has_token():
        small(f"In the place of {whose.TOKEN} stands the token itself, percent-encoded.")
    small("If it records no spans yet, this stands at the start of its code.")
    st.code(EXPORTER, language=None, wrap_lines=True)  # the colours of a language are too pale
    small(
        "Before that: pip install openinference-instrumentation-llama-index"
        " opentelemetry-exporter-otlp-proto-http. docs/live.md says what else an application may"
        " set."
    )
    small(
        "Each synthesis stands in the list once it has ended. The newest"
        f" {MOST_TRACES:,} traces are kept, {MOST_KEPT / 1e6:,.0f} MB at most."
    )
    if st.button("Delete what was sent", icon=":material/delete:"):
        try:
            received_runs.delete_all()
        except StoreError as problem:
            error_box("Nothing was deleted.", str(problem))
        else:
            st.rerun()


def _base() -> str:
    parts = urlsplit(st.context.url or "")
    return f"{parts.scheme or 'http'}://{parts.netloc or 'localhost:8501'}"


def _draw_token() -> None:
    small("What applications send is their users' text: who has the token sees it, and can send.")
    with st.form("receive_token_form", border=False):
        given = st.text_input("Token", type="password", key="token_to_see", autocomplete="off")
        entered = st.form_submit_button("Enter", type="primary")
    if entered and whose.enter(given):
        st.rerun()
    if entered:
        error_box("This is not the token.", f"It is in {whose.TOKEN} of the server.")
