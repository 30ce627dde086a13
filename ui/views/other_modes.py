"""What the other modes would do with the chunks of a run: a sentence, and the way to Compare."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import streamlit as st

from synth.text.wording import Bold
from ui.look.escape import sentence_html
from ui.plan.outlines import Outline, outline
from ui.request.request import Model, Request
from ui.session import workspace
from ui.settings import schema, state


def draw(request: Request) -> None:
    """Draw the calls of the other modes with a card; nothing if the inputs have changed since.

    Their outlines are those of the cards, so they are rarely counted for this.
    """
    if Request.of(state.current()) != request:
        return
    others = [mode for mode in schema.FIRST_MODES if mode != request.mode]
    seen = {mode: outline(_with_mode(mode)) for mode in others}
    planned = {mode: one for mode, one in seen.items() if not one.missing}
    if not planned:
        return
    with st.container(border=True, gap="xsmall"):
        st.html(sentence_html(_sentence(planned), "plain"))
        st.page_link(
            "pages/compare.py",
            label="Compare the modes",
            icon=":material/arrow_forward:",
            query_params=workspace.address(),
        )


def _with_mode(mode: str) -> Request:
    request = Request.of(state.current().with_({"mode": mode}))
    return replace(request, model=Model())


def _sentence(outlines: dict[str, Outline]) -> Iterator[str]:
    yield "With the same chunks "
    for at, (mode, seen) in enumerate(outlines.items()):
        if at:
            yield "; "
        yield Bold(mode)
        yield f"{'' if at else ' would make'} {seen.said_calls}"
        if seen.cut_off:
            yield f", with {seen.cut_off} of the text cut off"
    yield "."
