"""Where somebody is in the lessons: a lesson, an exercise of it, a stage; all in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, cast, get_args

from ui.lessons import LESSONS
from ui.lessons.lesson import Lesson, Preset, value_of, with_value

Stage = Literal["predict", "step", "reveal"]
Hideable = Literal["lessons", "step", "reveal", "control", "playground"]

STAGES: tuple[Stage, ...] = get_args(Stage)
HIDEABLE: tuple[Hideable, ...] = get_args(Hideable)
LAST_SEED = 9_999
_SHOWN = 40  # characters of a word that somebody made up

PARAMS = ("lesson", "seed", "value", "stage", "hide")
"""The names in the address."""

Notes = tuple[str, ...]


@dataclass(frozen=True)
class Place:
    """A lesson, the exercise of this seed with this value of its control, a stage.

    `hidden` are the parts of the page that a teacher's link leaves out.
    """

    lesson: Lesson
    seed: int
    value: Any
    stage: Stage = "predict"
    hidden: frozenset[Hideable] = frozenset()

    @property
    def number(self) -> int:
        """The lesson's number, from 1."""
        return LESSONS.index(self.lesson) + 1

    @property
    def exercise(self) -> tuple[str, int, str]:
        """What guesses, facts and figures are kept by."""
        return self.lesson.key, self.seed, str(self.value)

    @property
    def changed(self) -> bool:
        """Whether the control has another value than the exercise came with."""
        return bool(self.value != _own(self.lesson, self.seed))

    @property
    def preset(self) -> Preset:
        """The exercise, with this value of its control."""
        return with_value(_preset(self.lesson, self.seed), self.lesson.control, self.value)

    @property
    def values(self) -> tuple[Any, ...]:
        """The values that the control offers, the exercise's own among them."""
        return values_of(self.lesson, self.seed)

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages that are not hidden."""
        return tuple(stage for stage in STAGES if stage not in self.hidden)

    def at(self, stage: Stage) -> Place:
        """The same exercise at another stage; a hidden one is the last before it."""
        reached = [one for one in self.stages if STAGES.index(one) <= STAGES.index(stage)]
        return replace(self, stage=reached[-1])

    def params(self) -> dict[str, str]:
        """What the address says of this place; what `read` reads again."""
        said = {"lesson": self.lesson.key, "seed": str(self.seed), "stage": self.stage}
        if self.changed:
            said["value"] = str(self.value)
        if self.hidden:
            said["hide"] = ",".join(name for name in HIDEABLE if name in self.hidden)
        return said


def start(lesson: Lesson, seed: int = 0, hidden: frozenset[Hideable] = frozenset()) -> Place:
    """The beginning of an exercise."""
    return Place(lesson, seed, _own(lesson, seed), hidden=hidden)


def values_of(lesson: Lesson, seed: int) -> tuple[Any, ...]:
    """The values of a lesson's control, with the exercise's own at its place."""
    own, offered = _own(lesson, seed), lesson.control.values
    if own in offered:
        return offered
    numbers = all(isinstance(value, int | float) for value in (own, *offered))
    return tuple(sorted((own, *offered))) if numbers else (own, *offered)


def read(params: Mapping[str, str]) -> tuple[Place, Notes]:
    """The place that an address speaks of, and a sentence for each word that it has wrong."""
    notes: list[str] = []
    hidden = _hidden(params.get("hide", ""), notes)
    key = params.get("lesson", LESSONS[0].key)
    lesson = next((lesson for lesson in LESSONS if lesson.key == key), None)
    if lesson is None:
        notes.append(f"There is no lesson {_quoted(key)}: this is the first one.")
        place = start(LESSONS[0], hidden=hidden)
    else:
        place = start(lesson, _seed(params.get("seed", "0"), notes), hidden)
        place = _with_value(place, params.get("value", str(place.value)), notes)
    stage = params.get("stage", "predict")
    if stage not in STAGES:
        notes.append(f"There is no stage {_quoted(stage)}: this is the first one.")
        stage = "predict"
    return place.at(cast(Stage, stage)), tuple(notes)


def _quoted(word: str) -> str:
    return f"“{word if len(word) <= _SHOWN else word[:_SHOWN] + '…'}”"


def _seed(text: str, notes: list[str]) -> int:
    if text.isascii() and text.isdecimal() and len(text) <= len(str(LAST_SEED)):
        return int(text)
    notes.append(f"There is no exercise {_quoted(text)}: this is the lesson's own.")
    return 0


def _hidden(text: str, notes: list[str]) -> frozenset[Hideable]:
    words = [word for word in text.split(",") if word]
    unknown = [word for word in words if word not in HIDEABLE]
    if unknown:
        notes.append(f"Nothing here is called {', '.join(map(_quoted, unknown))}.")
    return frozenset(name for name in HIDEABLE if name in words)


def _with_value(place: Place, text: str, notes: list[str]) -> Place:
    for value in place.values:
        if str(value) == text:
            return replace(place, value=value)
    label = place.lesson.control.label
    notes.append(f"{label} can't be {_quoted(text)} here: it is {place.value}.")
    return place


def _own(lesson: Lesson, seed: int) -> Any:
    return value_of(_preset(lesson, seed).request, lesson.control)


@lru_cache(maxsize=64)
def _preset(lesson: Lesson, seed: int) -> Preset:
    """The preset of an exercise, which takes some plans to find."""
    return lesson.preset(seed)
