"""The lessons of the Learn page, in order; data and pure functions, nothing is drawn here."""

from __future__ import annotations

from ui.lessons.accumulate import ACCUMULATE
from ui.lessons.cliff import CLIFF
from ui.lessons.compact import COMPACT
from ui.lessons.endless import ENDLESS
from ui.lessons.filtering import FILTERING
from ui.lessons.fits import FITS
from ui.lessons.forgets import FORGETS
from ui.lessons.lesson import Lesson
from ui.lessons.lost import LOST
from ui.lessons.order import ORDER
from ui.lessons.refine import REFINE
from ui.lessons.tokens import TOKENS
from ui.lessons.tree import TREE
from ui.lessons.upstream import UPSTREAM
from ui.lessons.variable import VARIABLE
from ui.lessons.why import WHY

LESSONS: tuple[Lesson, ...] = (
    WHY,
    FITS,
    CLIFF,
    REFINE,
    FORGETS,
    COMPACT,
    LOST,
    TREE,
    ENDLESS,
    ACCUMULATE,
    ORDER,
    TOKENS,
    VARIABLE,
    FILTERING,
    UPSTREAM,
)
