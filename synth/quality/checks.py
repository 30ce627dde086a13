"""What is expected of an answer, checks and facts: each passes, fails, or is not judged.

The names of checks and what they mean are promptfoo's (promptfoo.dev, "Deterministic metrics");
`rubric` is its `llm-rubric`. What a model says by a rubric is looked up: nothing here asks one.
"""

import csv
import difflib
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

import regex
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import from_json

from synth.errors import QuestionSetError, short
from synth.lazy import defer
from synth.quality.facts import Fact, Words
from synth.quality.follow import find_stretches
from synth.quality.plain_values import make_reader
from synth.quality.rubric import Rulings
from synth.runs.trace import Trace
from synth.text.wording import counted, listed

MOST_TEXTS = 100
"""Texts in the list of one check."""

MOST_PATTERN, MOST_WRITTEN_OUT = 10_000, 100_000
"""Characters of a pattern, and with its repetitions: compiling has no other limit."""

_PATIENCE = 1.0  # seconds for a search: some would take years on one line of text
_REPETITION = re.compile(r"(?P<of_group>\)?)\{(?P<times>\d{1,9})")


def _split_texts(value: object) -> object:
    """Split a text at its commas, but for those between quotes."""
    if not isinstance(value, str):
        return value
    try:
        rows = list(csv.reader([value], skipinitialspace=True, strict=True))
    except csv.Error as problem:
        raise ValueError(f"its list can't be read: {problem}") from problem
    return [cell for row in rows for each in row if (cell := each.strip())]


Text = Annotated[str, Field(min_length=1, coerce_numbers_to_str=True)]
Texts = Annotated[
    tuple[Text, ...], BeforeValidator(_split_texts), Field(min_length=1, max_length=MOST_TEXTS)
]
Number = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class NumberLimits(BaseModel):
    """The least and the most that a number may be; a number alone is wanted exactly."""

    model_config = ConfigDict(extra="forbid")
    least: Number = Field(0.0, alias="min")
    most: Number = Field(math.inf, alias="max")

    @model_validator(mode="before")
    @classmethod
    def _read_exact(cls, value: object) -> object:
        return value if isinstance(value, Mapping) else {"min": value, "max": value}

    @model_validator(mode="after")
    def _require_order(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("give min, max or both")
        if self.least > self.most:
            raise ValueError(f"its min {self.least:g} is over its max {self.most:g}")
        return self


class Finding(NamedTuple):
    """Whether the answer is as the check wants it, if anybody said so, and a clause on why."""

    holds: bool | None
    seen: str


class CheckKind(NamedTuple):
    """How a check's value is read, and what it finds in an answer; no `find` for a rubric."""

    read: Callable[[Any], Any]
    find: Callable[[str, Any], Finding] | None = None


def _make_finder(
    folded: Callable[[str], str], enough: Callable[[list[bool]], bool]
) -> Callable[[str, tuple[str, ...]], Finding]:
    """Find whether one of several texts stands in the answer, or all, after both are `folded`."""

    def find(answer: str, wanted: tuple[str, ...]) -> Finding:
        there = [folded(text) in folded(answer) for text in wanted]
        missing = [_beginning(text) for text, found in zip(wanted, there, strict=True) if not found]
        seen = f"it lacks {listed(missing)}" if missing else "it contains all that was asked for"
        if missing and any(there):
            seen += ", and contains the rest"
        return Finding(enough(there), seen)

    return find


def _equals(answer: str, wanted: str) -> Finding:
    is_same = answer == wanted
    return Finding(is_same, "it is the same" if is_same else f"it is {_beginning(answer)}")


def _starts(answer: str, wanted: str) -> Finding:
    return Finding(answer.startswith(wanted), f"it begins {_beginning(answer)}")


def _matches(answer: str, wanted: regex.Pattern[str]) -> Finding:
    try:
        found = wanted.search(answer, timeout=_PATIENCE)
    except TimeoutError:
        return Finding(
            None,
            f"the pattern {_beginning(wanted.pattern)} did not end within {_PATIENCE:g} second:"
            " write a simpler one",
        )
    if found is None:
        return Finding(False, "nothing in it matches the pattern")
    return Finding(True, f"{_beginning(found.group())} matches the pattern")


def _is_json(answer: str, _: None) -> Finding:
    try:
        from_json(answer, allow_inf_nan=False)
    except ValueError:
        return Finding(False, f"it is no JSON; it begins {_beginning(answer)}")
    return Finding(True, "it is JSON")


def _word_count(answer: str, wanted: NumberLimits) -> Finding:
    count = len(answer.split())
    return Finding(wanted.least <= count <= wanted.most, f"it has {counted(count, 'word')}")


def _beginning(text: str) -> str:
    return repr(short(text, 60))


_TEXT, _TEXTS = make_reader(Text), make_reader(Texts)


def _text_alone(value: object) -> tuple[str]:
    """Read a single text, in which commas are text."""
    return (_TEXT(value),)


def _no_value(value: object) -> None:
    if value not in (None, ""):
        raise QuestionSetError(
            "it has a value, and only whether it is JSON is checked: take it out"
        )


def _pattern(value: object) -> regex.Pattern[str]:
    """Read a regular expression that can be compiled; nested groups count as written out."""
    text: str = _TEXT(value)
    of_groups, of_one = [1], [1]
    for match in _REPETITION.finditer(text[:MOST_PATTERN]):
        times = max(1, int(match["times"]))
        (of_groups if match["of_group"] else of_one).append(times)
    size = len(text) * prod(of_groups) * max(of_one)
    if len(text) > MOST_PATTERN or size > MOST_WRITTEN_OUT:
        raise QuestionSetError(
            f"its pattern has {len(text):,} characters, with its repetitions written out up to"
            f" {size:,}, and {MOST_PATTERN:,} and {MOST_WRITTEN_OUT:,} are the limits: write a"
            " shorter one"
        )
    try:
        return regex.compile(text, regex.ASCII)  # as promptfoo reads \w, \d and \b
    except (regex.error, RecursionError, OverflowError) as problem:
        raise QuestionSetError(f"its pattern {text!r} can't be read: {problem}") from problem


_ALL, _ANY = _make_finder(str, all), _make_finder(str, any)
_IALL, _IANY = _make_finder(str.lower, all), _make_finder(str.lower, any)

KINDS: Mapping[str, CheckKind] = {
    "contains": CheckKind(_text_alone, _ALL),
    "icontains": CheckKind(_text_alone, _IALL),
    "contains-all": CheckKind(_TEXTS, _ALL),
    "contains-any": CheckKind(_TEXTS, _ANY),
    "icontains-all": CheckKind(_TEXTS, _IALL),
    "icontains-any": CheckKind(_TEXTS, _IANY),
    "equals": CheckKind(_TEXT, _equals),
    "starts-with": CheckKind(_TEXT, _starts),
    "regex": CheckKind(_pattern, _matches),
    "is-json": CheckKind(_no_value, _is_json),
    "word-count": CheckKind(make_reader(NumberLimits), _word_count),
    **dict.fromkeys(("rubric", "llm-rubric", "grade"), CheckKind(_TEXT)),
}
"""The kinds by their names; "not-" before a name turns what it wants around."""


State = Literal["pass", "fail", "not judged"]
_NOT = "not-"
_SHORT = re.compile(r"(?P<type>[a-z][a-z-]*(?:\([^()]*\))?)(?::(?P<value>.*))?", re.DOTALL)


class Outcome(NamedTuple):
    """What came of a check, and the reason as a sentence."""

    state: State
    reason: str


@dataclass(frozen=True)
class Check:
    """What an answer must be like: a kind by its name, "not-" before it, and what it wants.

    QuestionSetError if there is no such kind, or if it can't read its value. The names are
    promptfoo's.

    >>> Check("word-count", {"max": 40}).type
    'word-count'
    """

    type: str
    value: Any = field(default=None, hash=False)
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
        return self.kind.read(self.value)

    @property
    def rubric(self) -> str | None:
        """Return the text that a model is to judge by; None for a check that needs no model."""
        return self.wanted if self.kind.find is None else None

    def outcome(self, trace: Trace, rulings: Rulings | None = None) -> Outcome:
        """Check the answer of a run, by a rubric as a model said."""
        if trace.response is None:
            why = "was stopped" if trace.stopped else "failed"
            return Outcome("not judged", f"The run {why}, so it has no answer to check.")
        find = self.kind.find
        if find is not None:
            holds, seen = find(trace.response, self.wanted)
        elif ruling := (rulings or {}).get(self.wanted):
            holds, seen = ruling.passed, f"{ruling.reason.rstrip('.')} (judged by {ruling.model})"
        else:
            holds, seen = None, "no model has judged it by this rubric"
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
    """Read a check in promptfoo's short form: "contains: Paris", "not-is-json".

    A text without a colon that names no kind must be equalled. QuestionSetError for a kind that is
    not known or a value that can't be read.

    >>> read_check("not-icontains: sorry")
    Check(type='not-icontains', value='sorry')
    """
    return Check(*split_check(text))


def split_check(text: str) -> tuple[str, str | None]:
    """Split the short form into kind and value, which nothing has validated."""
    match = _SHORT.fullmatch(text.strip())
    is_named = match is not None and match["type"].removeprefix(_NOT) in KINDS
    if match is None or not (is_named or "(" in match["type"] or match["value"] is not None):
        return "equals", text.strip()
    return match["type"], (match["value"] or "").strip() or None


def _sentence(clause: str) -> str:
    return f"{clause[:1].upper()}{clause[1:]}."


class Expectation(NamedTuple):
    """A check or a fact in a few words, and whether a run has to pass it to pass the question."""

    name: str
    needed: bool
    expected: Check | Fact


def list_expectations(facts: Sequence[Fact], checks: Iterable[Check]) -> tuple[Expectation, ...]:
    """List the checks, then the facts: those that are a must are needed, or all if none is one."""
    all_facts = not any(fact.must for fact in facts)
    return (
        *(Expectation(_name(check), True, check) for check in checks),
        *(Expectation(fact.text, all_facts or fact.must, fact) for fact in facts),
    )


def judge(
    trace: Trace, expectations: Iterable[Expectation], rulings: Rulings | None = None
) -> tuple[Outcome, ...]:
    """Check a run; a fact passes where the answer says it in one of its wordings."""
    answer = None if trace.response is None else Words(trace.response)

    def outcome(expected: Check | Fact) -> Outcome:
        if not isinstance(expected, Fact):
            return expected.outcome(trace, rulings)
        if answer is None:
            return Outcome("not judged", "The run has no answer.")
        if find_stretches(expected, answer):
            return Outcome("pass", "It is in the answer.")
        return Outcome("fail", "The answer leaves it out.")

    return tuple(outcome(each.expected) for each in expectations)


def _name(check: Check) -> str:
    """Write "contains: 8", "word-count: {"max": 40}", "is-json"."""
    value = check.value
    if value is None:
        return check.type
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"{check.type}: {text}"
