"""The input of a recorded run in other modes: what each would send, as bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from synth.wording import counted
from ui.controls.handover import TRACE, settings_of
from ui.imports.as_request import settings_beside
from ui.imports.opened_file import OpenedRun
from ui.look.elements import section, small
from ui.look.escape import escape
from ui.plan.plan_range import plan_range
from ui.request.from_settings import in_mode
from ui.settings import state
from ui.text.cut_off import cut_off_tokens

_MEASURES = ("calls", "prompt tokens", "tokens cut off")


class _Row(NamedTuple):
    """What a mode sends: a number for each measure, none of them if it can't be planned."""

    label: str
    numbers: Sequence[int]
    problem: str = ""


def draw(run: OpenedRun) -> None:
    """Draw the recorded run above the plans of other modes, on one scale for each measure."""
    if run.why_not_held is not None:
        return
    answers = [call.output_tokens for call in run.trace.calls]
    tokens = round(sum(answers) / len(answers))
    trace = run.trace
    numbers = (trace.call_count, trace.prompt_tokens, cut_off_tokens(trace))
    rows = [_Row(f"{run.run.mode}, recorded", numbers)]
    rows += [_planned(run, mode, tokens) for mode in state.FIRST_MODES if mode != run.run.mode]
    section("The same input in other modes, computed; nothing is sent")
    st.html(_html(rows))
    small(f"Planned with answers of {counted(tokens, 'token')}, the mean of those recorded.")


def _planned(run: OpenedRun, mode: str, tokens: int) -> _Row:
    settings = settings_of(run.request, TRACE) | settings_beside(run.request)
    request = in_mode(
        run.request,
        mode,
        lambda name: settings[name] if name in settings else state.setting(name).default,
    )
    plans = plan_range(request, tokens)
    if plans.high is None or plans.high.problem:
        return _Row(mode, (), "never ends" if plans.high is not None else "can't run")
    plan = plans.high
    return _Row(mode, (plan.call_count, plan.prompt_tokens, cut_off_tokens(plan)))


def _html(rows: Sequence[_Row]) -> str:
    most = [max(row.numbers[at] for row in rows if row.numbers) for at in range(len(_MEASURES))]
    heads = "".join(f'<b class="head">{escape(name)}</b>' for name in _MEASURES)
    body = "".join(_row(row, most, recorded=not at) for at, row in enumerate(rows))
    return f'<div class="same-input num"><span></span>{heads}{body}</div>'


def _row(row: _Row, most: Sequence[int], *, recorded: bool) -> str:
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
