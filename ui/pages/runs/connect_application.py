"""How an application of this machine sends its runs here: the lines for it, and their deletion."""

from urllib.parse import urlsplit

import streamlit as st

from synth.traces import EXPORTER, RECORDER
from ui.look.elements import error_box, section, small
from ui.received.store import MOST_TRACES, delete_all
from ui.session import browser
from ui.store.store import StoreError


def draw_connection() -> None:
    """Draw the popover that says how an application of this machine sends its runs here."""
    with st.popover("Connect an application", icon=":material/sensors:"):
        if browser.is_own_machine():
            _draw_lines()
        else:
            small("This server takes no spans: it runs for others than its own user.")


def _draw_lines() -> None:
    parts = urlsplit(st.context.url or "")
    address = f"{parts.scheme or 'http'}://{parts.netloc or 'localhost:8501'}"
    section("Two lines before your application starts")
    lines = [
        f"export OTEL_EXPORTER_OTLP_ENDPOINT={address}",
        "export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf",
    ]
    st.code("\n".join(lines), language=None, wrap_lines=True)
    small(f"Each run appears here when it ends, those of the newest {MOST_TRACES:,} traces.")
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
            delete_all()
        except StoreError as problem:
            error_box("Nothing was deleted.", str(problem))
        else:
            st.rerun()
