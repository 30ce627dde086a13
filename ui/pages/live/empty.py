"""The page before anything was received: the one line to set, and the code for an application."""

import streamlit as st

from synth.html.escape import sentence_html
from synth.html.markup import pairs, tag
from synth.pictures.flow import flow_picture
from synth.pictures.flow.data import FlowCall, FlowData, Part
from synth.pictures.shapes import BESIDE, Picture, shown
from synth.pictures.walk import State
from synth.text.wording import Bold
from synth.traces import EXPORTER
from ui.look.elements import lead, section, small
from ui.look.scripts import draw_picture
from ui.pages.live import address
from ui.session import workspace

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
    """Draw the page."""
    with lead():
        words = [Bold("Waiting for a run of your application. "), "Nothing was received yet."]
        st.html(sentence_html(words, "headline"), width="stretch")
    with st.container(key="two_live_empty"):
        left, right = st.columns([4, 3], gap="large")
    with left:
        st.html(
            tag("h2.run-title", "Start your LlamaIndex application with this in its environment")
        )
        with st.container(key="live_line"):
            address.draw_line()
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
        draw_way_to_import()


def draw_way_to_import() -> None:
    """Draw the link to the page that shows a recorded run without an application."""
    st.page_link(
        "pages/import.py",
        label="Open a file instead, or a recorded example",
        icon=":material/upload_file:",
        query_params=workspace.address(),
    )


def _shape(width: int) -> Picture:
    waiting: dict[int, State] = {call.number: "waiting" for call in _SHAPE.calls}
    return flow_picture(_SHAPE, width, states=waiting, planned=True, small=True)
