"""The view Judge: a model is asked about the answers, after its calls were planned and priced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from synth.pictures.shapes import WIDE
from synth.trace import Trace
from synth.wording import Bold, counted
from ui.compare.analysis.column_data import ColumnData, names
from ui.compare.analysis.judge_words import rows, thumbs_row
from ui.compare.analysis.judgements import (
    Answers,
    Replies,
    Thumbs,
    agreeing_thumbs,
    found_claims,
)
from ui.compare.comparison import Comparison
from ui.compare.judge import editor, head, rounds, setup, thumbs
from ui.compare.judge.html import claims_html, rows_html
from ui.compare.judge.setup import JudgePlan
from ui.compare.one_run import choose_question
from ui.look.elements import section, sentence, small
from ui.session import keys
from ui.views import calls
from ui.views.shared import RunView


@dataclass(frozen=True)
class _Shown:
    """What the tables show: the columns, what the judge replied, and the person's thumbs.

    `reference` is the position of the column that the others are compared with.
    """

    labels: Sequence[str]
    reference: int
    replies: Sequence[Replies]
    thumbs: Thumbs


def draw(comparison: Comparison, data: Sequence[ColumnData], question: int, reference: int) -> None:
    """Who judges, what that costs, what was said, and the person's own thumbs beside it."""
    editor.draw(comparison, question)
    planned = setup.judge_plan_of(comparison, reference)
    answers = setup.answers_of(comparison)
    head.draw(comparison, planned, answers)
    if rounds.current().running:
        return
    given = thumbs.given(comparison.questions, answers)
    shown = _Shown(names(data), reference, rounds.replies(planned), given)
    _tables(comparison, planned, answers, shown, question)
    _thumbs(planned, shown, comparison.questions[question], answers[question])
    _claims(planned, shown, question)
    _calls(planned)


def _tables(
    comparison: Comparison, planned: JudgePlan, answers: Answers, shown: _Shown, question: int
) -> None:
    """What was said of all questions together, and of the question that is open."""
    if len(comparison.questions) > 1:
        _table(planned, answers, shown, range(len(comparison.questions)))
        with st.container(horizontal=True, vertical_alignment="center", key="judge_question"):
            section("One question")
            choose_question(comparison)
    _table(planned, answers, shown, [question])
    if any(shown.replies):
        small(
            "A pair is asked in both orders, and is a tie where the two replies disagree; answers"
            " that are equal are no pair. Of several repeats the verdict counts that most gave."
        )


def _table(planned: JudgePlan, answers: Answers, shown: _Shown, questions: Sequence[int]) -> None:
    found = []
    if any(shown.replies):
        found = rows(planned.asked, shown.replies, shown.labels, shown.reference, questions)
    if (own := thumbs_row(shown.thumbs, answers, questions)) is not None:
        found.append(own)
    if found:
        head = f"{len(questions):,} questions" if len(questions) > 1 else "this question"
        st.html(rows_html(head, shown.labels, found))


def _thumbs(
    planned: JudgePlan, shown: _Shown, question: str, traces: Sequence[Trace | None]
) -> None:
    """The answers without their names, and how often the person agrees with the judge."""
    with st.expander("Judge yourself, blind", expanded=not planned.judge.model.name):
        small("Is it right? The order is shuffled, and no name is shown.")
        thumbs.draw(question, traces)
    agreed, total = agreeing_thumbs(planned.asked, shown.replies, shown.thumbs)
    if total:
        sentence([Bold(f"You and the judge agree in {agreed:,} of {counted(total, 'case')}.")])
        small(
            "A thumb up agrees with “correct”, a thumb down with “partly” and “incorrect”; where"
            " two answers have different thumbs, the judge should find the right one better."
        )


def _claims(planned: JudgePlan, shown: _Shown, question: int) -> None:
    """The claims of the answer of one column."""
    own = {
        each.column: found
        for each in planned.asked
        if each.kind == "support"
        and each.question == question
        and (found := found_claims(each, shown.replies))
    }
    if not own:
        return
    if st.session_state.get(keys.JUDGED_COLUMN) not in own:
        st.session_state[keys.JUDGED_COLUMN] = next(iter(own))
    column = st.selectbox(
        "The claims of",
        list(own),
        format_func=shown.labels.__getitem__,
        key=keys.JUDGED_COLUMN,
        persist_state="session",
        width=240,
    )
    st.html(claims_html(own[column]))
    small(
        "A claim is a sentence of the answer. It counts as supported where the judge quotes three"
        " words or more that stand, word for word, in the text that was sent; a reply that can't be"
        " read, or a quote that stands nowhere, is no verdict."
    )


def _calls(planned: JudgePlan) -> None:
    """Each prompt of the judge, before it is sent and after, with its reply."""
    if not planned.plan.calls:
        return
    if not st.toggle(
        "Prompts and replies of the judge", key=keys.JUDGE_CALLS, persist_state="session"
    ):
        return
    traces = [(job, job.trace) for job in rounds.current().jobs]
    ended = [(job, trace) for job, trace in traces if trace is not None and trace.calls]
    if not ended or not any(rounds.replies(planned)):
        calls.draw(RunView(planned.plan, ("judge", planned.prompts), WIDE))
        return
    if st.session_state.get(keys.JUDGE_REPEAT) not in range(len(ended)):
        st.session_state[keys.JUDGE_REPEAT] = 0
    if len(ended) > 1:
        st.segmented_control(
            "Repeat",
            range(len(ended)),
            required=True,
            format_func=lambda at: f"Repeat {at + 1:,}",
            key=keys.JUDGE_REPEAT,
            persist_state="session",
            label_visibility="collapsed",
        )
    job, trace = ended[st.session_state[keys.JUDGE_REPEAT]]
    calls.draw(RunView(trace, ("judge", job.serial, len(trace.calls)), WIDE))
