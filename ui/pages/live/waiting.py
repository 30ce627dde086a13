"""The page while there is nothing to see: where to send spans, and the field of the token."""

from urllib.parse import urlsplit

import streamlit as st

from synth.html.markup import pairs, tag
from synth.pictures.flow import flow_picture
from synth.pictures.flow.data import FlowCall, FlowData, Part
from synth.pictures.shapes import BESIDE, Picture, shown
from synth.pictures.walk import State
from synth.text.wording import Bold
from synth.traces import EXPORTER
from ui.look.elements import beside, error_box, lead, section, small
from ui.look.scripts import draw_picture
from ui.received import whose
from ui.received.whose import MOST_KEPT, MOST_TRACES
from ui.session import workspace

_ENDPOINT, _HEADERS = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_HEADERS"
_SEEN = (
    ("at once", "its calls as they come, and the question"),
    ("at its end", "whether this app sends the same prompts, or the first that differs, and why"),
    ("then", "its steps, where a fact was lost, the same input in other modes, a contract for CI"),
)
"""What of a synthesis is seen when."""

_SHAPE = FlowData(
    chunks=(1,) * 9,
    calls=tuple(
        FlowCall(
            number,
            number - 1,
            (
                *(Part("chunk", chunk, 0, 1) for chunk in range(3 * number - 2, 3 * number + 1)),
                *[Part("answer", number - 1, 0, 1)] * (number > 1),
            ),
            output=1,
        )
        for number in range(1, 4)
    ),
    lost=(),
    unsent=0,
)
"""The shape of a flow, of no run."""


def draw() -> None:
    """Draw the page before anything was received."""
    lead([Bold("Waiting for a run of your application. "), "Nothing was received yet."])
    left, right = beside("live_empty", 4, 3)
    with left:
        st.html(
            tag("h2.run-title", "Start your LlamaIndex application with this in its environment")
        )
        with st.container(key="live_line"):
            _draw_line()
        small(
            "It then sends its spans here, which are OpenTelemetry's records of its steps. Each"
            " synthesis appears while it goes on, compared with what this app sends."
        )
        with st.expander(
            "It records no spans yet? Put this at the start of its code",
            expanded=True,
            icon=":material/code:",
        ):
            # The colours of a language are too pale to read.
            st.code(EXPORTER, language=None, wrap_lines=True)
            small(
                "Before that: pip install openinference-instrumentation-llama-index"
                " opentelemetry-exporter-otlp-proto-http"
            )
    with right:
        section("What you will see")
        with st.container(key="live_shape"):
            draw_picture(shown([_shape(width) for width in BESIDE]), "shape of a flow")
        st.html(pairs(_SEEN))
        _draw_way_to_import()


def _draw_way_to_import() -> None:
    """Draw the link to the page that shows a recorded run without an application."""
    label = "Open a file instead, or a recorded example"
    workspace.page_link("pages/import.py", label, ":material/upload_file:")


def _shape(width: int) -> Picture:
    waiting: dict[int, State] = {call.number: "waiting" for call in _SHAPE.calls}
    return flow_picture(_SHAPE, width, states=waiting, planned=True, small=True)


def _draw_line() -> None:
    """Draw the line that an application needs, and a second one where spans need a token."""
    lines = [f"{_ENDPOINT}={_base()}"]
    if whose.has_token():
        lines.append(f"{_HEADERS}=Authorization=Bearer%20{whose.TOKEN}")
    st.code("\n".join(lines), language=None, wrap_lines=True)
    if whose.has_token():
        small(f"In the place of {whose.TOKEN} stands the token itself, percent-encoded.")


def _base() -> str:
    """The address of this server, as the browser has it."""
    parts = urlsplit(st.context.url or "")
    return f"{parts.scheme or 'http'}://{parts.netloc or 'localhost:8501'}"


def draw_address() -> None:
    """Draw the popover with the address, and with what is set where that is not enough."""
    with st.popover("Address", icon=":material/link:"):
        _draw_line()
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


def draw_token() -> None:
    """Draw the field, or how a server begins to receive."""
    lead([Bold("What applications send is not for everybody. "), "It is their users' text."])
    small("Live follows running LlamaIndex applications: each synthesis, as its calls are made.")
    if not whose.has_token():
        small(
            "This server takes no spans: it runs for others than its own user, and has no token."
            f" Whoever starts it sets {whose.TOKEN}; whoever has this token can send spans and see"
            " them."
        )
        _draw_way_to_import()
        return
    with st.form("live_token_form", width=420):
        given = st.text_input("Token", type="password", key="live_token", autocomplete="off")
        entered = st.form_submit_button("Enter", type="primary")
    if entered and whose.enter(given):
        st.rerun()
    if entered:
        error_box("This is not the token.", f"It is in {whose.TOKEN} of the server.")
