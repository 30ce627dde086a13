"""What is asked of the columns, and what answers are to hold: a question, a list, or a set."""

from collections import Counter
from collections.abc import Collection, Sequence

import streamlit as st

from synth.errors import QuestionSetError
from synth.quality import Question, QuestionSet
from synth.quality.questions import MOST_BYTES, MOST_EXPECTED, MOST_QUESTIONS
from synth.text.wording import counted, listed, short
from ui.controls import own_text, questions
from ui.look.elements import box, error_box, small
from ui.pages.compare.columns import MOST_REPEATS
from ui.pages.compare.frame import Asked
from ui.plans.plan_range import PageInputs
from ui.session import keys, workspace
from ui.settings import expected, state

_TYPES = ("csv", "jsonl", "json", "yaml", "yml")
_HELP = (
    "One fact a line. A star marks one that must arrive; wordings that count as well stand after"
    " a bar: * 8 instead of 80 | 8, not 80. After rubric: stands by what a model is to judge."
)


def draw(inputs: PageInputs, count: int, filled: Collection[str]) -> None:
    """Draw how many questions there are, and behind it what gives others, and how often.

    `filled` are the variables that stand in the requests.
    """
    popover = st.popover(counted(count, "question"), icon=":material/list:", key="questions")
    with popover, st.container(key="questions_contents"):
        if asked := expected.questions():
            _draw_present(asked, filled)
        else:
            if not workspace.value(keys.QUESTIONS, "").strip():
                questions.draw_question(inputs)
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
    """Draw the set that is asked now, and the button that removes it."""
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
        if into := [f"{{{name}}}" for name in columns if name in filled]:
            small(f"Its columns fill {listed(into)} in the templates.")
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
    expected.keep(QuestionSet(expected.find_shipped()))
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
