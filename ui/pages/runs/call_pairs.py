"""Two runs call by call: their budgets on one scale, and the texts of a pair as diffs."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from synth.html.escape import answer_html, legend_html, section_html, sentence_html
from synth.html.markup import tag, together
from synth.html.provenance import diff_html
from synth.pictures.budget import BudgetRow, budget_bars, legend_kinds
from synth.pictures.shapes import WIDE, shown
from synth.runs.calls import CallRecord
from synth.text.diff import TOO_DIFFERENT, word_diff
from synth.text.wording import agreeing, counted
from ui.history.differences import CallPair, Differences
from ui.history.saved_run import SavedRun
from ui.look.elements import beside, section, small
from ui.look.scripts import draw_picture
from ui.session import keys

_DRAWN = 20  # pairs
_ROW, _LEFT = 26, 60  # pixels


def draw(found: Differences, before: SavedRun, after: SavedRun) -> None:
    """Draw the calls that differ, and the prompts and answers of one number."""
    differing = [pair for pair in found.calls if not pair.same]
    if not differing:
        if count := len(found.calls):
            calls = f"{'All ' * (count > 1)}{counted(count, 'call')} {agreeing('have', count)}"
            small(f"{calls} the same prompt and answer.")
        return
    section("Call by call, in tokens")
    same = len(found.calls) - len(differing)
    drawn = differing[:_DRAWN]
    rows = [row for pair in drawn for row in _rows(pair, before, after)]
    st.html(legend_html(legend_kinds(rows)))
    pictures = [budget_bars(rows, width, _ROW, left=_LEFT) for width in WIDE]
    draw_picture(shown(pictures), "call_pairs")
    notes = []
    if len(differing) > len(drawn):
        notes.append(f"The first {len(drawn)} of {len(differing):,} calls that differ are drawn.")
    if same:
        notes.append(f"{counted(same, 'call')} of the same prompt and answer left out.")
    if notes:
        small(" ".join(notes))
    st.fragment(partial(_texts, differing))()


def _rows(pair: CallPair, before: SavedRun, after: SavedRun) -> list[BudgetRow]:
    sides = (("A", pair.before, before), ("B", pair.after, after))
    return [
        BudgetRow(f"{call.number} · {letter}", run.trace.budget(call), bound=False)
        for letter, call, run in sides
        if call is not None
    ]


def _texts(pairs: Sequence[CallPair]) -> None:
    """The choice of a call, and what both runs sent and got in it."""
    by_number = {pair.number: pair for pair in pairs}
    chosen = st.selectbox(
        "Prompts and answers of call", list(by_number), key=keys.OPEN_PAIR, width=220
    )
    pair = by_number[chosen]
    if pair.before is None or pair.after is None:
        _only(pair)
        return
    left, right = beside("texts", 1, 1)
    with left:
        section(f"Prompt of call {chosen}, A to B")
        _diff(pair.before.prompt.text, pair.after.prompt.text)
    with right:
        section(f"Answer of call {chosen}, A to B")
        _diff(_answer(pair.before), _answer(pair.after))


def _diff(old: str, new: str) -> None:
    if old == new:
        small("The same in both.")
    diff = word_diff(old, new)
    html = diff_html(diff)
    if not diff.readable:
        sides = zip("AB", (old, new), strict=True)
        texts = (section_html(letter) + answer_html(text) for letter, text in sides)
        html = together([sentence_html([TOO_DIFFERENT], "small.muted"), *texts])
    st.html(tag("div.pane", html, tabindex="0"))


def _answer(call: CallRecord) -> str:
    return call.answer if call.answer is not None else call.error or ""


def _only(pair: CallPair) -> None:
    call = pair.before or pair.after
    assert call is not None  # one of both runs has it
    section(f"Only {'A' if pair.after is None else 'B'} made call {call.number}. Its answer:")
    st.html(answer_html(_answer(call)))
