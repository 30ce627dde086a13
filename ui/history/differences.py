"""What differs between two saved runs: settings, templates, calls, measures."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from synth.export.recipe import Messages
from synth.runs.calls import CallRecord
from synth.text.diff import Diff, word_diff
from synth.words.coverage_words import cut_off_tokens
from synth.words.sentences import made_calls
from ui.history.saved_run import SavedRun
from ui.settings.request import SAME_NAME, Request

T = TypeVar("T")

PRICE = "price"
"""The name of the setting that is the price of the model, a `synth.runs.prices.Price`."""


@dataclass(frozen=True)
class Pair(Generic[T]):
    """What both runs have under one name; None where a run has no such thing, or it is unknown."""

    name: str
    before: T | None
    after: T | None

    @property
    def equal(self) -> bool:
        """Whether both runs have the same."""
        return self.before == self.after


Setting = Pair[Any]
Measure = Pair[float]


@dataclass(frozen=True)
class Template(Pair[Messages]):
    """A template with its messages and its version in both runs."""

    versions: tuple[int | None, int | None]


@dataclass(frozen=True)
class CallPair:
    """The calls with one number in both runs; None where a run has no such call."""

    number: int
    before: CallRecord | None
    after: CallRecord | None

    @property
    def same(self) -> bool:
        """Whether both runs have such a call, with the same prompt and the same answer."""
        one, other = self.before, self.after
        if one is None or other is None:
            return False
        return one.prompt.text == other.prompt.text and one.answer == other.answer


@dataclass(frozen=True)
class Differences:
    """Two runs beside each other. `answer` is the word diff of the responses.

    `chunks_kept` counts the chunks that both were given, `chunks` those of each run.
    """

    settings: tuple[Setting, ...]
    templates: tuple[Template, ...]
    chunks: tuple[int, int]
    chunks_kept: int
    calls: tuple[CallPair, ...]
    answer: Diff
    measures: tuple[Measure, ...]


def differences(before: SavedRun, after: SavedRun) -> Differences:
    """All that differs, and what is the same, from one run to another."""
    old, new = before.request, after.request
    kept = Counter(old.text_chunks) & Counter(new.text_chunks)
    return Differences(
        tuple(_settings(old, new)),
        tuple(_templates(before, after)),
        (len(old.text_chunks), len(new.text_chunks)),
        kept.total(),
        tuple(_pairs(before, after)),
        word_diff(before.trace.response or "", after.trace.response or ""),
        tuple(
            Measure(name, old, new)
            for (name, old), (_, new) in zip(_numbers(before), _numbers(after), strict=True)
        ),
    )


def _settings(old: Request, new: Request) -> Iterator[Setting]:
    for name in SAME_NAME:
        yield Setting(name, getattr(old, name), getattr(new, name))
    yield Setting("model", old.model, new.model)
    yield Setting(PRICE, old.model.price, new.model.price)
    values, others = dict(old.variables), dict(new.variables)
    for name in dict.fromkeys([*values, *others]):
        yield Setting(f"variable {name}", values.get(name), others.get(name))


def _templates(before: SavedRun, after: SavedRun) -> Iterator[Template]:
    old, new = dict(before.request.templates), dict(after.request.templates)
    numbers = before.summary.template_versions, after.summary.template_versions
    for name in dict.fromkeys([*old, *new]):
        versions = (numbers[0].get(name), numbers[1].get(name))
        yield Template(name, old.get(name), new.get(name), versions)


def _pairs(before: SavedRun, after: SavedRun) -> Iterator[CallPair]:
    old = {call.number: call for call in before.trace.calls}
    new = {call.number: call for call in after.trace.calls}
    for number in sorted(old.keys() | new.keys()):
        yield CallPair(number, old.get(number), new.get(number))


def _numbers(run: SavedRun) -> list[tuple[str, float | None]]:
    trace, summary, made = run.trace, run.summary, made_calls(run.trace)
    return [
        ("calls", len(made)),
        ("longest chain", trace.longest_chain),
        ("prompt tokens", sum(call.prompt_tokens for call in made)),
        ("output tokens", sum(call.output_tokens for call in made)),
        ("tokens cut off", cut_off_tokens(trace)),
        ("dollars", summary.dollars),
        ("seconds", None if any(call.replayed for call in trace.calls) else summary.seconds),
    ]
