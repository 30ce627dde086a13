"""A run that no other page can show, as its trace has it: answer, calls, times, documents."""

from collections.abc import Iterator, Sequence

import streamlit as st

from synth.html.markup import Html, tag
from synth.pictures.shapes import WIDE
from synth.text.wording import Bold, counted
from synth.words.sentences import recorded_sentence
from ui.imported import details
from ui.imported.beside import OtherMode, mean_answer
from ui.imported.opened_file import OpenedFile, OpenedRun
from ui.look.elements import box, button_row, lead, section, sentence, small
from ui.views import calls, coverage_view
from ui.views.run_views import RunView

_ANSWER, _CALLS, _COVERAGE, _TIMELINE = "answer", "calls", "coverage", "timeline"
_DOCUMENTS = "documents"
_DRAW = {
    _CALLS: calls.draw,
    _COVERAGE: coverage_view.draw,
    _TIMELINE: coverage_view.draw_timeline,
}


def draw(file: OpenedFile) -> None:
    """Draw the run over the whole page, and the way back to what this app computes of it."""
    run = file.shown
    with lead([Bold("As it was recorded. "), file.name]):
        st.button(
            "Back to the trace",
            icon=":material/arrow_back:",
            on_click=file.look_at_recording,
            args=(False,),
        )
    sentence(_sentence(run))
    view = _choose(run)
    if view == _ANSWER:
        _answer(run)
    elif view == _DOCUMENTS:
        details.draw_documents(run.run)
    else:
        key = ("as recorded", run.form)
        _DRAW[view](RunView(run.trace, key, WIDE, recorded=True))


def _sentence(run: OpenedRun) -> Iterator[str]:
    yield from recorded_sentence(run.trace)
    yield " "
    if run.verified:
        yield "The same prompts can be computed, so it is known what was sent of each chunk."
    else:
        yield "All of it is from the trace; nothing is computed from it."


def _choose(run: OpenedRun) -> str:
    """Draw the choice of a view; coverage is known only where the prompts are verified."""
    views = [_ANSWER, _CALLS, *([_COVERAGE] if run.verified else []), _TIMELINE, _DOCUMENTS]
    key, words = "recorded_view", str.capitalize
    return button_row("View of the recording", views, key, format_func=words, persist_state=None)


def _answer(run: OpenedRun) -> None:
    if run.run.query:
        section("The question")
        _text(run.run.query)
    if run.run.response is None:
        failures = [f"Call {call.number:,}: {call.error}" for call in run.run.calls if call.error]
        box("The recording has no answer.", " ".join(failures))
        return
    section("The answer")
    _text(run.run.response)


def _text(text: str) -> None:
    st.html(tag("div.answer.pane", text, dir="auto", tabindex="0"))


_MEASURES = ("calls", "prompt tokens", "tokens cut off")


def draw_other_modes(run: OpenedRun) -> None:
    """Draw the recorded run above the plans of other modes, on one scale for each measure."""
    if run.why_not_held is not None:
        return
    section("The same input in other modes, computed; nothing is sent")
    rows = run.other_modes
    if isinstance(rows, str):
        small(rows)
        return
    st.html(_html(rows))
    tokens = counted(mean_answer(run.trace), "token")
    small(f"Planned with answers of {tokens}, the mean of those recorded.")


def _html(rows: Sequence[OtherMode]) -> Html:
    most = [max(row.numbers[at] for row in rows if row.numbers) for at in range(len(_MEASURES))]
    heads = (tag("b.head", name) for name in _MEASURES)
    body = (cell for at, row in enumerate(rows) for cell in _row(row, most, recorded=not at))
    return tag("div.same-input.num", tag("span"), *heads, *body)


def _row(row: OtherMode, most: Sequence[int], *, recorded: bool) -> Iterator[Html]:
    yield tag("b" if recorded else "span", row.label)
    if row.problem:
        yield tag("span.muted.wide", row.problem)
        return
    for at, number in enumerate(row.numbers):
        yield _cell(number, most[at], _MEASURES[at], recorded)


def _cell(number: int, most: int, measure: str, recorded: bool) -> Html:
    style = "i.bar" + ".k-lost" * (measure == _MEASURES[-1]) + ".recorded" * recorded
    width = 100 * number / most if most else 0
    bar = tag(style, style=f"width: {width:.1f}%") if number else ""
    return tag("span.cell", tag("span.scale", bar), tag("b", f"{number:,}"))
