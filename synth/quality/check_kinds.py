"""The kinds of checks: when an answer is as a check wants it.

The names and what they mean are promptfoo's (promptfoo.dev, "Deterministic metrics"); `cites` is
ours, and `rubric` is its `llm-rubric`. What a model says by a rubric is looked up: nothing here
asks one.
"""

import csv
import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Annotated, Any, NamedTuple, Self

import regex
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from synth.errors import QuestionSetError, short
from synth.modes.registry import mode_facts
from synth.quality.citations import read_citations
from synth.quality.plain_values import make_reader
from synth.quality.rubric import Rulings
from synth.runs.prices import Price
from synth.runs.trace import Trace
from synth.text.wording import counted, listed, tell_apart

MOST_TEXTS = 100
"""Texts in the list of one check."""

MOST_PATTERN, MOST_WRITTEN_OUT = 10_000, 100_000
"""Characters of a pattern, and with its repetitions: compiling has no other limit."""

_PATIENCE = 1.0  # seconds for a search: some would take years on one line of text
_REPETITION = re.compile(r"(?P<of_group>\)?)\{(?P<times>\d{1,9})")


class NotCheckable(Exception):
    """The run lacks what a check reads, or the check does not end; the message says what to do."""


def _write_number(value: object) -> object:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if is_number else value


def _split_texts(value: object) -> object:
    """Split a text at its commas, but for those between quotes."""
    if not isinstance(value, str):
        return value
    try:
        rows = list(csv.reader([value], skipinitialspace=True, strict=True))
    except csv.Error as problem:
        raise ValueError(f"its list can't be read: {problem}") from problem
    return [cell for row in rows for each in row if (cell := each.strip())]


def _split_numbers(value: object) -> object:
    if value is None or value == "":
        return ()
    return value if isinstance(value, list | tuple) else str(value).split(",")


def _refuse_truth(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("give a number")  # pydantic tells of no TypeError
    return value


Text = Annotated[str, BeforeValidator(_write_number), Field(min_length=1)]
Texts = Annotated[
    tuple[Text, ...], BeforeValidator(_split_texts), Field(min_length=1, max_length=MOST_TEXTS)
]
Number = Annotated[float, BeforeValidator(_refuse_truth), Field(ge=0, allow_inf_nan=False)]
ChunkNumbers = Annotated[
    tuple[Annotated[int, Field(ge=1, lt=10**9)], ...], BeforeValidator(_split_numbers)
]
"""The numbers of chunks that must be cited; none where any sent chunk will do."""


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


@dataclass(frozen=True)
class CheckedRun:
    """What checks read: a response, its trace, its model's price, and by rubric what was said."""

    response: str
    trace: Trace
    price: Price | None
    rulings: Rulings


class CheckKind(NamedTuple):
    """How a check's value is read (its threshold, where `by_threshold`), and what it finds."""

    read: Callable[[Any], Any]
    find: Callable[[CheckedRun, Any], Finding]
    by_threshold: bool = False


def _make_finder(
    folded: Callable[[str], str], enough: Callable[[list[bool]], bool]
) -> Callable[[CheckedRun, tuple[str, ...]], Finding]:
    """Find whether one of several texts stands in the answer, or all, after both are `folded`."""

    def find(run: CheckedRun, wanted: tuple[str, ...]) -> Finding:
        response = folded(run.response)
        there = [folded(text) in response for text in wanted]
        missing = [_beginning(text) for text, found in zip(wanted, there, strict=True) if not found]
        seen = f"it lacks {listed(missing)}" if missing else "it contains all that was asked for"
        if missing and any(there):
            seen += ", and contains the rest"
        return Finding(enough(there), seen)

    return find


def _equals(run: CheckedRun, wanted: str) -> Finding:
    is_same = run.response == wanted
    return Finding(is_same, "it is the same" if is_same else f"it is {_beginning(run.response)}")


def _starts(run: CheckedRun, wanted: str) -> Finding:
    return Finding(run.response.startswith(wanted), f"it begins {_beginning(run.response)}")


def _matches(run: CheckedRun, wanted: regex.Pattern[str]) -> Finding:
    try:
        found = wanted.search(run.response, timeout=_PATIENCE)
    except TimeoutError as problem:
        raise NotCheckable(
            f"the pattern {_beginning(wanted.pattern)} did not end within {_PATIENCE:g} second:"
            " write a simpler one"
        ) from problem
    if found is None:
        return Finding(False, "nothing in it matches the pattern")
    return Finding(True, f"{_beginning(found.group())} matches the pattern")


def _is_json(run: CheckedRun, _: None) -> Finding:
    try:
        json.loads(run.response, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return Finding(False, f"it is no JSON; it begins {_beginning(run.response)}")
    return Finding(True, "it is JSON")


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _word_count(run: CheckedRun, wanted: NumberLimits) -> Finding:
    count = len(run.response.split())
    return Finding(wanted.least <= count <= wanted.most, f"it has {counted(count, 'word')}")


def _cost(run: CheckedRun, most: float) -> Finding:
    if run.price is None:
        raise NotCheckable("the price of the model is unknown: give one beside the model")
    cost = run.price.of(*run.trace.spent.tokens)
    less, more = tell_apart(*sorted((cost, most)))
    said, limit = (less, more) if cost <= most else (more, less)
    return Finding(cost <= most, f"it cost {said}, and the limit is {limit}")


def _latency(run: CheckedRun, most: float) -> Finding:
    if any(call.replayed for call in run.trace.calls):
        raise NotCheckable("answers of this run were kept from an earlier one: run it without them")
    took = run.trace.seconds * 1000
    return Finding(took <= most, f"it took {took:,.0f} ms, and the limit is {most:,g} ms")


def _cites(run: CheckedRun, wanted: tuple[int, ...]) -> Finding:
    trace = run.trace
    is_sending = trace.calls and trace.setup.chunks and mode_facts(trace.setup.mode).sends_chunks
    if is_sending and not any(call.origins for call in trace.calls):
        raise NotCheckable("which chunks its calls carried is not known")
    found = read_citations(trace)
    problem = next((each.problem for each in found if each.problem), None)
    missing = [f"[{number}]" for number in wanted if number not in {each.number for each in found}]
    if problem:
        return Finding(False, problem)
    if missing or not found:
        return Finding(False, f"it does not cite {listed(missing) or 'any chunk as [n]'}")
    cited = dict.fromkeys(f"[{each.number}]" for each in found)
    return Finding(True, f"it cites {listed(list(cited))}, of text that was sent")


def _rubric(run: CheckedRun, wanted: str) -> Finding:
    ruling = run.rulings.get(wanted)
    if ruling is None:
        return Finding(None, "no model has judged it by this rubric")
    return Finding(ruling.passed, f"{ruling.reason.rstrip('.')} (judged by {ruling.model})")


def _beginning(text: str) -> str:
    return repr(short(text, 60))


_TEXT, _TEXTS, _NUMBER = make_reader(Text), make_reader(Texts), make_reader(Number)


def _text_alone(value: object) -> tuple[str]:
    """Read a single text, in which commas are text."""
    return (_TEXT(value),)


def _no_value(value: object) -> None:
    if value not in (None, ""):
        raise QuestionSetError(
            "it has a value, and only whether it is JSON is checked: take it out"
        )


def _pattern(value: object) -> regex.Pattern[str]:
    """Read a regular expression of a size that can be compiled.

    Repeated groups are taken to stand in one another, since compiling writes them out.
    """
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


RUBRIC = CheckKind(_TEXT, _rubric)
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
    "cost": CheckKind(_NUMBER, _cost, by_threshold=True),
    "latency": CheckKind(_NUMBER, _latency, by_threshold=True),
    "cites": CheckKind(make_reader(ChunkNumbers), _cites),
    **dict.fromkeys(("rubric", "llm-rubric", "grade"), RUBRIC),
}
"""The kinds by their names; "not-" before a name turns what it wants around."""
