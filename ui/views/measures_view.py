"""The fold below an answer: its measures, each with its formula."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import streamlit as st

from synth.html.escape import sentence_html, words_html
from synth.html.markup import Html, tag
from synth.quality import Measures, measure
from synth.runs.trace import Trace
from synth.text.wording import Bold
from synth.words.measure_words import MeasureLine, measure_lines, summary
from ui.look.elements import small
from ui.plans.outlines import Outline, outline
from ui.session import workspace
from ui.session.apart import apart_if_long
from ui.settings import schema, state
from ui.settings.request import Model, Request
from ui.views.run_views import RunView

_TITLE = "Measures of this answer"


def measures_of(view: RunView, trace: Trace, chosen: int | None) -> Measures:
    """The measures of a run, from memory if they were computed before.

    `chosen` is the number of the call whose answer is the response of this trace; None for a
    response of the run's own. TookTooMuch where that is too much work.
    """
    return workspace.current().remembered(
        "measures",
        (view.key, chosen),
        lambda: apart_if_long(sum(map(len, trace.setup.chunks)), measure, trace),
    )


def draw(found: Measures) -> None:
    """The fold: its title has what is most telling, so it need not be opened."""
    with st.expander(f"{_TITLE} · {summary(found)}", key="answer_measures"):
        st.html(measures_html(measure_lines(found)))
        small("They compare words and need no model. None of them says that an answer is right.")


def measures_html(lines: Iterable[MeasureLine]) -> Html:
    """A row for each measure, which opens to its formula without a rerun."""
    return tag("div.answer-measures.num", *map(_row, lines))


def _row(line: MeasureLine) -> Html:
    name, value = tag("span", line.name), tag("b", words_html(line.value), dir="auto")
    head = tag("summary", name, value, tag("i", "how it is computed"))
    return tag("details", head, tag("p", line.formula))


def draw_other_modes(request: Request) -> None:
    """Draw the calls of the other modes with a card; nothing if the inputs have changed since.

    Their outlines are those of the cards, so they are rarely counted for this.
    """
    if Request.of(state.current()) != request:
        return
    others = [mode for mode in schema.FIRST_MODES if mode != request.mode]
    seen = {mode: outline(_with_mode(mode)) for mode in others}
    planned = {mode: one for mode, one in seen.items() if not one.missing}
    if not planned:
        return
    with st.container(border=True, gap="xsmall"):
        st.html(sentence_html(_sentence(planned), "plain"))
        arrow = ":material/arrow_forward:"
        workspace.page_link("pages/compare.py", "Compare the modes", arrow)


def _with_mode(mode: str) -> Request:
    request = Request.of(state.current().with_({"mode": mode}))
    return replace(request, model=Model())


def _sentence(outlines: dict[str, Outline]) -> Iterator[str]:
    yield "With the same chunks "
    for at, (mode, seen) in enumerate(outlines.items()):
        if at:
            yield "; "
        yield Bold(mode)
        yield f"{'' if at else ' would make'} {seen.said_calls}"
        if seen.cut_off:
            yield f", with {seen.cut_off} of the text cut off"
    yield "."
