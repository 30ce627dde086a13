"""What a judge is asked about the answers of a comparison, and what it said, in few words."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

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
from synth.quality.judge_replies import claim_of
from synth.runs.calls import CallRecord, prompt_hash
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
_VERDICT_WORDS = {"one": "better", "other": "worse"}
_BEST_FIRST = (
    *("supported", "correct", "better", "partly", "tie"),
    *("unsupported", "incorrect", "worse", "no verdict"),
)

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


Thumbs = Mapping[RunSlot, bool]
"""Whether a person gave a thumb up to the answer in a slot; those without a thumb are not in it."""


def agreeing_thumbs(
    asked: Sequence[Judgement], repeats: Sequence[Replies], thumbs: Thumbs
) -> tuple[int, int]:
    """In how many of the cases that both decided a person and the judge agree, and of how many.

    A thumb up agrees with "correct", a thumb down with "partly" and "incorrect". Where two answers
    got different thumbs, the judge agrees if it found the one with the thumb up better. Equal
    answers are one case.
    """
    agreed: dict[str, bool] = {}
    for judgement in asked:
        wanted = _wanted(judgement, thumbs)
        verdict = finding(judgement, repeats).verdict if wanted else None
        if judgement.plan is not None and verdict not in (None, "no verdict"):
            agreed[prompt_hash(judgement.plan.calls[0].prompt)] = verdict in wanted
    return sum(agreed.values()), len(agreed)


def _wanted(judgement: Judgement, thumbs: Thumbs) -> tuple[str, ...]:
    """The verdicts with which a person's thumbs agree; none where the thumbs decide nothing."""
    own, beside = thumbs.get(judgement.slot), thumbs.get(judgement.beside)
    if own is None or judgement.kind == "support":
        return ()
    if judgement.kind == "correctness":
        return ("correct",) if own else ("partly", "incorrect")
    if beside is None or beside == own:
        return ()
    return ("one",) if own else ("other",)


Counts = tuple[tuple[str, int], ...]
"""How often there was which verdict, the best first."""


class Said(NamedTuple):
    """What was said of one column, and what else is to be known of it.

    `counts` are those of its verdicts, where there may be several.
    """

    text: str
    note: str = ""
    counts: Counts = ()


def _counts(verdicts: Iterable[str]) -> Counts:
    found = Counter(verdicts)
    return tuple((verdict, found[verdict]) for verdict in _BEST_FIRST if verdict in found)


def rows(
    asked: Sequence[Judgement],
    repeats: Sequence[Replies],
    shown: Sequence[Sequence[Cell]],
    reference: int,
) -> dict[str, list[Said]]:
    """What was said of each column, by what was asked about these cells, which are rows.

    Pairs are with the column at the position `reference`.
    """
    slots = {cell.slot for row in shown for cell in row}
    found = {}
    for kind, words in KINDS.items():
        own = [each for each in asked if each.kind == kind and each.slot in slots]
        by_column = [
            [each for each in own if each.slot.column == cell.slot.column] for cell in shown[0]
        ]
        row = f"Better than {shown[0][reference].name}" if kind == "pair" else words
        if own:
            found[row] = [_cell(each, repeats) for each in by_column]
    return found


def thumbs_row(thumbs: Thumbs, shown: Sequence[Sequence[Cell]]) -> list[Said]:
    """What a person gave each column, for the questions that have a thumb for every answer.

    The other questions would show whose answer a thumb was for, while it is still to be given.
    """
    done = [row for row in shown if all(cell.slot in thumbs for cell in row if answered(cell))]
    given = [[thumbs.get(row[at].slot) for row in done] for at in range(len(shown[0]))]
    if all(thumb is None for column in given for thumb in column):
        return []
    return [*map(_thumbs_cell, given)]


def _thumbs_cell(given: Sequence[bool | None]) -> Said:
    up, down = (sum(thumb is wanted for thumb in given) for wanted in (True, False))
    if len(given) == 1:
        return Said("right" if up else "wrong" if down else "–")
    return Said(f"right {up:,}", f"wrong {down:,}" if down else "")


def _cell(asked: Sequence[Judgement], repeats: Sequence[Replies]) -> Said:
    """What was said of one column: the verdict on an answer, or how often there was which."""
    wanted, findings = _findings(asked, repeats)
    refused = sum(each.plan is None for each in asked)
    agreed = [share for one in findings if (share := one.agreeing) is not None]
    missing = wanted - len(findings)
    notes = [
        f"{missing:,} not judged" if findings and missing else "",
        f"repeats agree on {agreed.count(1):,} of {len(agreed):,}" if agreed else "",
        f"{refused:,} can't be asked" if refused else "",
        "" if wanted or refused or not asked else "it makes no claim, or no text was sent",
    ]
    note = ", ".join(filter(None, notes))
    if not findings:
        return Said("not judged" if wanted or refused else "–", note)
    verdicts = [_VERDICT_WORDS.get(str(one.verdict), str(one.verdict)) for one in findings]
    if len(asked) == 1 and asked[0].kind != "support":
        return Said(verdicts[0], note)
    return Said("", note, _counts(verdicts))


def _findings(
    asked: Sequence[Judgement], repeats: Sequence[Replies]
) -> tuple[int, Sequence[Finding]]:
    """How many verdicts are wanted, one a claim or an answer, and those that there are."""
    if not any(each.kind == "support" for each in asked):
        findings = [finding(each, repeats) for each in asked if each.plan is not None]
        return len(findings), [one for one in findings if one.said]
    plans = [each.plan for each in asked if each.plan is not None]
    wanted = sum(len({claim_of(call) for call in plan.calls}) for plan in plans)
    return wanted, [claim.finding for each in asked for claim in found_claims(each, repeats)]
