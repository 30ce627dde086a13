"""The popover on Runs that says how an application sends its runs here, and asks for the token."""

from urllib.parse import urlsplit

import streamlit as st

from synth.traces import EXPORTER, RECORDER
from ui.imported import received_runs
from ui.look.elements import error_box, section, small
from ui.received import access
from ui.received.access import MOST_KEPT, MOST_TRACES
from ui.store.errors import StoreError

_ENDPOINT, _HEADERS = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_HEADERS"
_PROTOCOL = "OTEL_EXPORTER_OTLP_PROTOCOL"


def draw() -> None:
    """Draw the popover; who may not see what applications send is asked for the token first."""
    with st.popover("Connect an application", icon=":material/sensors:"):
        if access.may_see():
            _draw_lines()
        elif access.has_token():
            _draw_token()
        else:
            small(
                "This server takes no spans: it runs for others than its own user, and has no"
                f" token. Whoever starts it sets {access.TOKEN}; whoever has this token can send"
                " spans and see them."
            )


def _draw_lines() -> None:
    section("Two lines before your application starts")
    lines = [f"export {_ENDPOINT}={_base()}", f"export {_PROTOCOL}=http/protobuf"]
    if access.has_token():
        lines.append(f"export {_HEADERS}=Authorization=Bearer%20{access.TOKEN}")
    st.code("\n".join(lines), language=None, wrap_lines=True)
    if access.has_token():
        small(f"In the place of {access.TOKEN} stands the token itself, percent-encoded.")
    small(
        "Each run appears here when it ends:"
        f" the newest {MOST_TRACES:,} traces, {MOST_KEPT / 1e6:,.0f} MB at most."
    )
    with st.expander("Not instrumented yet?"):
        small(
            "pip install openinference-instrumentation-llama-index"
            " opentelemetry-exporter-otlp-proto-http"
        )
        st.code(EXPORTER, language=None, wrap_lines=True)  # a language's colours are too pale
    with st.expander("Into a file instead"):
        small("pip install openinference-instrumentation-llama-index opentelemetry-sdk")
        st.code(RECORDER, language=None, wrap_lines=True)
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
    if entered and access.enter(given):
        st.rerun()
    if entered:
        error_box("This is not the token.", f"It is in {access.TOKEN} of the server.")
