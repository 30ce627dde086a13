"""The lessons of the Learn page, in order; data and pure functions, nothing is drawn here."""

from ui.pages.learn.lessons.accumulate import ACCUMULATE
from ui.pages.learn.lessons.anchors import ANCHORS
from ui.pages.learn.lessons.cliff import CLIFF
from ui.pages.learn.lessons.compact import COMPACT
from ui.pages.learn.lessons.endless import ENDLESS
from ui.pages.learn.lessons.filtering import FILTERING
from ui.pages.learn.lessons.fits import FITS
from ui.pages.learn.lessons.forgets import FORGETS
from ui.pages.learn.lessons.invented import INVENTED
from ui.pages.learn.lessons.lesson import Lesson
from ui.pages.learn.lessons.lost import LOST
from ui.pages.learn.lessons.order import ORDER
from ui.pages.learn.lessons.refine import REFINE
from ui.pages.learn.lessons.tokens import TOKENS
from ui.pages.learn.lessons.tree import TREE
from ui.pages.learn.lessons.upstream import UPSTREAM
from ui.pages.learn.lessons.variable import VARIABLE
from ui.pages.learn.lessons.why import WHY

LESSONS: tuple[Lesson, ...] = (
    WHY,
    FITS,
    CLIFF,
    REFINE,
    FORGETS,
    ANCHORS,
    COMPACT,
    LOST,
    TREE,
    ENDLESS,
    ACCUMULATE,
    ORDER,
    TOKENS,
    VARIABLE,
    FILTERING,
    INVENTED,
    UPSTREAM,
)
