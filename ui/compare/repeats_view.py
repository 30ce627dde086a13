"""How much the answers of one column vary when it is asked again and again."""

from __future__ import annotations

import streamlit as st

from synth.wording import counted
from ui.compare.analysis import groups
from ui.compare.columns import Column
from ui.compare.lineup import Lineup
from ui.compare.run_slots import RunSlot, slot_runs
from ui.look.elements import section, small
from ui.look.escape import answer_html
from ui.text.diff import diff_html, word_diff


def draw(shown: Lineup, column: Column, question: int) -> None:
    """The different answers of the repeats, each once, with how often it was given."""
    if shown.repeats == 1:
        return
    answers = _answers(shown, column, question)
    found = groups(answers)
    small(summary(len(answers), len(found), shown.repeats))
    if len(found) < 2:
        return
    with st.expander(f"{len(found):,} different answers", key=f"repeats {column.name}"):
        first = answers[found[0][0]]
        for group in found:
            text = answers[group[0]]
            section(f"given {_times(len(group))}")
            st.html(answer_html(text) if text == first else diff_html(word_diff(first, text)))


def _answers(shown: Lineup, column: Column, question: int) -> list[str]:
    compared = slot_runs()
    places = (RunSlot(column.name, question, repeat) for repeat in range(shown.repeats))
    traces = (compared[slot].job.trace for slot in places if slot in compared)
    return [trace.response for trace in traces if trace and trace.response is not None]


def summary(answered: int, different: int, repeats: int) -> str:
    """How many repeats came to an answer, and how many of the answers differ."""
    head = f"{answered:,} of {counted(repeats, 'repeat')} answered"
    if answered < 2:
        return f"{head}."
    return f"{head}: {'all alike' if different == 1 else f'{different:,} different answers'}."


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"
