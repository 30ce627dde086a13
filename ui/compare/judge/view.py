"""The view Judge: a model is asked about the answers, after its calls were planned and priced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from synth.trace import Trace
from synth.wording import counted
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
from ui.compare.grid_view import choose_question
from ui.compare.judge import editor, rounds, setup, thumbs
from ui.compare.judge.html import claims_html, rows_html
from ui.compare.judge.setup import Docket
from ui.look.elements import WIDE, box, section, sentence, small
from ui.look.escape import Bold, sentence_html
from ui.look.theme import Look
from ui.plan.cost import cost_at_most, crossing
from ui.session import keys, workspace
from ui.settings import state
from ui.settings.model import cap_limits
from ui.views import calls
from ui.views.shared import RunView

_LOOK_EVERY = 0.5  # seconds


@dataclass(frozen=True)
class _Shown:
    """What the tables show: the columns, what the judge replied, and the person's thumbs.

    `reference` is the position of the column that the others are compared with.
    """

    labels: Sequence[str]
    reference: int
    replies: Sequence[Replies]
    thumbs: Thumbs


def draw(
    comparison: Comparison, data: Sequence[ColumnData], question: int, reference: int, look: Look
) -> None:
    """Who judges, what that costs, what was said, and the person's own thumbs beside it."""
    editor.draw(comparison, question)
    docket = setup.docket_of(comparison, reference)
    answers = setup.answers_of(comparison)
    _head(comparison, docket, answers)
    if rounds.current().running:
        st.fragment(_progress, run_every=_LOOK_EVERY)()
        return
    given = thumbs.given(comparison.questions, answers)
    shown = _Shown(names(data), reference, rounds.replies(docket), given)
    _problems(docket)
    _tables(comparison, docket, answers, shown, question)
    _thumbs(docket, shown, comparison.questions[question], answers[question])
    _claims(docket, shown, question)
    _calls(docket, look)


def _head(comparison: Comparison, docket: Docket, answers: Answers) -> None:
    """What the judge would be asked and what that costs, with the button that starts it."""
    with st.container(horizontal=True, vertical_alignment="center", key="judge_head"):
        st.html(sentence_html(_plan_words(docket, answers)), width="stretch")
        _button(docket)
    bounds, cap = docket.bounds, cap_limits(state.get)
    if problem := docket.plan.problem or crossing(bounds, cap, docket.judge.model.price):
        small(problem)
    if not docket.judge.model.name:
        box(
            "There is no judge yet.",
            "The offline model picks sentences, and a person can't be asked here, so neither can"
            " judge. Name a model behind an endpoint above, or judge yourself below: blind.",
        )
    elif (name := docket.judge.model.name).casefold() in setup.models_of(comparison):
        box(
            "The judge answers too.",
            f"{name} is the model of a column, and models prefer their own style. Take another.",
        )


def _plan_words(docket: Docket, answers: Answers) -> list[str]:
    count = sum(trace is not None for row in answers for trace in row)
    if not count:
        return [Bold("There is no answer to judge yet."), " Run all first."]
    if not docket.plan.calls:
        return [Bold("Nothing is asked of the judge."), " Choose what it judges."]
    bounds = docket.bounds
    total = bounds.calls.low
    return [
        Bold(f"Judging {counted(count, 'answer')} takes {counted(total, 'call')}"),
        f": {bounds.prompt_tokens.low:,} prompt tokens, at most"
        f" {counted(int(bounds.output_tokens.high), 'output token')}"
        f"{cost_at_most([(docket.judge.model, bounds)])}.",
    ]


def _button(docket: Docket) -> None:
    latest = rounds.current()
    if latest.running:
        st.button("Stop", key="stop_judge", icon=":material/stop:", on_click=latest.stop)
        return
    complete = bool(docket.prompts) and rounds.complete(docket)
    begun = any(rounds.replies(docket))
    label = "Judge again" if complete else "Judge the rest" if begun else "Judge"
    st.button(
        label,
        key="judge_button",
        icon=":material/gavel:",
        type="secondary" if complete else "primary",
        help=None if complete else "Sends only prompts without a reply.",
        disabled=not docket.prompts or not docket.judge.model.name or bool(docket.plan.problem),
        on_click=rounds.start,
        args=(docket,),
    )


def _progress() -> None:
    """The calls that are answered; when the last repeat has ended, the whole page is drawn."""
    workspace.enter()
    latest = rounds.current()
    if not latest.running:
        st.rerun()
    answered = sum(len(job.answered) for job in latest.jobs)
    wanted = len(latest.prompts) * len(latest.jobs)
    words = f"{answered:,} of {counted(wanted, 'call')} answered"
    st.progress(answered / wanted if wanted else 0.0, words)


def _problems(docket: Docket) -> None:
    """Why the latest round did not come to its end."""
    latest = rounds.current()
    if latest.problem:
        box("The judge can't start.", latest.problem)
    reasons = dict.fromkeys(
        reason for job in latest.jobs if (reason := job.problem or (job.trace and job.trace.error))
    )
    for reason in reasons:
        box("The judge ended early.", f"{reason} The replies that came are kept.")
    replied = [call for job in latest.jobs for call in job.answered]
    for note in dict.fromkeys(note for call in replied for note in call.notes):
        small(note)
    if cut := sum(call.finish_reason == "length" for call in replied):
        verb = "was" if cut == 1 else "were"
        small(f"{cut:,} of the replies {verb} cut off: raise the answer length, and judge again.")
    if latest.judge is not None and latest.judge != docket.judge:
        small("The latest judgements are another judge's, or have other limits.")


def _tables(
    comparison: Comparison, docket: Docket, answers: Answers, shown: _Shown, question: int
) -> None:
    """What was said of all questions together, and of the question that is open."""
    if len(comparison.questions) > 1:
        _table(docket, answers, shown, range(len(comparison.questions)))
        with st.container(horizontal=True, vertical_alignment="center", key="judge_question"):
            section("One question")
            choose_question(comparison)
    _table(docket, answers, shown, [question])
    if any(shown.replies):
        small(
            "A pair is asked in both orders, and is a tie where the two replies disagree; answers"
            " that are equal are no pair. Of several repeats the verdict counts that most gave."
        )


def _table(docket: Docket, answers: Answers, shown: _Shown, questions: Sequence[int]) -> None:
    found = []
    if any(shown.replies):
        found = rows(docket.asked, shown.replies, shown.labels, shown.reference, questions)
    if (own := thumbs_row(shown.thumbs, answers, questions)) is not None:
        found.append(own)
    if found:
        head = f"{len(questions):,} questions" if len(questions) > 1 else "this question"
        st.html(rows_html(head, shown.labels, found))


def _thumbs(docket: Docket, shown: _Shown, question: str, traces: Sequence[Trace | None]) -> None:
    """The answers without their names, and how often the person agrees with the judge."""
    with st.expander("Judge yourself, blind", expanded=not docket.judge.model.name):
        small("Is it right? The order is shuffled, and no name is shown.")
        thumbs.draw(question, traces)
    agreed, total = agreeing_thumbs(docket.asked, shown.replies, shown.thumbs)
    if total:
        sentence([Bold(f"You and the judge agree in {agreed:,} of {counted(total, 'case')}.")])
        small(
            "A thumb up agrees with “correct”, a thumb down with “partly” and “incorrect”; where"
            " two answers have different thumbs, the judge should find the right one better."
        )


def _claims(docket: Docket, shown: _Shown, question: int) -> None:
    """The claims of the answer of one column."""
    own = {
        each.column: found
        for each in docket.asked
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


def _calls(docket: Docket, look: Look) -> None:
    """Each prompt of the judge, before it is sent and after, with its reply."""
    if not docket.plan.calls:
        return
    if not st.toggle(
        "Prompts and replies of the judge", key=keys.JUDGE_CALLS, persist_state="session"
    ):
        return
    traces = [job.trace for job in rounds.current().jobs]
    ended = [trace for trace in traces if trace is not None and trace.calls]
    if not ended or not any(rounds.replies(docket)):
        calls.draw(RunView(docket.plan, ("judge", docket.prompts), look, WIDE))
        return
    repeat = 0
    if len(ended) > 1:
        repeat = st.segmented_control(
            "Repeat",
            range(len(ended)),
            default=0,
            required=True,
            format_func=lambda at: f"Repeat {at + 1:,}",
            key=keys.JUDGE_REPEAT,
            persist_state="session",
            label_visibility="collapsed",
        )
    serial = rounds.current().jobs[repeat].serial
    calls.draw(RunView(ended[repeat], ("judge", serial, len(ended[repeat].calls)), look, WIDE))
