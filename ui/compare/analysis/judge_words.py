"""What a judge said of the columns, in the few words of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from synth.quality.judge_replies import claim_of
from synth.wording import counted
from ui.compare.analysis.judgements import (
    KINDS,
    FoundClaim,
    Judgement,
    Kind,
    Replies,
    Thumbs,
    answered,
    finding,
    found_claims,
)
from ui.compare.cells import Cell

KIND_WORDS: dict[Kind, str] = {
    "support": "Claims in sent text",
    "correctness": "Against the reference",
    "pair": "In pairs",
}
_VERDICT_WORDS = {"one": "better", "other": "worse"}


class Said(NamedTuple):
    """What was said of one column, and what else is to be known of it."""

    text: str
    note: str = ""


class Row(NamedTuple):
    """What is judged, or who, in a few words, and the cell of each column."""

    name: str
    cells: tuple[Said, ...]


def rows(
    asked: Sequence[Judgement],
    repeats: Sequence[Replies],
    shown: Sequence[Sequence[Cell]],
    reference: int,
) -> list[Row]:
    """The kinds that are asked about these cells, which are rows of questions.

    Pairs are with the column at the position `reference`.
    """
    slots = {cell.slot for row in shown for cell in row}
    found = []
    for kind in KINDS:
        own = [each for each in asked if each.kind == kind and each.slot in slots]
        by_column = [
            [each for each in own if each.slot.column == cell.slot.column] for cell in shown[0]
        ]
        beside = f", beside {shown[0][reference].name}" if kind == "pair" else ""
        if own:
            cells = tuple(
                _claims_cell(each, repeats)
                if kind == "support"
                else _verdicts_cell(each, repeats, len(shown) > 1)
                for each in by_column
            )
            found.append(Row(KIND_WORDS[kind] + beside, cells))
    return found


def thumbs_row(thumbs: Thumbs, shown: Sequence[Sequence[Cell]]) -> Row | None:
    """What a person gave, for the questions that have a thumb for every answer.

    The other questions would show whose answer a thumb was for, while it is still to be given.
    """
    done = [row for row in shown if all(cell.slot in thumbs for cell in row if answered(cell))]
    given = [[thumbs.get(row[at].slot) for row in done] for at in range(len(shown[0]))]
    if not any(thumb is not None for column in given for thumb in column):
        return None
    return Row("Your thumbs", tuple(map(_thumbs_cell, given)))


def _thumbs_cell(given: Sequence[bool | None]) -> Said:
    up, down = (sum(thumb is wanted for thumb in given) for wanted in (True, False))
    if len(given) == 1:
        return Said("right" if up else "wrong" if down else "–")
    return Said(f"right {up:,}", f"wrong {down:,}" if down else "")


def agreement_words(agreeing: float | None, count: int) -> str:
    """How many repeats said the same: "2 of 3 repeats"; "" for a single one."""
    return "" if agreeing is None else f"{round(agreeing * count):,} of {counted(count, 'repeat')}"


def _verdicts_cell(asked: Sequence[Judgement], repeats: Sequence[Replies], summed: bool) -> Said:
    """The verdict on one answer, or with `summed` how often there was which, most first."""
    ended = [one for each in asked if (one := finding(each, repeats)).said]
    if not asked:
        return Said("–")
    if not ended:
        return Said("not judged", _refused(asked))
    verdicts = Counter(str(one.verdict) for one in ended).most_common()
    words = [(_VERDICT_WORDS.get(verdict, verdict), count) for verdict, count in verdicts]
    if summed:
        most, *notes = (f"{word} {count:,}" for word, count in words)
    else:
        most, notes = words[0][0], [agreement_words(ended[0].agreeing, len(ended[0].said))]
    if len(ended) < len(asked):
        notes.append(f"{len(asked) - len(ended):,} not judged")
    return Said(most, ", ".join(filter(None, [*notes, _refused(asked)])))


def _claims_cell(asked: Sequence[Judgement], repeats: Sequence[Replies]) -> Said:
    claims = [claim for each in asked for claim in found_claims(each, repeats)]
    calls = [call for each in asked if each.plan is not None for call in each.plan.calls]
    wanted = sum(
        len({claim_of(call) for call in each.plan.calls}) for each in asked if each.plan is not None
    )
    if not calls:
        return Said(
            "–", _refused(asked) or ("it makes no claim, or no text was sent" if asked else "")
        )
    if not claims:
        return Said("not judged", _refused(asked))
    verdicts = Counter(claim.finding.verdict for claim in claims)
    decided = verdicts["supported"] + verdicts["unsupported"]
    notes = [
        f"{verdicts['no verdict']:,} without a verdict" if verdicts["no verdict"] else "",
        f"{wanted - len(claims):,} not judged" if wanted > len(claims) else "",
        _mean_agreement(claims),
        _refused(asked),
    ]
    text = f"{verdicts['supported']:,} of {decided:,}" if decided else "no verdict"
    return Said(text, ", ".join(filter(None, notes)))


def _mean_agreement(claims: Sequence[FoundClaim]) -> str:
    """In how many of the claims all repeats said the same."""
    repeated = [claim.finding.agreeing for claim in claims if claim.finding.agreeing is not None]
    if not repeated:
        return ""
    return f"repeats agree on {sum(share == 1 for share in repeated):,} of {len(repeated):,}"


def _refused(asked: Sequence[Judgement]) -> str:
    refused = sum(each.plan is None for each in asked)
    return f"{refused:,} can't be asked" if refused else ""
