"""One column: its head, its flow, its answer beside that of the reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from synth.trace import Plan, Trace
from ui import views, workspace
from ui.compare import marks, opening, repeats_view, runs
from ui.compare.analysis import Entry
from ui.compare.analysis.text_sent import lost_tokens
from ui.compare.columns import MOST, Column
from ui.compare.differences import differences
from ui.compare.lineup import Lineup
from ui.compare.sharing import sends_the_same
from ui.diff import TOO_DIFFERENT, diff_html, word_diff
from ui.figures.compare import small_flow, small_flow_alt
from ui.safe import answer_html, escape, tags_html
from ui.split_words import split_words
from ui.theme import Look
from ui.words import box, chart, counted, small
from ui.workspace import Place

_LONG = 3_000  # characters of an answer from which on it scrolls
_TALLEST = 640  # pixels of it


@dataclass(frozen=True)
class Side:
    """A column to draw, for one question; `reference` is the column it is compared with."""

    shown: Lineup
    column: Column
    question: int
    reference: str
    look: Look

    @property
    def place(self) -> Place:
        """Where its first run stands."""
        return Place(self.column.name, self.question)

    @property
    def is_reference(self) -> bool:
        """Whether the others are compared with this one."""
        return self.column.name == self.reference


def draw_side(side: Side, entries: Sequence[Entry]) -> None:
    """The column; `entries` are those of all columns, in order."""
    names = [column.name for column in side.shown.columns]
    entry, reference = entries[names.index(side.column.name)], entries[names.index(side.reference)]
    made = any(one.trace or one.problem for one in entries)
    tags = _tags(side, entry, made)
    _head(side, entry, tags)
    if entry.refused is not None and entry.trace is None:
        box("This can't run.", entry.refused)
        return
    run = entry.trace if entry.trace and entry.trace.calls else entry.high
    if run is not None and run.calls and max(len(run.calls), len(run.setup.chunks)) <= views.DRAWN:
        _flow(side, run)
    if entry.problem is not None:
        _failed(side, entry.problem, 0)
    elif entry.trace is not None:
        _outcome(side, entry.trace, reference)
    else:
        small(_planned(entry))


def _head(side: Side, entry: Entry, tags: list[str]) -> None:
    """Its name, tags and own settings; narrow columns all keep room for a second line."""
    parts = f"<b>{escape(entry.label)}</b>"
    if tags:
        parts += tags_html((text, "exact") for text in tags)
    if own := differences(side.column):
        parts += f'<div class="small muted num">{escape(own)}</div>'
    narrow = " tagged" if len(side.shown.columns) == MOST else ""
    st.html(f'<div class="side-head{narrow}">{parts}</div>')


def _tags(side: Side, entry: Entry, made: bool) -> list[str]:
    found = ["reference"] if made and side.is_reference else []
    run = entry.trace or entry.high
    if run is not None and run.calls and (lost := lost_tokens(run)):
        found.append(f"{counted(lost, 'token')} {'lost' if entry.trace else 'never sent'}")
    leader = side.shown.leader(side.place)
    if leader != side.place:
        return [*found, f"same prompts as {leader.column}: run once"]
    twin = _twin(side)
    return [*found, f"same prompts as {twin}, put together differently"] if twin else found


def _twin(side: Side) -> str | None:
    """An earlier column that sends the same prompts, but makes another answer of the replies."""
    for column in side.shown.columns:
        if column == side.column:
            return None
        other = Place(column.name, side.question)
        requests = side.shown.request(other), side.shown.request(side.place)
        if side.shown.leader(other) == other and sends_the_same(*requests, side.shown.outlooks):
            return column.name
    return None


def _flow(side: Side, run: Plan | Trace) -> None:
    width = views.WIDE // len(side.shown.columns)
    key = (id(run), side.look.dark, width)
    figure, alt, _ = workspace.current().remembered(
        # The run is kept beside its figure, so that its id stays its own.
        "small flows",
        key,
        lambda: (small_flow(run, side.look, width), small_flow_alt(run), run),
    )
    chart(figure, f"flow of {side.column.name}", alt)


def _planned(entry: Entry) -> str:
    if entry.low is None or entry.high is None:
        return "It can be run, not planned."
    if entry.high.problem:
        return entry.high.problem
    if not entry.high.calls:
        return "No call: there is nothing to ask."
    return f"{counted(entry.high.call_count, 'call')} at most, not run yet."


def _outcome(side: Side, trace: Trace, reference: Entry) -> None:
    if trace.response is None:
        kept = len(trace.log())
        if trace.stopped:
            _ended_early(side, "You stopped this column.", "No further call was sent.", kept)
        else:
            _failed(side, trace.error or "", kept)
        return
    if trace.response == "":
        small("The answer is empty; the sources are the result of this mode.")
    elif side.is_reference or not reference.answer:
        _text(answer_html(trace.response), trace.response)
        words = counted(sum(word.weight > 0 for word in split_words(trace.response)), "word")
        small(f"{words}{' · the others are compared with this answer' * side.is_reference}")
    else:
        _against(side, trace.response, reference.answer)
    repeats_view.draw(side.shown, side.column, side.question)
    job = workspace.current().compared[side.place].job
    with st.container(horizontal=True, vertical_alignment="center"):
        marks.draw(job.serial, side.column.name)
        st.space("stretch")
        opening.button(side.shown, side.place)


def _text(html: str, text: str) -> None:
    """An answer; one that is very long scrolls, so that the columns stay beside one another."""
    with st.container(height=_TALLEST if len(text) > _LONG else "content", border=False):
        st.html(html)


def _against(side: Side, text: str, reference: str) -> None:
    """The answer with what it has and lacks of the reference's."""
    if text == reference:
        _text(answer_html(text), text)
        small(f"word for word the answer of {side.reference}")
        return
    diff = workspace.current().remembered(
        "compared answers", (reference, text), lambda: word_diff(reference, text)
    )
    _text(diff_html(diff) if diff.readable else answer_html(text), text)
    numbers = f"{counted(diff.kept, 'word')} kept, {diff.added:,} added, {diff.dropped:,} dropped"
    blunt = "" if diff.readable else f"; {TOO_DIFFERENT[0].lower()}{TOO_DIFFERENT[1:-1]}"
    small(f"{numbers} against {side.reference}{blunt}")


def _failed(side: Side, problem: str, kept: int) -> None:
    _ended_early(side, "This column failed.", problem, kept)


def _ended_early(side: Side, head: str, why: str, kept: int) -> None:
    """Why there is no answer, and the way to get one."""
    keeps = f" It keeps {counted(kept, 'answer')}." if kept else ""
    pressed = box(head, f"{why}{keeps}").button(
        "Try again",
        icon=":material/resume:",
        type="tertiary",
        key=f"resume {side.column.name}",
        help="Asks only what has no answer yet.",
    )
    if pressed:
        missing = runs.missing(side.shown)
        runs.start(side.shown, [one for one in missing if one.column == side.column.name])
        st.rerun()
