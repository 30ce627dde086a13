"""The head of the page: its sentence, Run, and which view of the comparison is shown."""

from typing import Literal, get_args

import streamlit as st

from synth.html.escape import sentence_html
from synth.html.markup import Html, tag
from synth.text.wording import Bold, short
from ui.look.elements import button_row, dropdown, stop_button
from ui.pages.compare import questions_editor, recipes, runs
from ui.pages.compare.columns import current_columns
from ui.pages.compare.comparison import Comparison
from ui.pages.compare.headline import headline
from ui.pages.compare.run_slots import compared_runs
from ui.plans.page_inputs import PageInputs
from ui.session import keys
from ui.settings import state

View = Literal["columns", "grid", "chart"]
_VIEWS: tuple[View, ...] = get_args(View)
_WORDS: dict[View, str] = {"columns": "Columns", "grid": "Questions", "chart": "Chart"}
_LONGEST_QUESTION = 80  # characters


def chosen_view() -> View:
    """Return what the page shows of the comparison; the address may say so."""
    state.sync_with_address(keys.COMPARE_VIEW, _VIEWS, "columns")
    view: View = st.session_state.get(keys.COMPARE_VIEW, "columns")
    return view


def open_question(comparison: Comparison) -> int:
    """Return the position of the question that is open."""
    count = len(comparison.asked)
    number = max(1, min(int(st.session_state.get(keys.COMPARE_QUESTION, 1)), count))
    st.session_state[keys.COMPARE_QUESTION] = number
    return number - 1


def draw(inputs: PageInputs, comparison: Comparison, view: View, question: int) -> None:
    """Draw the sentence with the columns, the questions and Run, then the views."""
    with st.container(horizontal=True, vertical_alignment="center", key="head"):
        sentence = st.container(key="head_words")
        buttons = st.container(horizontal=True, width="content", key="head_buttons")
    with st.container(horizontal=True, vertical_alignment="center", key="compare_inputs"):
        button_row("What is compared", _VIEWS, keys.COMPARE_VIEW, format_func=_WORDS.__getitem__)
        st.space("stretch")
        if view == "columns":
            _question(comparison)
    sentence.html(_headline_html(comparison, view, question))
    with buttons:
        recipes.draw(comparison.page, current_columns(comparison.page))
        questions_editor.draw(inputs, len(comparison.asked))
        with st.container(key="run", width=190):
            if compared_runs().running:
                stop_button(compared_runs().stop, type="primary", width="stretch")
            else:
                _run_button(comparison)


def _headline_html(comparison: Comparison, view: View, question: int) -> Html:
    """What is known of the question that is open, or of all."""
    rows = comparison.by_question[question] if view == "columns" else comparison.rows
    line, detail = headline(rows)
    return sentence_html([Bold(line)]) + tag("div.subline", detail or Html("&nbsp;"))


def _question(comparison: Comparison) -> None:
    """The question that is open; of several, the choice of it."""
    questions = [asked.query for asked in comparison.asked]
    if len(questions) == 1:
        st.html(tag("bdi.small", short(questions[0], _LONGEST_QUESTION)), width="content")
        return

    def say(number: int) -> str:
        return f"{number} of {len(questions)} · {short(questions[number - 1], _LONGEST_QUESTION)}"

    numbers = range(1, len(questions) + 1)
    dropdown("Question", numbers, keys.COMPARE_QUESTION, format_func=say, width=380)


def _run_button(comparison: Comparison) -> None:
    possible = [row for row in comparison.rows if row.can_run and not row.missing]
    lacking = [row for row in possible if row.answer is None]
    again = bool(possible) and not lacking
    others = bool(lacking) and len(lacking) < len(possible)
    was_again = st.session_state.get(keys.RUNS_AGAIN)
    st.session_state[keys.RUNS_AGAIN] = again
    pressed = st.button(
        "Run again" if again else f"Run the other {len(lacking):,}" if others else "Run all",
        key="run_button",
        icon=":material/refresh:" if again else ":material/play_arrow:",
        type="secondary" if again else "primary",
        width="stretch",
        shortcut="Mod+Enter",
        help="Sends every call anew." if again else "Sends only prompts without an answer.",
        disabled=not possible or bool(runs.too_many(comparison) or comparison.unconfirmed),
    )
    if pressed and (lacking or was_again):  # else another tab has run all of it
        runs.press(comparison, lacking or possible, reuse=not again)
