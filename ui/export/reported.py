"""What is handed on of a run or of several: sentences and settings, for their reports."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import synth
from synth.pictures.walk import steps_of
from synth.runs.bounds import Bounds
from synth.runs.trace import Trace
from synth.text.wording import counted, marked, numbered, ranged
from synth.words.coverage_words import coverage_sentence, sends_chunks
from synth.words.sentences import run_sentence, step_sentence
from ui.plans.cost import price_tag, price_words
from ui.settings.changes import value
from ui.settings.paths import said, words
from ui.settings.request import LIMITS, Model, Request

_PLANNED = "Before the run the plan said **{calls}** and **{prompts}**{certain}."


@dataclass(frozen=True)
class ReportedRun:
    """A run that has ended, and the bounds of its plan, None if it had none.

    `edited` are the numbers of the calls whose answers a person wrote; `by_person` says whether a
    person gave all of them. `cost` is what was paid, in the words of `ui/plans/cost.py`.
    """

    request: Request
    trace: Trace
    bounds: Bounds | None
    edited: frozenset[int] = frozenset()
    by_person: bool = False
    cost: str = ""

    @property
    def headline(self) -> list[str]:
        """What the run made, what it cost, and what the plan had said."""
        said = run_sentence(self.trace, edited=self.edited, cost=self.cost)
        return [*said, *self._planned()]

    def _planned(self) -> list[str]:
        if self.bounds is None or not self.trace.calls:
            return []
        calls, prompts = self.bounds.calls, self.bounds.prompt_tokens
        exact = calls.exact and prompts.exact
        return [
            " ",
            *marked(
                _PLANNED,
                calls=ranged(*calls, "call"),
                prompts=ranged(*prompts, "prompt token"),
                certain="" if exact else ", whatever the answers say",
            ),
        ]

    @property
    def timed(self) -> bool:
        """Whether its seconds say something: those of the offline model or of a person don't."""
        return not (self.request.model.free or self.by_person) and bool(self.trace.calls)

    @property
    def sends_chunks(self) -> bool:
        """Whether its calls were to carry chunks, so that some could be cut off."""
        return bool(self.trace.calls and self.trace.coverage) and sends_chunks(self.trace)

    @property
    def settings(self) -> list[tuple[str, str]]:
        """All settings with their names, but no address of a model."""
        request = self.request
        tokens = sum(chunk.tokens for chunk in self.trace.coverage)
        plain = [(words(name), value(name, getattr(request, name))) for name in LIMITS]
        chunks = f"{counted(len(request.text_chunks), 'chunk')}, {counted(tokens, 'token')}"
        variables = [(f"variable {name}", text) for name, text in request.variables]
        return [*plain, ("chunks", chunks), *_model(request.model), *variables]

    @property
    def findings(self) -> list[list[str]]:
        """Sentences on lost text and on steps with trouble."""
        return list(self._findings())

    def _findings(self) -> Iterator[list[str]]:
        trace = self.trace
        if trace.calls and trace.coverage:
            yield coverage_sentence(trace)
        if self.by_person:
            yield marked("**A person** answered in place of the model.")
        elif self.edited:
            calls = numbered("call", sorted(self.edited))
            yield marked("A person wrote **the answer of {calls}**.", calls=calls)
        for step in steps_of(trace):
            if step.lost or step.filtered or step.failed:
                yield step_sentence(step)

    @property
    def versions(self) -> str:
        """The versions of the programs whose rules the run follows."""
        ours = f"Synthesis playground {synth.__version__}"
        if self.request.behaviour == "llama_index":
            return f"{ours}, with the prompts of llama-index-core 0.14.25"
        return ours


def _model(model: Model) -> list[tuple[str, str]]:
    """What the answers depend on, and the price in US dollars for a million tokens."""
    if model.free:
        return [("model", model.kind)]
    rows = [("model", model.name or "no model")]
    rows += [(words(name), said(name, given)) for name, given in model.options]
    if model.price is not None:
        parts = filter(None, [price_words(model.price), price_tag(model)])
        rows.append(("price", ", ".join(parts)))
    return rows


@dataclass(frozen=True)
class Compared:
    """Runs under their names, which are unique, with what the page Compare says of them.

    `without` has the reason for each column that has no run. `measures` have a name
    and a value for each run. `reference` is the name of the run with which the answers of the
    others are compared.
    """

    question: str
    runs: Sequence[tuple[str, ReportedRun]]
    without: Sequence[tuple[str, str]]
    measures: Sequence[tuple[str, Sequence[str]]]
    reference: str = ""

    @property
    def answers(self) -> list[tuple[str, list[str]]]:
        """The different answers with the names of their runs, that of the reference first."""
        names: dict[str, list[str]] = {}
        for name, run in self.runs:
            if run.trace.response is not None:
                names.setdefault(run.trace.response, []).append(name)
        return sorted(names.items(), key=lambda answer: self.reference not in answer[1])

    @property
    def settings(self) -> list[tuple[str, list[str]]]:
        """The settings in which the runs differ, with the value of each."""
        values = [dict(run.settings) for _, run in self.runs]
        names = dict.fromkeys(name for one in values for name in one)
        rows = [(name, [one.get(name, "") for one in values]) for name in names]
        return [(name, cells) for name, cells in rows if len(set(cells)) > 1]

    @property
    def shared_settings(self) -> list[tuple[str, str]]:
        """The settings that all runs have in common."""
        differing = {name for name, _ in self.settings}
        return [
            (name, value)
            for name, value in (self.runs[0][1].settings if self.runs else ())
            if name not in differing
        ]
