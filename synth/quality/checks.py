"""Checks of an answer: each passes, fails, or says why it can't be checked."""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import ConfigDict

from synth.errors import QuestionSetError
from synth.lazy import defer
from synth.quality.check_kinds import KINDS, RUBRIC, CheckedRun, CheckKind, NotCheckable
from synth.quality.rubric import Rulings
from synth.runs.prices import Price
from synth.runs.trace import Trace

State = Literal["pass", "fail", "not checkable", "not judged"]
_NOT = "not-"
_SHORT = re.compile(
    r"(?P<type>[a-z][a-z-]*)(?:\((?P<threshold>[^()]*)\))?(?::(?P<value>.*))?", re.DOTALL
)


class Outcome(NamedTuple):
    """What came of a check, and the reason as a sentence."""

    state: State
    reason: str


@dataclass(frozen=True)
class Check:
    """What an answer must be like: a kind by its name, "not-" before it, and what it wants.

    `threshold` is in US dollars for cost and in milliseconds for latency. QuestionSetError if
    there is no such kind, or if it can't read its value. The names are promptfoo's.

    >>> Check("word-count", {"max": 40}).type
    'word-count'
    """

    type: str
    value: Any = field(default=None, hash=False)
    threshold: float | None = None
    __pydantic_config__: ClassVar[ConfigDict] = {"extra": "forbid"}  # where a file has it

    def __post_init__(self) -> None:
        if isinstance(self.value, list):
            object.__setattr__(self, "value", tuple(self.value))
        try:
            _ = self.wanted
        except QuestionSetError as problem:
            raise QuestionSetError(f"The check {self.type} can't be read: {problem}.") from problem

    @property
    def inverse(self) -> bool:
        """Return whether the answer must not be so."""
        return self.type.startswith(_NOT)

    @property
    def kind(self) -> CheckKind:
        """Look up its kind; QuestionSetError if there is none of that name."""
        name = str(self.type).removeprefix(_NOT)
        if name in KINDS:
            return KINDS[name]
        near = difflib.get_close_matches(name, KINDS, 1)
        hint = f"write {near[0]}" if near else f"the kinds are {', '.join(KINDS)}"
        raise QuestionSetError(f"there is no such kind: {hint}")

    @defer
    def wanted(self) -> Any:
        """Read the value as its kind does."""
        kind = self.kind
        if kind.by_threshold:
            return kind.read(self.threshold)
        if self.threshold is not None:
            raise QuestionSetError("it has a threshold, which this kind does not read: take it out")
        return kind.read(self.value)

    @property
    def rubric(self) -> str | None:
        """Return the text that a model is to judge by; None for a check that needs no model."""
        return self.wanted if self.kind is RUBRIC else None

    def outcome(
        self, trace: Trace, price: Price | None = None, rulings: Rulings | None = None
    ) -> Outcome:
        """Check a run, whose cost needs a price, and a rubric what a model said."""
        if trace.response is None:
            why = "was stopped" if trace.stopped else "failed"
            return Outcome("not checkable", f"The run {why}, so it has no answer to check.")
        try:
            run = CheckedRun(trace.response, trace, price, rulings or {})
            holds, seen = self.kind.find(run, self.wanted)
        except NotCheckable as problem:
            return Outcome("not checkable", _sentence(str(problem)))
        if holds is None:
            return Outcome("not judged", _sentence(seen))
        return Outcome("pass" if holds != self.inverse else "fail", _sentence(seen))


def do_all_pass(outcomes: Iterable[Outcome]) -> bool | None:
    """Return whether all passed; None where none failed and one can't be said, or there is none."""
    states = {outcome.state for outcome in outcomes}
    if "fail" in states:
        return False
    return True if states == {"pass"} else None


def read_check(text: str) -> Check:
    """Read a check in promptfoo's short form: "contains: Paris", "latency(2000)", "not-is-json".

    A text without a colon that names no kind must be equalled. QuestionSetError for a kind that is
    not known or a value that can't be read.

    >>> read_check("not-icontains: sorry")
    Check(type='not-icontains', value='sorry', threshold=None)
    """
    return Check(*split_check(text))


def split_check(text: str) -> tuple[str, str | None, float | None]:
    """Split the short form into kind, value and threshold, which nothing has validated."""
    match = _SHORT.fullmatch(text.strip())
    is_named = match is not None and match["type"].removeprefix(_NOT) in KINDS
    if match is None or not (is_named or match["threshold"] or match["value"] is not None):
        return "equals", text.strip(), None
    try:
        threshold = None if match["threshold"] is None else float(match["threshold"])
    except ValueError as problem:
        raise QuestionSetError(
            f"The check {text!r} can't be read: its threshold is no number."
        ) from problem
    return match["type"], (match["value"] or "").strip() or None, threshold


def _sentence(clause: str) -> str:
    return f"{clause[:1].upper()}{clause[1:]}."
