"""How long a lesson takes, by a stated rule."""

from __future__ import annotations

from math import ceil

from synth.pictures.walk import steps_of
from synth.text.diff import split_words
from ui.lessons.lesson import Lesson, LessonFacts

WORDS_A_MINUTE = 180  # read with care, by somebody who is new to the matter
_PREDICTION = 60  # seconds to think about the question
_STEP = 15  # seconds to look at a step
_CHANGE = 60  # seconds to change one thing and see what it does

RULE = (
    f"The minutes are a rule, not a measure: reading at {WORDS_A_MINUTE} words a minute,"
    f" {_PREDICTION} seconds for the prediction, {_STEP} for each step and {_CHANGE} for changing"
    " one thing."
)


def minutes(lesson: Lesson, facts: LessonFacts) -> int:
    """Minutes that the lesson takes with this exercise, by the rule, rounded up."""
    question, reveal = lesson.question(facts), lesson.reveal(facts)
    texts = (
        *(lesson.title, lesson.aim, lesson.text, question.text, reveal.head, reveal.remark),
        *(facts.request.query_str, *facts.request.text_chunks),
        *(line.label for block in (*question.to_do, *reveal.sums) for line in block),
    )
    words = sum(word.weight for text in texts for word in split_words(text)) / 2
    steps = len(steps_of(facts.trace))
    seconds = 60 * words / WORDS_A_MINUTE + _PREDICTION + _STEP * steps + _CHANGE
    return ceil(seconds / 60)
