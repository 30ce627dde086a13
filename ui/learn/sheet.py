"""A lesson on paper: the exercise, and its solution on a page of its own."""

from __future__ import annotations

from collections.abc import Iterator

from synth.pictures.prediction import prediction
from synth.pictures.shapes import HATCHES
from synth.pictures.walk import steps_of
from ui.learn.empty_calls import empty_calls
from ui.learn.given_texts import given_html
from ui.learn.location import LessonLocation, value_label
from ui.learn.predict import segments_html
from ui.learn.sums_table import sums_html
from ui.lessons import LESSONS
from ui.lessons.lesson import LessonFacts, LessonQuestion
from ui.look.escape import answer_html, sentence_html
from ui.look.html import escape
from ui.look.stylesheet import page_css
from ui.traces.sentences import step_sentence

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


def sheet_html(location: LessonLocation, facts: LessonFacts, address: str) -> str:
    """The whole page, which needs nothing from elsewhere; `address` opens the exercise."""
    title = f"{location.lesson.title} · lesson {location.number}"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{page_css()}{_CSS}</style></head><body>"
        f"<section>{''.join(_exercise(location, facts))}"
        f'<footer class="small muted">The exercise on the screen: {escape(address)}</footer>'
        f"</section><section>{''.join(_solution(location, facts))}</section></body></html>"
    )


def _exercise(location: LessonLocation, facts: LessonFacts) -> Iterator[str]:
    lesson, question = location.lesson, location.lesson.question(facts)
    count, secret = facts.high.setup.tokenizer.count, question.asks == "chunk tokens"
    yield _head(location, "")
    yield _paragraph(f"After it you can say {lesson.aim}", " aim")
    yield from (_paragraph(text) for text in lesson.text.split("\n\n"))
    if location.preset.scripted:
        yield _paragraph(location.preset.scripted)
    yield f'<div class="lesson"><h2>{escape(question.text)}</h2></div>{_choices(question)}'
    if not secret and (calls := empty_calls(facts, 1)):
        yield "<h3>The chunks and an empty call, on one scale of tokens</h3>"
        chunks = [count(chunk) for chunk in facts.request.text_chunks]
        yield f'{HATCHES}<div class="pictures">{prediction(chunks, calls, _WIDTH).html()}</div>'
        yield segments_html(calls)
    if question.to_do:
        yield f"<h3>The sum to do</h3>{sums_html(question.to_do, 'The sum to do')}"
    yield f"<h3>The question and the chunks</h3>{given_html(facts, sizes=not secret)}"


def _solution(location: LessonLocation, facts: LessonFacts) -> Iterator[str]:
    reveal = location.lesson.reveal(facts)
    yield _head(location, "Solution")
    yield f'<div class="lesson"><h2>{escape(reveal.head)}</h2></div>'
    yield sums_html(reveal.sums, "The sums")
    yield _paragraph(reveal.remark)
    yield "<h3>The run, step by step</h3>"
    for step in steps_of(facts.trace):
        answers = "".join(answer_html(call.answer) for call in step.calls if call.answer)
        yield f'<div class="step">{sentence_html(step_sentence(step))}{answers}</div>'


def _head(location: LessonLocation, part: str) -> str:
    place = f"Synthesis playground · lesson {location.number} of {len(LESSONS)}"
    exercise = f" · exercise {location.seed:,}" if location.seed else ""
    title = f"{part}: {location.lesson.title}" if part else location.lesson.title
    return (
        f'<div class="small muted">{place}{exercise}</div>'
        f'<div class="lesson"><h1>{escape(title)}</h1></div>'
    )


def _paragraph(text: str, kind: str = "") -> str:
    return f'<div class="lesson{kind}"><p>{escape(text)}</p></div>'


def _choices(question: LessonQuestion) -> str:
    boxes = "".join(f"<li>{escape(value_label(choice))}</li>" for choice in question.choices)
    return f'<ul class="choices num">{boxes}</ul>'
