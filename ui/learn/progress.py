"""What somebody predicted and which lessons are done, in the workspace and so over a refresh."""

from __future__ import annotations

from collections.abc import Mapping

from ui.learn.place import Place
from ui.lessons.lesson import Choice
from ui.session import keys, workspace

Guesses = Mapping[tuple[str, int, str], Choice]


def guess(place: Place) -> Choice | None:
    """What was predicted in this very exercise."""
    kept: Guesses = workspace.current().values.get(keys.GUESSES, {})
    return kept.get(place.exercise)


def predict(place: Place, choice: Choice) -> None:
    """Keep a prediction; the last one counts."""
    values = workspace.current().values
    values[keys.GUESSES] = {**values.get(keys.GUESSES, {}), place.exercise: choice}


def done() -> frozenset[str]:
    """The keys of the lessons that were revealed after a prediction."""
    kept: frozenset[str] = workspace.current().values.get(keys.LESSONS_DONE, frozenset())
    return kept


def note(place: Place) -> None:
    """A lesson that is shown revealed, after a prediction, is done."""
    if place.stage == "reveal" and guess(place) is not None:
        workspace.current().values[keys.LESSONS_DONE] = done() | {place.lesson.key}
