"""What a teacher takes along: a link that opens this exercise, and a sheet of it to print."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import cast
from urllib.parse import urlencode

import streamlit as st

from synth.pictures.prediction import prediction
from synth.pictures.shapes import HATCHES
from synth.pictures.walk import steps_of
from synth.text.wording import counted
from ui.look.elements import small
from ui.look.escape import answer_html, sentence_html
from ui.look.html import Html, tag
from ui.look.stylesheet import page_css
from ui.pages.learn import lesson_state
from ui.pages.learn.empty_calls import empty_calls, given_html, sums_html
from ui.pages.learn.lessons import LESSONS
from ui.pages.learn.lessons.lesson import LessonFacts, LessonQuestion
from ui.pages.learn.location import (
    HIDEABLE,
    Hideable,
    LessonLocation,
    Stage,
    stage_label,
    value_label,
)
from ui.pages.learn.predict import segments_html
from ui.session import keys
from ui.traces.sentences import step_sentence

_PART_LABELS: Mapping[Hideable, str] = {
    "lessons": "The list of lessons",
    "step": "Step",
    "reveal": "Reveal",
    "control": "Change one thing",
    "playground": "Open in the Playground",
}


def draw(location: LessonLocation, facts: LessonFacts) -> None:
    """The button of the sheet, and the one that opens the link."""
    st.download_button(
        "Print",
        lambda: sheet_html(location, facts, _address(location.at("predict").params())),
        f"lesson-{location.number}-{location.lesson.key}-{location.seed}.html",
        "text/html",
        icon=":material/print:",
        on_click="ignore",
        help="A sheet of this very exercise with its numbers; the solution is on a page of its own."
        " The sheet is downloaded: open it and print it.",
        key="print",
    )
    with st.popover("Teacher's link", icon=":material/link:", key="teacher"):
        _link(location)


def _link(location: LessonLocation) -> None:
    """The link to copy, what it holds, and what can be set in it."""
    small(
        "Everybody who opens this link gets this very exercise, with the same chunks and numbers:"
        f" lesson {location.number}, exercise {location.seed:,}. The link holds no answers, no"
        " progress and nothing of your own texts."
    )
    stage = st.segmented_control(
        "It opens at",
        location.stages,
        default=location.stages[0],
        required=True,
        format_func=lambda stage: stage_label(cast(Stage, stage)),
        key=f"opens at {location.exercise}",
    )
    small("Hide these parts")
    hidden = [
        name
        for name in HIDEABLE
        if st.checkbox(_PART_LABELS[name], name in location.hidden, key=f"hide {name}")
    ]
    step = st.session_state.get(keys.STEP)
    opened = replace(location, stage=stage)
    st.code(_address(linked_params(opened, hidden, step)), language=None, wrap_lines=True)
    duration = counted(lesson_state.minutes_at(location), "minute")
    small(f"It takes about {duration}. {lesson_state.RULE}")


def _address(params: Mapping[str, str]) -> str:
    page = (st.context.url or "").partition("?")[0]
    return f"{page}?{urlencode(params)}"


def linked_params(
    location: LessonLocation, hidden: Iterable[Hideable], step: int | None
) -> dict[str, str]:
    """The parameters of a link to this location; a hidden stage becomes the last one before it."""
    target = replace(location, hidden=frozenset(hidden)).at(location.stage)
    if step is None or target.stage != "step":
        return target.params()
    return target.params() | {keys.STEP: str(step)}


_WIDTH = 640  # pixels of the picture on a sheet
_CSS = """
body { font: 14px/1.45 "Source Sans 3", "Segoe UI", Helvetica, Arial, sans-serif; color: #1A1D21;
  max-width: 720px; margin: 24px auto; padding: 0 16px; print-color-adjust: exact; }
@page { margin: 12mm; }
@media print { body { zoom: .82; max-width: none; margin: 0; padding: 0; } }
.lesson { margin: 6px 0 10px; }
section + section { break-before: page; }
h2, h3 { break-after: avoid; }
h3 { font-size: 14px; margin: 14px 0 4px; }
.choices { display: flex; flex-wrap: wrap; gap: 6px 26px; margin: 10px 0; padding: 0;
  list-style: none; font-size: 15px; }
.choices li::before { content: ""; display: inline-block; width: 13px; height: 13px;
  border: 1.5px solid; margin-right: 8px; vertical-align: -2px; }
.step { break-inside: avoid; margin-bottom: 10px; }
footer { margin-top: 18px; overflow-wrap: anywhere; }
"""


def sheet_html(location: LessonLocation, facts: LessonFacts, address: str) -> Html:
    """The whole page, which needs nothing from elsewhere; `address` opens the exercise."""
    title = f"{location.lesson.title} · lesson {location.number}"
    head = tag(
        "head",
        Html('<meta charset="utf-8">'),
        tag("title", title),
        tag("style", Html(page_css() + _CSS)),
    )
    footer = tag("footer.small.muted", f"The exercise on the screen: {address}")
    exercise = tag("section", *_exercise(location, facts), footer)
    solution = tag("section", *_solution(location, facts))
    return Html("<!doctype html>") + tag("html", head, tag("body", exercise, solution), lang="en")


def _exercise(location: LessonLocation, facts: LessonFacts) -> Iterator[Html]:
    lesson, question = location.lesson, location.lesson.question(facts)
    count, secret = facts.high.setup.tokenizer.count, question.asks == "chunk tokens"
    yield _head(location, "")
    yield _paragraph(f"After it you can say {lesson.aim}", ".aim")
    yield from (_paragraph(text) for text in lesson.text.split("\n\n"))
    if location.preset.scripted:
        yield _paragraph(location.preset.scripted)
    yield tag("div.lesson", tag("h2", question.text)) + _choices(question)
    if not secret and (calls := empty_calls(facts, 1)):
        yield tag("h3", "The chunks and an empty call, on one scale of tokens")
        chunks = [count(chunk) for chunk in facts.request.text_chunks]
        picture = Html(prediction(chunks, calls, _WIDTH).html())
        yield Html(HATCHES) + tag("div.pictures", picture)
        yield segments_html(calls)
    if question.to_do:
        yield tag("h3", "The sum to do") + sums_html(question.to_do, "The sum to do")
    yield tag("h3", "The question and the chunks") + given_html(facts, sizes=not secret)


def _solution(location: LessonLocation, facts: LessonFacts) -> Iterator[Html]:
    reveal = location.lesson.reveal(facts)
    yield _head(location, "Solution")
    yield tag("div.lesson", tag("h2", reveal.head))
    yield sums_html(reveal.sums, "The sums")
    yield _paragraph(reveal.remark)
    yield tag("h3", "The run, step by step")
    for step in steps_of(facts.trace):
        answers = (answer_html(call.answer) for call in step.calls if call.answer)
        yield tag("div.step", sentence_html(step_sentence(step)), *answers)


def _head(location: LessonLocation, part: str) -> Html:
    place = f"Synthesis playground · lesson {location.number} of {len(LESSONS)}"
    exercise = f" · exercise {location.seed:,}" if location.seed else ""
    title = f"{part}: {location.lesson.title}" if part else location.lesson.title
    return tag("div.small.muted", place, exercise) + tag("div.lesson", tag("h1", title))


def _paragraph(text: str, kind: str = "") -> Html:
    return tag(f"div.lesson{kind}", tag("p", text))


def _choices(question: LessonQuestion) -> Html:
    boxes = (tag("li", value_label(choice)) for choice in question.choices)
    return tag("ul.choices.num", *boxes)
