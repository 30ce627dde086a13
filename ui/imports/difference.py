"""The first prompt that differs, in the recording and as our engine makes it."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.text.diff import Change, Diff, word_diff
from synth.text.wording import counted
from synth.traces import Difference
from ui.imports.beside import Parting
from ui.look.elements import section, small
from ui.look.html import tag

_BEFORE, _LENGTH = 160, 1_200
"""Characters that are shown before the first one that differs, and of both prompts in all."""


def draw_difference(difference: Difference, parting: Parting | None) -> None:
    """Draw both prompts from where they differ, side by side."""
    recorded, ours = difference.recorded, difference.ours
    if recorded is None or ours is None or parting is None:
        who, other = "The recording", "our engine"
        if recorded is None:
            who, other = "Our engine", "the recording"
        small(f"{who} makes a call {difference.number:,}; {other} does not. It begins:")
        _pane((recorded or ours or "")[:_LENGTH])
        return
    section(f"Call {difference.number:,}, from token {parting.tokens_before + 1:,} on")
    start = max(0, parting.same - _BEFORE)
    diff = word_diff(recorded[start : start + _LENGTH], ours[start : start + _LENGTH])
    with st.container(key="two_prompts"):
        left, right = st.columns(2, gap="medium")
    sides: tuple[tuple[DeltaGenerator, str, str, int, Change], ...] = (
        (left, "Your recording", recorded, parting.recorded, "dropped"),
        (right, "Our engine", ours, parting.ours, "added"),
    )
    for column, label, text, tokens, own in sides:
        with column:
            section(f"{label} · {counted(tokens, 'token')}")
            before, after = "…" * (start > 0), "…" * (len(text) > start + _LENGTH)
            _pane(before, *_side(diff, own), after)


def _side(diff: Diff, own: Change) -> Iterator[str]:
    """The words of one side; those that the other lacks are marked."""
    for piece in diff.pieces:
        if piece.kind in ("kept", own):
            yield tag("ins", piece.text) if piece.kind == own else piece.text


def _pane(*parts: str) -> None:
    st.html(tag("div.prompt.pane.compared", *parts, tabindex="0", dir="auto"))
