"""A location in the lessons (lesson, exercise, value, stage), in the address and the workspace.

The workspace keeps it too, with the predictions and the finished lessons, so that they outlive a
reload.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, get_args

import streamlit as st

from ui.pages.learn.lessons import LESSONS
from ui.pages.learn.lessons.exercises import Choice, Lesson, LessonFacts, Task, value_of, with_value
from ui.session import keys, workspace
from ui.settings.request import Request
from ui.views import steps_view

Guesses = Mapping[tuple[str, int, str], Choice]
Stage = Literal["predict", "step", "reveal"]

STAGES: tuple[Stage, ...] = get_args(Stage)
LAST_SEED = 9_999
_SEEDS = {f"{seed}": seed for seed in range(LAST_SEED + 1)}

PARAMS = ("lesson", "seed", "value", "stage")
"""The names of the parameters in the address."""


@dataclass(frozen=True)
class LessonLocation:
    """A lesson, one exercise of it (its seed and the value of its control), and a stage."""

    lesson: Lesson
    seed: int
    value: Any
    stage: Stage = "predict"

    @property
    def number(self) -> int:
        """The lesson's number, from 1."""
        return LESSONS.index(self.lesson) + 1

    @property
    def exercise(self) -> tuple[str, int, str]:
        """The key under which predictions of this exercise are kept."""
        return self.lesson.key, self.seed, str(self.value)

    @property
    def request(self) -> Request:
        """The exercise, with this value of its control."""
        return with_value(_preset(self.lesson, self.seed), self.lesson.control, self.value)

    @property
    def facts(self) -> LessonFacts:
        """The facts of the exercise, computed once."""
        return _solve(self.lesson, self.request)[0]

    @property
    def task(self) -> Task:
        """The task of the exercise, computed once."""
        return _solve(self.lesson, self.request)[1]

    @property
    def guess(self) -> Choice | None:
        """The prediction that was made in this exercise."""
        guesses: Guesses = workspace.value(keys.GUESSES, {})
        return guesses.get(self.exercise)

    def at(self, stage: Stage) -> LessonLocation:
        """Return the same exercise at another stage."""
        return replace(self, stage=stage)

    def params(self) -> dict[str, str]:
        """The parameters of the address for this location; `read` is the inverse."""
        params = {"lesson": self.lesson.key, "seed": str(self.seed)}
        if self.stage != STAGES[0]:
            params["stage"] = self.stage
        if self.value != _default_value(self.lesson, self.seed):
            params["value"] = str(self.value)
        return params


def start(lesson: Lesson, seed: int = 0) -> LessonLocation:
    """Return the location at which an exercise begins: its first stage, its control unchanged."""
    return LessonLocation(lesson, seed, _default_value(lesson, seed))


def read(params: Mapping[str, str]) -> LessonLocation:
    """Return the location in an address; what names nothing there is as if it were left out."""
    lessons = {lesson.key: lesson for lesson in LESSONS}
    begun = start(
        lessons.get(params.get("lesson", ""), LESSONS[0]), _SEEDS.get(params.get("seed", ""), 0)
    )
    values = {str(value): value for value in begun.lesson.control.values}
    stages: dict[str, Stage] = {stage: stage for stage in STAGES}
    return replace(
        begun,
        value=values.get(params.get("value", ""), begun.value),
        stage=stages.get(params.get("stage", ""), begun.stage),
    )


def value_label(value: Any) -> str:
    """A choice or a value of a control as the page names it: "1,024" or "on"."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _default_value(lesson: Lesson, seed: int) -> Any:
    return value_of(_preset(lesson, seed), lesson.control)


@lru_cache(maxsize=64)  # a class has the same exercise
def _solve(lesson: Lesson, request: Request) -> tuple[LessonFacts, Task]:
    facts = lesson.facts(request)
    return facts, lesson.task(facts)


@lru_cache(maxsize=64)
def _preset(lesson: Lesson, seed: int) -> Request:
    """The preset of an exercise, kept because finding it takes many plans."""
    return lesson.preset(seed)


def current() -> LessonLocation:
    """Return the location in the address, which is corrected, else the latest one."""
    params = {name: st.query_params[name] for name in PARAMS if name in st.query_params}
    location = read(params or workspace.value(keys.LESSON, {}))
    _save(location)
    return location


def latest() -> LessonLocation:
    """The location that was opened last; the page may still show the one before."""
    return read(workspace.value(keys.LESSON, {}))


def go(location: LessonLocation) -> None:
    """Go to another location; for callbacks. Another exercise begins at its first step."""
    if latest().exercise != location.exercise:
        steps_view.go(1)
    _save(location)


def _save(location: LessonLocation) -> None:
    params = location.params()
    workspace.current().values[keys.LESSON] = params
    outdated = PARAMS if location.stage == "step" else (*PARAMS, keys.STEP)
    others = {name: text for name, text in st.query_params.items() if name not in outdated}
    if st.query_params.to_dict() != others | params:
        st.query_params.from_dict(others | params)


def save_guess(location: LessonLocation, choice: Choice) -> None:
    """Keep a prediction; it replaces an earlier one."""
    values = workspace.current().values
    values[keys.GUESSES] = {**values.get(keys.GUESSES, {}), location.exercise: choice}


def lessons_done() -> frozenset[str]:
    """The keys of the lessons that were revealed after a prediction."""
    return workspace.value(keys.LESSONS_DONE, frozenset())


def note_done(location: LessonLocation) -> None:
    """Count the lesson as done if it is revealed and has a prediction."""
    if location.stage == "reveal" and location.guess is not None:
        workspace.current().values[keys.LESSONS_DONE] = lessons_done() | {location.lesson.key}
