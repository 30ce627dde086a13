"""The view Judge: a model is asked about the answers, after its calls were planned and priced."""

from collections.abc import Mapping, Sequence

import streamlit as st

from synth.html.escape import answer_html
from synth.html.markup import Html, tag
from synth.pictures.shapes import WIDE
from synth.text.wording import Bold, counted
from ui.look.elements import beside, button_row, dropdown, section, sentence, small
from ui.pages.compare import ratings, set_editor
from ui.pages.compare.analysis.judge_table import (
    Said,
    Thumbs,
    agreeing_thumbs,
    rows,
    thumbs_row,
)
from ui.pages.compare.analysis.judgements import FoundClaim, Replies, found_claims
from ui.pages.compare.cells import Cell
from ui.pages.compare.comparison import Comparison
from ui.pages.compare.grid_html import framed_table, outcomes_html
from ui.pages.compare.judge import head, rounds, setup
from ui.pages.compare.judge.setup import JudgePlan
from ui.session import workspace
from ui.views import calls
from ui.views.run_views import RunView

_KIND, _COLUMN = 96, 96  # pixels that the names of kinds and the cells of a column need
_SIGNS = {"supported": "✓", "unsupported": "✕", "no verdict": "?"}
_SHADES = {
    **dict.fromkeys(("supported", "correct", "better"), "good"),
    **dict.fromkeys(("tie", "partly"), "middle"),
    **dict.fromkeys(("unsupported", "incorrect", "worse"), "bad"),
    "no verdict": "unknown",
}
_TALLEST = 260  # pixels of an answer that is judged blind, beyond which it scrolls
_LONG = 700  # characters of one that scrolls


def draw(comparison: Comparison, question: int) -> None:
    """Who judges, what that costs, what was said, and the person's own thumbs beside it."""
    head.draw_editor(comparison)
    if "correctness" in setup.kinds():
        set_editor.draw_expected(comparison.asked[question])
    planned = setup.judge_plan_of(comparison)
    head.draw(comparison, planned)
    if rounds.current().running:
        return
    replies, thumbs = rounds.replies(planned), _thumbs_of(comparison)
    row = comparison.row(question)
    every = [comparison.row(number) for number in range(len(comparison.asked))]
    for shown in [every, [row]] if len(every) > 1 else [[row]]:
        _table(comparison, planned, replies, thumbs, shown)
    if any(replies):
        small(
            "A pair is asked in both orders, and is a tie where the two replies disagree; answers"
            " that are equal are no pair. Of several repeats the verdict counts that most gave."
            " What the judge said is not saved: it is gone once the server is started anew."
        )
    _blind(planned, row)
    _agreement(planned, replies, thumbs)
    _claims(planned, replies, row)
    _calls(planned)


def _thumbs_of(comparison: Comparison) -> Thumbs:
    """The person's thumbs for the answers of the first repeats."""
    found = {
        cell.slot: ratings.rating(cell.asked.query, cell.answer).thumb
        for cell in comparison.cells.values()
        if cell.answer and not cell.slot.repeat
    }
    return {slot: thumb for slot, thumb in found.items() if thumb is not None}


def _table(
    comparison: Comparison,
    planned: JudgePlan,
    replies: Sequence[Replies],
    thumbs: Thumbs,
    shown: Sequence[Sequence[Cell]],
) -> None:
    """What was said of the questions of these rows."""
    found = rows(planned.asked, replies, shown, comparison.reference) if any(replies) else {}
    if own := thumbs_row(thumbs, shown):
        found["Your thumbs"] = own
    if found:
        head = f"{len(shown):,} questions" if len(shown) > 1 else "this question"
        st.html(rows_html(head, [cell.label for cell in shown[0]], found))


def rows_html(head: str, names: Sequence[str], rows: Mapping[str, Sequence[Said]]) -> Html:
    """The rows, with a cell for each column."""
    lines = (
        tag("tr", tag("th", name, scope="row"), *map(_said_html, cells))
        for name, cells in rows.items()
    )
    return framed_table(
        ("What the judge said", head),
        names,
        [tag("tbody", *lines)],
        width=_KIND + _COLUMN * len(names),
        style="grid.judged.num",
    )


def _said_html(said: Said) -> Html:
    note = tag("div.muted", said.note) if said.note else ""
    return tag("td", _counts_html(said) if said.counts else tag("b", said.text), note, dir="auto")


def _counts_html(said: Said) -> Html:
    """A bar of the verdicts, and how many there are of each."""
    bar = (tag(f"i.{_SHADES[verdict]}", style=f"flex: {count}") for verdict, count in said.counts)
    words = (tag("span", f"{verdict} ", tag("b", f"{count:,}")) for verdict, count in said.counts)
    return tag("div.verdicts", *bar, aria_hidden="true") + tag("div", Html(" · ").join(words))


def _blind(planned: JudgePlan, row: Sequence[Cell]) -> None:
    """The answers to one question without names, in shuffled order, each once and with a thumb."""
    question, mine = row[0].asked.query, workspace.current().id
    answers = {cell.answer for cell in row if cell.answer}
    shuffled = sorted(answers, key=lambda answer: ratings.short_hash(mine, question, answer))
    with st.expander("Judge yourself, blind", expanded=not planned.judge.model.name):
        small("Is it right? The order is shuffled, and no name is shown.")
        if not shuffled:
            small("There is no answer to this question yet.")
            return
        containers = beside("blind", *[1] * len(shuffled))
        for number, (answer, container) in enumerate(zip(shuffled, containers, strict=True), 1):
            with container, st.container(border=True):
                section(f"Answer {number}")
                long = len(answer) > _LONG
                with st.container(height=_TALLEST if long else "content", border=False):
                    st.html(answer_html(answer))
                with st.container(horizontal=True, gap="small"):
                    ratings.draw(question, answer)


def _agreement(planned: JudgePlan, replies: Sequence[Replies], thumbs: Thumbs) -> None:
    """How often the person agrees with the judge."""
    agreed, total = agreeing_thumbs(planned.asked, replies, thumbs)
    if total:
        sentence([Bold(f"You and the judge agree in {agreed:,} of {counted(total, 'case')}.")])
        small(
            "A thumb up agrees with “correct”, a thumb down with “partly” and “incorrect”; where"
            " two answers have different thumbs, the judge should find the right one better."
        )


def _claims(planned: JudgePlan, replies: Sequence[Replies], row: Sequence[Cell]) -> None:
    """The claims of the answer of one column."""
    positions = {cell.slot: at for at, cell in enumerate(row)}
    own = {
        positions[each.slot]: found
        for each in planned.asked
        if each.kind == "support"
        and each.slot in positions
        and (found := found_claims(each, replies))
    }
    if not own:
        return
    column = dropdown(
        "The claims of",
        list(own),
        "judged_column",
        format_func=lambda at: row[at].label,
        label_visibility="visible",
        width=240,
    )
    verdicts = [(str(claim.finding.verdict), claim) for claim in own[column]]
    st.html(
        outcomes_html(
            (_SIGNS[verdict], verdict, claim.shown.claim, _grounds(claim))
            for verdict, claim in verdicts
        )
    )
    small(
        "A claim is a sentence of the answer. It counts as supported where the judge quotes three"
        " words or more that stand, word for word, in the text that was sent; a reply that can't be"
        " read, or a quote that stands nowhere, is no verdict."
    )


def _grounds(claim: FoundClaim) -> str:
    """Where the quote stands, or why there is none; and how many repeats say the same."""
    shown, found = claim.shown, claim.finding
    if shown.verdict != found.verdict:
        return "The repeats disagree."
    words = shown.reason
    if chunks := dict.fromkeys(f"chunk {origin.number:,}" for origin in shown.evidence):
        words += f" It stands in {' and '.join(chunks)}."
    return f"{words} {found.repeats} say so." if found.repeats else words


def _calls(planned: JudgePlan) -> None:
    """Each prompt of the judge, before it is sent and after, with its reply."""
    if not planned.plan.calls:
        return
    if not st.toggle(
        "Prompts and replies of the judge", key="judge_calls", persist_state="session"
    ):
        return
    traces = [(job, job.trace) for job in rounds.current().jobs]
    ended = [(job, trace) for job, trace in traces if trace is not None and trace.calls]
    if not ended or not any(rounds.replies(planned)):
        calls.draw(RunView(planned.plan, ("judge", planned.prompts), WIDE))
        return
    at = 0
    if len(ended) > 1:
        words = [f"Repeat {number:,}" for number in range(1, len(ended) + 1)]
        at = button_row("Repeat", range(len(ended)), "judge_repeat", format_func=words.__getitem__)
    job, trace = ended[at]
    calls.draw(RunView(trace, ("judge", job.serial, len(trace.calls)), WIDE))
