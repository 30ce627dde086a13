"""A location in the lessons (lesson, exercise, value, stage), and its form in the address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, cast, get_args

from synth.text.wording import listed
from ui.pages.learn.lessons import LESSONS
from ui.pages.learn.lessons.lesson import Lesson, value_of, with_value
from ui.settings.request import Request

Stage = Literal["predict", "step", "reveal"]
Hideable = Literal["lessons", "step", "reveal", "control", "playground"]

STAGES: tuple[Stage, ...] = get_args(Stage)
HIDEABLE: tuple[Hideable, ...] = get_args(Hideable)
LAST_SEED = 9_999
GROUP = re.compile("[0-9a-f]{8}")
"""The code of a class."""
_QUOTED_CHARACTERS = 40  # of an unknown word; the rest is cut off

PARAMS = ("lesson", "seed", "value", "stage", "hide", "lessons", "class")
"""The names of the parameters in the address."""

Notes = tuple[str, ...]


@dataclass(frozen=True)
class LessonLocation:
    """A lesson, one exercise of it (its seed and the value of its control), and a stage.

    `hidden` are the parts of the page that a teacher's link leaves out, `lessons` those that it
    leads through. `group` is the code of the class whose answers are counted, if they are.
    """

    lesson: Lesson
    seed: int
    value: Any
    stage: Stage = "predict"
    hidden: frozenset[Hideable] = frozenset()
    lessons: tuple[Lesson, ...] = LESSONS
    group: str = ""

    @property
    def is_set(self) -> bool:
        """True if a teacher's link leads through some lessons only."""
        return self.lessons != LESSONS

    @property
    def number(self) -> int:
        """The lesson's number, from 1."""
        return LESSONS.index(self.lesson) + 1

    @property
    def exercise(self) -> tuple[str, int, str]:
        """The key under which predictions, facts and figures of this exercise are kept."""
        return self.lesson.key, self.seed, str(self.value)

    @property
    def changed(self) -> bool:
        """True if the control has another value than the exercise began with."""
        return bool(self.value != _default_value(self.lesson, self.seed))

    @property
    def request(self) -> Request:
        """The exercise, with this value of its control."""
        return with_value(_preset(self.lesson, self.seed), self.lesson.control, self.value)

    @property
    def values(self) -> tuple[Any, ...]:
        """The values that the control offers."""
        return self.lesson.control.values

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages that are not hidden."""
        return tuple(stage for stage in STAGES if stage not in self.hidden)

    def at(self, stage: Stage) -> LessonLocation:
        """The same exercise at another stage, or if that is hidden at the last stage before it."""
        reached = [name for name in self.stages if STAGES.index(name) <= STAGES.index(stage)]
        return replace(self, stage=reached[-1])

    def params(self) -> dict[str, str]:
        """The parameters of the address for this location; `read` is the inverse."""
        params = {"lesson": self.lesson.key, "seed": str(self.seed), "stage": self.stage}
        if self.changed:
            params["value"] = str(self.value)
        if self.hidden:
            params["hide"] = ",".join(name for name in HIDEABLE if name in self.hidden)
        if self.is_set:
            params["lessons"] = ",".join(lesson.key for lesson in self.lessons)
        if self.group:
            params["class"] = self.group
        return params


def start(lesson: Lesson, seed: int = 0, of: LessonLocation | None = None) -> LessonLocation:
    """The location at which an exercise begins: its first stage, its control unchanged.

    What a teacher's link hides at the location `of`, its lessons and its class stay.
    """
    value = _default_value(lesson, seed)
    if of is None:
        return LessonLocation(lesson, seed, value)
    return replace(of.at("predict"), lesson=lesson, seed=seed, value=value)


def read(params: Mapping[str, str]) -> tuple[LessonLocation, Notes]:
    """The location in an address, and a sentence for each word of it that makes no sense."""
    notes: list[str] = []
    hidden = _hidden(params.get("hide", ""), notes)
    lessons = _lessons(params.get("lessons", ""), notes)
    key = params.get("lesson", lessons[0].key)
    lesson = next((lesson for lesson in LESSONS if lesson.key == key), None)
    if lesson is None:
        notes.append(f"There is no lesson {_quoted(key)}. This is the first lesson.")
        location = start(lessons[0])
    else:
        location = start(lesson, _seed(params.get("seed", "0"), notes))
        location = _with_value(location, params.get("value", str(location.value)), notes)
    group = params.get("class", "")
    if group and not GROUP.fullmatch(group):
        notes.append(f"There is no class {_quoted(group)}, so no answer is counted for it.")
        group = ""
    location = replace(location, hidden=hidden, lessons=lessons, group=group)
    stage = params.get("stage", "predict")
    if stage not in STAGES:
        notes.append(f"There is no stage {_quoted(stage)}. This is the first stage.")
        stage = "predict"
    return location.at(cast(Stage, stage)), tuple(notes)


def stage_label(stage: Stage) -> str:
    """A stage with its number: "2 Step"."""
    return f"{STAGES.index(stage) + 1} {stage.capitalize()}"


def value_label(value: Any) -> str:
    """A choice or a value of a control as the page names it: "1,024" or "on"."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _quoted(word: str) -> str:
    return f"“{word if len(word) <= _QUOTED_CHARACTERS else word[:_QUOTED_CHARACTERS] + '…'}”"


def _seed(text: str, notes: list[str]) -> int:
    digits = text.isascii() and text.isdecimal() and len(text) <= _QUOTED_CHARACTERS
    if digits and int(text) <= LAST_SEED:
        return int(text)
    notes.append(f"There is no exercise {_quoted(text)}. This is the first exercise of the lesson.")
    return 0


def _hidden(text: str, notes: list[str]) -> frozenset[Hideable]:
    words = [word for word in text.split(",") if word]
    unknown = [word for word in words if word not in HIDEABLE]
    if unknown:
        notes.append(f"There is no part {listed(list(map(_quoted, unknown)))} to hide.")
    return frozenset(name for name in HIDEABLE if name in words)


def _lessons(text: str, notes: list[str]) -> tuple[Lesson, ...]:
    """The lessons of a link in their order; all where it names none that there is."""
    words = [word for word in text.split(",") if word]
    unknown = [word for word in words if all(word != lesson.key for lesson in LESSONS)]
    if unknown:
        notes.append(f"There is no lesson {listed(list(map(_quoted, unknown)))}.")
    return tuple(lesson for lesson in LESSONS if lesson.key in words) or LESSONS


def _with_value(location: LessonLocation, text: str, notes: list[str]) -> LessonLocation:
    for value in location.values:
        if str(value) == text:
            return replace(location, value=value)
    label = location.lesson.control.label
    notes.append(f"{label} can't be {_quoted(text)} here. It is {location.value}.")
    return location


def _default_value(lesson: Lesson, seed: int) -> Any:
    return value_of(_preset(lesson, seed), lesson.control)


@lru_cache(maxsize=64)
def _preset(lesson: Lesson, seed: int) -> Request:
    """The preset of an exercise, kept because finding it takes many plans."""
    return lesson.preset(seed)
