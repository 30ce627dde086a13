"""The address to which an application sends its spans, and what else it must be told."""

from urllib.parse import urlsplit

import streamlit as st

from ui.look.elements import small
from ui.received import whose
from ui.received.whose import MOST_KEPT, MOST_TRACES

_ENDPOINT, _HEADERS = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_HEADERS"


def draw_line() -> None:
    """Draw the line that an application needs, and a second one where spans need a token."""
    lines = [f"{_ENDPOINT}={base()}"]
    if whose.has_token():
        lines.append(f"{_HEADERS}=Authorization=Bearer%20{whose.TOKEN}")
    st.code("\n".join(lines), language=None, wrap_lines=True)
    if whose.has_token():
        small(f"In the place of {whose.TOKEN} stands the token itself, percent-encoded.")


def base() -> str:
    """The address of this server, as the browser has it."""
    parts = urlsplit(st.context.url or "")
    return f"{parts.scheme or 'http'}://{parts.netloc or 'localhost:8501'}"


def draw() -> None:
    """Draw the popover with the address, and with what is set where that is not enough."""
    with st.popover("Address", icon=":material/link:"):
        draw_line()
        small(
            "Where an exporter speaks gRPC by default, set OTEL_EXPORTER_OTLP_PROTOCOL="
            "http/protobuf too. Spans come up to 5 seconds late unless OTEL_BSP_SCHEDULE_DELAY"
            " says otherwise, in milliseconds. OpenTelemetry keeps 128 attributes of a span, too"
            " few for forty chunks: set OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT=10000."
        )
        small(
            f"The newest {MOST_TRACES:,} traces are kept, {MOST_KEPT / 1e6:,.0f} MB at most; the"
            " oldest go first. What is verified is on Runs too."
        )
