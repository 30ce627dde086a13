"""The input of a recorded run in other modes: what each would send, as bars."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from synth.wording import counted
from ui.imports.beside import OtherMode, mean_answer
from ui.imports.opened_file import OpenedRun
from ui.look.elements import section, small
from ui.look.escape import escape

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


def _html(rows: Sequence[OtherMode]) -> str:
    most = [max(row.numbers[at] for row in rows if row.numbers) for at in range(len(_MEASURES))]
    heads = "".join(f'<b class="head">{escape(name)}</b>' for name in _MEASURES)
    body = "".join(_row(row, most, recorded=not at) for at, row in enumerate(rows))
    return f'<div class="same-input num"><span></span>{heads}{body}</div>'


def _row(row: OtherMode, most: Sequence[int], *, recorded: bool) -> str:
    label = f"<b>{escape(row.label)}</b>" if recorded else f"<span>{escape(row.label)}</span>"
    if row.problem:
        return f'{label}<span class="muted wide">{escape(row.problem)}</span>'
    cells = "".join(
        _cell(number, most[at], _MEASURES[at], recorded) for at, number in enumerate(row.numbers)
    )
    return label + cells


def _cell(number: int, most: int, measure: str, recorded: bool) -> str:
    kinds = ["bar", *["k-lost"] * (measure == _MEASURES[-1]), *["recorded"] * recorded]
    width = 100 * number / most if most else 0
    bar = f'<i class="{" ".join(kinds)}" style="width: {width:.1f}%"></i>' if number else ""
    return f'<span class="cell"><span class="scale">{bar}</span><b>{number:,}</b></span>'
