"""What a judge is asked about the answers of a comparison, and what its repeats said."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from synth.errors import BudgetError
from synth.prompts.window import PromptHelper
from synth.quality import (
    JudgedClaim,
    Judging,
    agreement,
    answered_part,
    better,
    consensus,
    grade,
    judge_correctness,
    judge_pair,
    judge_support,
    judged_claims,
)
from synth.runs.calls import CallRecord
from synth.runs.trace import Plan, Trace
from synth.text.wording import counted
from ui.pages.compare.cells import Cell
from ui.pages.compare.run_slots import RunSlot

Kind = Literal["support", "correctness", "pair"]
KINDS: dict[Kind, str] = {
    "support": "Claims that stand in the text",
    "correctness": "Right by the reference answer",
    "pair": "Better than another column",
}
"""What can be judged, in words."""

Replies = Mapping[str, CallRecord]
"""The calls of one repeat of the judge that have an answer, by the hash of their prompts."""


@dataclass(frozen=True)
class Judgement:
    """One judgement: of the answer in a slot.

    Of a pair `beside` is the slot of the other answer. `plan` has its calls; None where it is
    `refused`, which says why.
    """

    kind: Kind
    slot: RunSlot
    beside: RunSlot
    judging: Judging
    plan: Plan | None
    refused: str = ""


@dataclass(frozen=True)
class Finding:
    """What each repeat of the judge said: not all of them, where the judge has not ended."""

    said: tuple[str, ...]

    @property
    def verdict(self) -> str | None:
        """What most repeats said; None before the first has."""
        return consensus(self.said) if self.said else None

    @property
    def agreeing(self) -> float | None:
        """The share of the repeats that said what most did; None for fewer than two."""
        return agreement(self.said)

    @property
    def repeats(self) -> str:
        """How many repeats said what most did: "2 of 3 repeats"; "" for fewer than two."""
        count, share = len(self.said), self.agreeing
        return "" if share is None else f"{round(share * count):,} of {counted(count, 'repeat')}"


@dataclass(frozen=True)
class FoundClaim:
    """A claim with what the repeats said of it; `shown` is one that said what most did."""

    finding: Finding
    shown: JudgedClaim


def judgements(
    rows: Sequence[Sequence[Cell]], kinds: Sequence[Kind], reference: int, helper: PromptHelper
) -> Iterator[Judgement]:
    """What a judge with these limits is asked of the cells of each question.

    Pairs are those of the column at the position `reference` with each other column whose answer
    differs.
    """
    for row in rows:
        for cell in row:
            possible = _possible(cell, row[reference], helper)
            for kind in kinds:
                if kind in possible:
                    plan, refused = _plan(possible[kind])
                    beside = row[reference].slot
                    yield Judgement(kind, cell.slot, beside, possible[kind], plan, refused)


def _possible(cell: Cell, beside: Cell, helper: PromptHelper) -> dict[Kind, Judging]:
    """What a judge can be asked of the answer in a cell."""
    trace = answered(cell)
    if trace is None or trace.response is None:
        return {}
    found: dict[Kind, Judging] = {"support": judge_support(trace, helper)}
    if cell.asked.reference.strip():
        found["correctness"] = judge_correctness(trace, cell.asked.reference, helper)
    other = answered(beside)
    if other is not None and other.response not in (None, trace.response):
        pair = trace.response, other.response or ""
        found["pair"] = judge_pair(trace.setup.query, *pair, helper)
    return found


def answered(cell: Cell) -> Trace | None:
    """The run of a cell whose answer is not empty."""
    return cell.trace if (cell.answer or "").strip() else None


def _plan(asked: Judging) -> tuple[Plan | None, str]:
    try:
        return asked.plan(), ""
    except BudgetError as problem:
        return None, str(problem)


def finding(judgement: Judgement, repeats: Sequence[Replies]) -> Finding:
    """The grades of an answer, or which of a pair was better: "one" is that of the column."""
    read = grade if judgement.kind == "correctness" else better
    parts = _parts(judgement, repeats)
    return Finding(tuple(read(part) for part in parts))


def found_claims(judgement: Judgement, repeats: Sequence[Replies]) -> tuple[FoundClaim, ...]:
    """The claims of an answer that the judge was asked about to the end, in order."""
    by_claim: dict[str, list[JudgedClaim]] = {}
    for part in _parts(judgement, repeats):
        for judged in judged_claims(part):
            by_claim.setdefault(judged.claim, []).append(judged)
    found = []
    for repeated in by_claim.values():
        one = Finding(tuple(judged.verdict for judged in repeated))
        # Where no verdict is the most frequent, none of the repeats says what the finding does.
        shown = next((each for each in repeated if each.verdict == one.verdict), repeated[0])
        found.append(FoundClaim(one, shown))
    return tuple(found)


def _parts(judgement: Judgement, repeats: Sequence[Replies]) -> list[Trace]:
    """The traces of this judgement, of those repeats that have come to it."""
    if judgement.plan is None:
        return []
    parts = [answered_part(judgement.plan, answered) for answered in repeats]
    return [part for part in parts if part.calls]
