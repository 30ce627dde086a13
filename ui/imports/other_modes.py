"""The input of a recorded run in other modes: what each would send, as bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import streamlit as st

from synth.text.wording import counted
from ui.imports.beside import OtherMode, mean_answer
from ui.imports.opened_file import OpenedRun
from ui.look.elements import section, small
from ui.look.html import Html, tag

_MEASURES = ("calls", "prompt tokens", "tokens cut off")


def draw(run: OpenedRun) -> None:
    """Draw the recorded run above the plans of other modes, on one scale for each measure."""
    if run.why_not_held is not None:
        return
    section("The same input in other modes, computed; nothing is sent")
    rows = run.other_modes
    if isinstance(rows, str):
        small(rows)
        return
    st.html(_html(rows))
    tokens = counted(mean_answer(run.trace), "token")
    small(f"Planned with answers of {tokens}, the mean of those recorded.")


def _html(rows: Sequence[OtherMode]) -> Html:
    most = [max(row.numbers[at] for row in rows if row.numbers) for at in range(len(_MEASURES))]
    heads = (tag("b.head", name) for name in _MEASURES)
    body = (cell for at, row in enumerate(rows) for cell in _row(row, most, recorded=not at))
    return tag("div.same-input.num", tag("span"), *heads, *body)


def _row(row: OtherMode, most: Sequence[int], *, recorded: bool) -> Iterator[Html]:
    yield tag("b" if recorded else "span", row.label)
    if row.problem:
        yield tag("span.muted.wide", row.problem)
        return
    for at, number in enumerate(row.numbers):
        yield _cell(number, most[at], _MEASURES[at], recorded)


def _cell(number: int, most: int, measure: str, recorded: bool) -> Html:
    style = "i.bar" + ".k-lost" * (measure == _MEASURES[-1]) + ".recorded" * recorded
    width = 100 * number / most if most else 0
    bar = tag(style, style=f"width: {width:.1f}%") if number else ""
    return tag("span.cell", tag("span.scale", bar), tag("b", f"{number:,}"))
