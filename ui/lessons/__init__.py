"""The lessons of the Learn page, in order; data and pure functions, nothing is drawn here."""

from __future__ import annotations

from ui.lessons.cliff import CLIFF
from ui.lessons.compact import COMPACT
from ui.lessons.fits import FITS
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
from ui.lessons.refine import REFINE
from ui.lessons.why import WHY

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

LESSONS: tuple[Lesson, ...] = (WHY, FITS, CLIFF, REFINE, COMPACT)
