"""What a judge and a person said of each column, as rows of a table, and where they agree."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from synth.quality.judge_replies import claim_of
from synth.runs.calls import prompt_hash
from ui.pages.compare.analysis.judgements import (
    KINDS,
    Finding,
    Judgement,
    Replies,
    answered,
    finding,
    found_claims,
)
from ui.pages.compare.cells import Cell
from ui.pages.compare.run_slots import RunSlot

_VERDICT_WORDS = {"one": "better", "other": "worse"}
_BEST_FIRST = (
    *("supported", "correct", "better", "partly", "tie"),
    *("unsupported", "incorrect", "worse", "no verdict"),
)

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
