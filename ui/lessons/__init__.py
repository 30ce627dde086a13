"""The lessons of the Learn page, in order; data and pure functions, nothing is drawn here."""

from __future__ import annotations

from ui.lessons.budget import CLIFF, FITS, WHY
from ui.lessons.lesson import (
    Choice,
    Control,
    Facts,
    Lesson,
    Line,
    Preset,
    Question,
    Reveal,
    facts,
    value_of,
    with_value,
)

__all__ = [
    "LESSONS",
    "Choice",
    "Control",
    "Facts",
    "Lesson",
    "Line",
    "Preset",
    "Question",
    "Reveal",
    "facts",
    "value_of",
    "with_value",
]

LESSONS: tuple[Lesson, ...] = (WHY, FITS, CLIFF)
