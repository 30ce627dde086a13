"""The lessons of the Learn page, in order; data and pure functions, nothing is drawn here."""

from ui.pages.learn.lessons import budget, chains, packing, small_model
from ui.pages.learn.lessons.exercises import Lesson

LESSONS: tuple[Lesson, ...] = (
    budget.Why(),
    budget.Fits(),
    packing.OneTokenMore(),
    chains.RefineByStep(),
    chains.Forgets(),
    small_model.Anchors(),
    packing.Compact(),
    packing.Against(),
    packing.Lost(),
    packing.Tree(),
    packing.Endless(),
    packing.AnswersInAList(),
    chains.Contradiction(),
    budget.Tokens(),
    budget.Variable(),
    budget.Prefix(),
    chains.Filtering(),
    small_model.Invented(),
    packing.Upstream(),
)
