"""The answers below their columns: equal ones once, with the reason, others as a difference."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

import streamlit as st

from synth.html.escape import answer_html
from synth.html.markup import Html, tag
from synth.html.provenance import diff_html, provenance_html
from synth.modes.advice.equivalence import same_prompts
from synth.text.diff import TOO_DIFFERENT, word_diff
from synth.text.wording import counted, listed
from synth.text.words import count_words
from synth.words.provenance import NOTE, joined, matches
from ui.look.elements import dropdown, section, small
from ui.pages.compare import outcome_view, ratings
from ui.pages.compare.cells import Cell
from ui.pages.compare.comparison import Comparison
from ui.session import keys, workspace

_LONG = 3_000  # characters: longer answers scroll
_TALLEST = 640  # pixels of an answer that scrolls


def draw(comparison: Comparison, row: Sequence[Cell]) -> None:
    """The answers of these columns; neighbours with one answer share its place."""
    if all(cell.answer is None for cell in row):
        return
    tagged = _choices(row)
    compared = row[comparison.reference].answer
    places = [(answer, list(cells)) for answer, cells in groupby(row, lambda cell: cell.answer)]
    with st.container(key="answers"):
        containers = st.columns([len(cells) for _, cells in places], gap="medium")
    for (answer, cells), container in zip(places, containers, strict=True):
        if answer is None:
            continue
        equal = [cell for cell in row if cell.answer == answer]
        with container, st.container(border=True):
            first, alone = cells[0] == equal[0], len(cells) == 1
            if first:
                _answer(answer, equal, compared, tagged)
            else:
                _heading(_names(cells), f"the same answer as {equal[0].name}")
            if first and not alone:
                with st.container(horizontal=True, gap="small"):
                    ratings.draw(cells[0].asked.query, answer)
            for cell in cells:
                _actions(comparison, cell, named=not alone, rated=first and alone)
    if tagged:
        small(NOTE)


def _choices(row: Sequence[Cell]) -> bool:
    """The heading with the reference; returns whether the words are to be tagged."""
    names = {cell.slot.column: cell.label for cell in row}
    with st.container(horizontal=True, vertical_alignment="center", key="compare_choices"):
        section("Answers")
        st.space("stretch")
        dropdown(
            "Compare the answers with",
            list(names),
            keys.REFERENCE,
            format_func=lambda column: f"against {names[column]}",
            width=230,
        )
        return st.toggle("Tag the words by chunk", key="tag_words", persist_state="session")


def _answer(answer: str, equal: Sequence[Cell], compared: str | None, tagged: bool) -> None:
    """One answer, and how it differs from that of the reference."""
    words = counted(count_words(answer), "word")
    together = f" gave the same {words}" if len(equal) > 1 else ""
    diff = None
    if compared and answer and compared != answer:
        diff = workspace.current().remembered(
            "compared answers", (compared, answer), lambda: word_diff(compared, answer)
        )
    note = diff.changes if diff else ""
    if diff and not diff.readable:
        note = TOO_DIFFERENT
    if not note and not together and answer:
        note = words
    _heading(f"{_names(equal)}{together}", note)
    if not answer:
        small("The answer is empty; only the sources are returned.")
    else:
        html = answer_html(answer)
        if tagged:
            html = _tagged_html(answer, equal[0].request.text_chunks)
        elif diff is not None and diff.readable:
            html = diff_html(diff)
        # A very long answer scrolls, so that the others stay beside it.
        with st.container(height=_TALLEST if len(answer) > _LONG else "content", border=False):
            st.html(html)
    if len(equal) > 1 and (reason := why_equal(equal)):
        small(reason)


def why_equal(cells: Sequence[Cell]) -> str:
    """Why these columns gave one answer, and what would make them differ; "" where nobody knows.

    A model of an endpoint may give one answer to different prompts for any reason.
    """
    if len({cell.request for cell in cells}) == 1:
        return "Their settings are the same. Change those of one under “Edit columns”."
    groups = same_prompts([cell.trace for cell in cells if cell.trace is not None])
    if len(groups) == 1 and len(groups[0]) == len(cells):
        run = ", so one run serves them all" if len({cell.version for cell in cells}) == 1 else ""
        return (
            f"They sent the very same prompts{run}. With more chunks, or a smaller window, the"
            " modes part."
        )
    if all(cell.free for cell in cells):
        return (
            "There is no language model here: the offline model picks sentences of the chunks, so"
            " different prompts can end with the same sentences. To see other words, choose an"
            " endpoint at the model in the menu."
        )
    return ""


def _names(cells: Sequence[Cell]) -> str:
    return listed([cell.name for cell in cells])


def _heading(name: str, note: str) -> None:
    muted = (" ", tag("span.small.muted", note)) if note else ()
    st.html(tag("div.num", tag("b", name), *muted))


def _tagged_html(answer: str, chunks: tuple[str, ...]) -> Html:
    found = workspace.current().remembered(
        "compared matches", (answer, chunks), lambda: joined(answer, matches(answer, chunks))
    )
    return provenance_html(answer, found)


def _actions(comparison: Comparison, cell: Cell, named: bool, rated: bool) -> None:
    """The repeats of a column, a person's rating, and the way into the Playground."""
    if comparison.repeats > 1:
        _repeats(comparison, cell)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if named:
            st.html(tag("div.small", cell.name), width="content")
        if rated and cell.answer is not None:
            ratings.draw(cell.asked.query, cell.answer)
        st.space("stretch")
        outcome_view.open_button(comparison, cell.slot)


def _repeats(comparison: Comparison, cell: Cell) -> None:
    """The different answers of the repeats, each once, with how often it was given."""
    repeats = [one.answer for one in comparison.repeated(cell.slot)]
    answers = Counter(answer for answer in repeats if answer is not None).most_common()
    small(repeats_summary([count for _, count in answers], len(repeats)))
    if len(answers) < 2:
        return
    with st.expander(f"{len(answers):,} different answers", key=f"repeats {cell.slot.column}"):
        first, _ = answers[0]
        for answer, count in answers:
            section("given once" if count == 1 else f"given {count:,} times")
            st.html(answer_html(answer) if answer == first else diff_html(word_diff(first, answer)))


def repeats_summary(counts: Sequence[int], repeats: int) -> str:
    """The number of repeats with an answer, and of different answers."""
    answered, different = sum(counts), len(counts)
    head = f"{answered:,} of {counted(repeats, 'repeat')} answered"
    if answered < 2:
        return f"{head}."
    return f"{head}: {'all identical' if different == 1 else f'{different:,} different answers'}."
