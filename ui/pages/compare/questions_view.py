"""The questions of a comparison: the view with a line for each and a deck of answers to be judged.

And the menu that says what is asked: a question, a list, or a set.
"""

import math
import random
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.errors import QuestionSetError
from synth.html.escape import answer_html
from synth.html.markup import Html, tag
from synth.quality import Fact, Question
from synth.quality.questions import MOST_BYTES, MOST_EXPECTED, MOST_QUESTIONS
from synth.text.wording import counted, listed, short
from ui.controls import own_text
from ui.controls.inputs import draw_question
from ui.look import scripts
from ui.look.elements import box, draw_columns, error_box, small
from ui.look.scripts import clicks
from ui.pages.compare.columns import MOST_REPEATS, listed_columns
from ui.pages.compare.comparison import Asked, Comparison, RunRow, sign_of, verdict_words
from ui.pages.compare.thumbs_and_notes import draw_note, rate, rating, short_hash
from ui.plans.plan_range import PageInputs
from ui.session import keys, workspace
from ui.settings import expected, state

_CLICKED = re.compile(r"question ([0-9]{1,6})")
_LONGEST_QUESTION = 200  # characters


def draw(comparison: Comparison, question: int) -> None:
    """Draw the table, and beside it the answers to the question that is open, to be judged."""
    if not any(one.facts or one.checks for one in comparison.asked):
        box(
            "Nothing is expected of the answers yet.",
            "Give a set of questions with facts and checks, type below what is expected, or judge"
            " the answers yourself.",
        )
    follow_clicks(comparison)
    left, right = draw_columns("questions", 1, 1)
    with left:
        st.html(_table_html(comparison, question))
    with right, st.container(key="deck"):
        _draw_deck(comparison, question)
        draw_expected(comparison.asked[question])


def follow_clicks(comparison: Comparison) -> None:
    """Open the question of a line that is clicked, in this view."""

    def open_question(clicked: str) -> None:
        line = _CLICKED.fullmatch(clicked)
        if line and int(line[1]) < len(comparison.asked):
            st.session_state[keys.COMPARE_QUESTION] = int(line[1]) + 1
            st.session_state[keys.COMPARE_VIEW] = "grid"

    clicks(open_question)


def line_html(comparison: Comparison, question: int) -> Html:
    """Write the number of a question, and the button that opens it."""
    words = short(comparison.asked[question].query, _LONGEST_QUESTION)
    clicked = f"question {question}"
    button = tag("button", words, type="button", data_click=clicked, dir="auto", title=words)
    return tag("td.muted", f"{question + 1}") + tag("th", button, scope="row")


def _table_html(comparison: Comparison, opened: int) -> Html:
    passed = comparison.runs.groupby("column", sort=False)["score"].agg(["sum", "count"])
    heads = (
        tag(
            "th",
            tag("span.letter", str(name)),
            tag("b", f" {one['sum']:g}" if one["count"] else ""),
        )
        for name, one in passed.iterrows()
    )
    of = len(comparison.asked) * comparison.repeats
    first = tag("th.muted", f"passed of {of:,}", colspan="2")
    rows = (_row_html(comparison, number, opened) for number in range(len(comparison.asked)))
    inside = tag("table", tag("thead", tag("tr", first, *heads)), tag("tbody", *rows))
    return tag("div.questions.num", inside, tabindex="0", role="region", aria_label="Questions")


def _row_html(comparison: Comparison, question: int, opened: int) -> Html:
    hidden = question == opened and _is_blind(comparison, question)
    cells = (
        tag("td", *_verdicts(comparison.repeats_of(column.name, question), hidden))
        for column in comparison.columns
    )
    kind = "tr.open" if question == opened else "tr"
    return tag(kind, line_html(comparison, question), *cells)


def _verdicts(rows: Sequence[RunRow], hidden: bool) -> Iterator[Html]:
    """The sign of each repeat, how much of what is needed it has, and the thumb."""
    for row in rows:
        is_hidden = hidden and row.answer is not None
        sign, name = ("?", "to be judged") if is_hidden else sign_of(row)
        yield tag(f"span.sign.{_KINDS[sign]}", sign, tag("span.unseen", f" {row.column} {name}"))
    if len(rows) == 1 and not hidden:
        yield tag("span.muted", f" {verdict_words(rows[0])}")


_KINDS = {"✓": "all", "×": "some", "?": "unsure", "–": "blank", "○": "some"}

_BESIDE = 3  # cards in a row


def _cards_of(comparison: Comparison, question: int) -> list[str]:
    """List the different answers to a question, in an order that tells nothing of the columns."""
    rows = comparison.by_question[question]
    answers = sorted({row.answer for row in rows if row.answer is not None})
    order = random.Random(short_hash(comparison.asked[question].query, *answers))
    order.shuffle(answers)
    return answers


def _is_judged(comparison: Comparison, question: int) -> bool:
    """Whether each answer to a question has a thumb; not where there is no answer."""
    rows = [row for row in comparison.by_question[question] if row.answer is not None]
    return bool(rows) and not any(math.isnan(row.right) for row in rows)


def _is_blind(comparison: Comparison, question: int) -> bool:
    """Whether the verdicts on a question are hidden while it is open: it is not judged yet."""
    return bool(_cards_of(comparison, question)) and not _is_judged(comparison, question)


def _draw_deck(comparison: Comparison, question: int) -> None:
    """Draw the cards of a question, with the keys that say which are right, and the way on."""
    scripts.free_the_arrows()
    asked, answers = comparison.asked[question], _cards_of(comparison, question)
    total = len(comparison.asked)
    judged = sum(_is_judged(comparison, one) for one in range(total))
    with st.container(horizontal=True, vertical_alignment="center", key="judged"):
        small(f"Question {question + 1:,}")
        st.progress(judged / total)
        small(f"{judged:,} of {total:,} judged")
    st.html(tag("div.section", asked.query or "No question", dir="auto"))
    needed = (one.expected for one in asked.expectations if one.needed)
    facts = [f"“{fact.text}”" for fact in needed if isinstance(fact, Fact)]
    if facts:
        small(f"A good answer holds {listed(facts)}.")
    if not answers:
        small("There is no answer yet.")
        return
    containers: list[DeltaGenerator] = []
    while len(containers) < len(answers):
        containers += st.columns(min(len(answers), _BESIDE), gap="small")
    for position, answer in enumerate(answers):
        with containers[position], st.container(border=True):
            _card(comparison, question, position, answer)
    _ways_on(comparison, question, answers)


def _card(comparison: Comparison, question: int, position: int, answer: str) -> None:
    query, number = comparison.asked[question].query, position + 1
    is_right = rating(query, answer).thumb
    words = {True: "Right", False: "Not right", None: "Is it right?"}
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        st.button(
            words[is_right],
            key=f"card {number}",
            type="primary" if is_right else "secondary",
            shortcut=str(number) if number <= 9 else None,
            on_click=_turn,
            args=(comparison, question, answer),
        )
        draw_note(query, answer)
    if _is_judged(comparison, question):
        gave = (row.column for row in comparison.by_question[question] if row.answer == answer)
        small(f"by {listed_columns(list(dict.fromkeys(gave)))}")
    st.html(answer_html(answer) if answer else tag("div.small.muted", "The answer is empty."))


def _turn(comparison: Comparison, question: int, turned: str | None) -> None:
    """Say that an answer is right, or no longer, and others wrong until they are; None: all are."""
    query = comparison.asked[question].query
    for answer in _cards_of(comparison, question):
        thumb = rating(query, answer).thumb
        if answer == turned:
            rate(query, answer, thumb=not thumb)
        elif turned is None or thumb is None:
            rate(query, answer, thumb=False)


def _reject(comparison: Comparison, question: int) -> None:
    """Say that no answer is right, and go on where another question is to be judged."""
    _turn(comparison, question, None)
    total = len(comparison.asked)
    if any(_is_blind(comparison, other) for other in range(total) if other != question):
        _next(comparison, question)


def _ways_on(comparison: Comparison, question: int, answers: list[str]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Next question",
            key="next_question",
            shortcut="Enter",
            on_click=_next,
            args=(comparison, question),
        )
        st.button(
            "None is right",
            key="none_is_right",
            shortcut="0",
            on_click=_reject,
            args=(comparison, question),
        )
        rows = comparison.by_question[question]
        gave = {row.column for row in rows if row.answer is not None}
        small(f"Shuffled: {counted(len(answers), 'answer')} of {counted(len(gave), 'column')}.")


def _next(comparison: Comparison, question: int) -> None:
    total = len(comparison.asked)
    later = [(question + step) % total for step in range(1, total)]
    unjudged = [one for one in later if _is_blind(comparison, one)]
    following = unjudged[0] if unjudged else (question + 1) % total
    st.session_state[keys.COMPARE_QUESTION] = following + 1


_TYPES = ("csv", "jsonl", "json", "yaml", "yml")
_HELP = (
    "One fact a line. A star marks one that must arrive; wordings that count as well stand after"
    " a bar: * 8 instead of 80 | 8, not 80. After rubric: stands by what a model is to judge."
)


def draw_editor(inputs: PageInputs, count: int, filled: Collection[str]) -> None:
    """Draw how many questions there are, and behind it what gives others, and how often.

    `filled` are the variables that stand in the requests.
    """
    popover = st.popover(counted(count, "question"), icon=":material/list:", key="questions")
    with popover, st.container(key="questions_contents"):
        if asked := expected.questions():
            _draw_present(asked, filled)
        else:
            if not workspace.value(keys.QUESTIONS, "").strip():
                draw_question(inputs)
            st.text_area(
                "A list of questions, one per line",
                height=120,
                placeholder="replaces the single question",
                **state.bind_to_workspace(keys.QUESTIONS, ""),
            )
        st.number_input(
            "Repeats",
            1,
            MOST_REPEATS,
            help="How often each column is asked, to see how much its answers vary.",
            **state.bind_to_workspace(keys.REPEATS, 1),
        )
        if (shipped := expected.find_shipped()) and shipped != asked:
            st.button(
                f"Ask {counted(len(shipped), 'question')} on this sample",
                icon=":material/playlist_add:",
                help="Questions of our own, each with the facts that a good answer holds.",
                key="shipped_set",
                on_click=_take_shipped,
            )
        _upload()


def _draw_present(asked: Sequence[Question], filled: Collection[str]) -> None:
    counts = {
        "fact": sum(len(question.facts) for question in asked),
        "check": sum(len(question.checks) for question in asked),
    }
    with_them = listed([counted(count, noun) for noun, count in counts.items() if count])
    with box(
        f"A set of {counted(len(asked), 'question')}",
        f"with {with_them} is asked." if with_them else "is asked.",
    ):
        columns = {name: None for question in asked for name in question.variables}
        if unused := [short(name, 60) for name in columns if name not in filled]:
            small(f"Not sent, since no template names them: {listed(unused, 12)}.")
        if left_out := Counter(name for question in asked for name in question.left_out):
            names = [f"{short(name, 60)} ({count:,})" for name, count in left_out.most_common()]
            small(f"Left out, since it is not read here: {listed(names, 12)}.")
        st.button("Remove the set", icon=":material/close:", type="tertiary", on_click=_remove)


def _upload() -> None:
    own_text.draw_uploader("Drop a set", _TYPES, MOST_BYTES // 1_000_000, _read)
    small(
        "CSV, JSON lines, JSON or YAML: query, ground truth, facts, checks and variables, or as"
        " ragas, DeepEval, LlamaIndex and promptfoo have them. A short ground truth is a fact, by"
        f" a long one a model judges. Up to {MOST_QUESTIONS:,} questions, each with"
        f" {MOST_EXPECTED} facts and {MOST_EXPECTED} checks. All are asked of the chunks of the"
        " Playground."
    )
    if problem := st.session_state.get(keys.SET_PROBLEM):
        first, *others = problem.splitlines()
        with error_box("This set was not taken.", first):
            for line in others:
                small(line)


def _read(files: Sequence[tuple[str, bytes]]) -> None:
    """Take a set; what is wrong with it is told, and the set before stays."""
    st.session_state[keys.SET_PROBLEM] = None
    for name, data in files:
        try:
            expected.take(name, data)
        except QuestionSetError as problem:
            st.session_state[keys.SET_PROBLEM] = str(problem)


def _take_shipped() -> None:
    expected.keep(expected.find_shipped())
    st.session_state[keys.SET_PROBLEM] = None


def _remove() -> None:
    state.set_workspace_value(keys.QUESTION_SET, None)
    st.session_state[keys.SET_PROBLEM] = None


def draw_expected(asked: Asked) -> None:
    """Draw the field for the facts of a question, and what is wrong there."""
    query = asked.query
    _, problem = expected.facts_of(query)
    key = f"facts {query}"
    with st.expander("Facts and rubrics of this question", expanded=bool(problem)):
        st.text_area(
            "Facts that the answer should hold",
            height=210,
            help=_HELP,
            placeholder=_HELP,
            **state.bind(
                key,
                expected.facts_text_of(query),
                lambda: expected.store_facts(query, st.session_state[key]),
            ),
        )
        if problem:
            small(problem)
