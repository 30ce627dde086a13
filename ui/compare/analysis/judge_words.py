"""What a judge said of the columns, in the few words of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from synth.quality.judge_replies import claim_of
from synth.wording import counted
from ui.compare.analysis.judgements import (
    KINDS,
    Answers,
    FoundClaim,
    Judgement,
    Kind,
    Replies,
    Thumbs,
    finding,
    found_claims,
)

KIND_WORDS: dict[Kind, str] = {
    "support": "Claims in sent text",
    "correctness": "Against the reference",
    "pair": "In pairs",
}
_VERDICT_WORDS = {"one": "better", "other": "worse"}


class Cell(NamedTuple):
    """What was said of one column, and what else is to be known of it."""

    text: str
    note: str = ""


class Row(NamedTuple):
    """What is judged, or who, in a few words, and the cell of each column."""

    name: str
    cells: tuple[Cell, ...]


def rows(
    asked: Sequence[Judgement],
    repeats: Sequence[Replies],
    labels: Sequence[str],
    reference: int,
    questions: Collection[int],
) -> list[Row]:
    """The kinds that are asked about these questions; pairs are with the column `reference`."""
    found = []
    for kind in KINDS:
        own = [each for each in asked if each.kind == kind and each.question in questions]
        by_column = [[each for each in own if each.column == at] for at in range(len(labels))]
        beside = f", beside {labels[reference]}" if kind == "pair" else ""
        if own:
            summed = len(questions) > 1
            cells = tuple(
                _claims_cell(each, repeats)
                if kind == "support"
                else _verdicts_cell(each, repeats, summed)
                for each in by_column
            )
            found.append(Row(KIND_WORDS[kind] + beside, cells))
    return found


def thumbs_row(thumbs: Thumbs, answers: Answers, questions: Collection[int]) -> Row | None:
    """What a person gave blind, for the questions that have a thumb for every answer.

    The other questions would show whose answer a thumb was for, while it is still to be given.
    """
    done = [
        question
        for question in questions
        if all(
            thumb is not None
            for thumb, trace in zip(thumbs[question], answers[question], strict=True)
            if trace is not None
        )
    ]
    given = [[thumbs[question][at] for question in done] for at in range(len(answers[0]))]
    if not any(thumb is not None for column in given for thumb in column):
        return None
    return Row("Your blind thumbs", tuple(map(_thumbs_cell, given)))


def _thumbs_cell(given: Sequence[bool | None]) -> Cell:
    up, down = (sum(thumb is wanted for thumb in given) for wanted in (True, False))
    if len(given) == 1:
        return Cell("right" if up else "wrong" if down else "–")
    return Cell(f"right {up:,}", f"wrong {down:,}" if down else "")


def agreement_words(agreeing: float | None, count: int) -> str:
    """How many repeats said the same: "2 of 3 repeats"; "" for a single one."""
    return "" if agreeing is None else f"{round(agreeing * count):,} of {counted(count, 'repeat')}"


def _verdicts_cell(asked: Sequence[Judgement], repeats: Sequence[Replies], summed: bool) -> Cell:
    """The verdict on one answer, or with `summed` how often there was which, most first."""
    ended = [one for each in asked if (one := finding(each, repeats)).said]
    if not asked:
        return Cell("–")
    if not ended:
        return Cell("not judged", _refused(asked))
    verdicts = Counter(str(one.verdict) for one in ended).most_common()
    words = [(_VERDICT_WORDS.get(verdict, verdict), count) for verdict, count in verdicts]
    if summed:
        most, *notes = (f"{word} {count:,}" for word, count in words)
    else:
        most, notes = words[0][0], [agreement_words(ended[0].agreeing, len(ended[0].said))]
    if len(ended) < len(asked):
        notes.append(f"{len(asked) - len(ended):,} not judged")
    return Cell(most, ", ".join(filter(None, [*notes, _refused(asked)])))


def _claims_cell(asked: Sequence[Judgement], repeats: Sequence[Replies]) -> Cell:
    claims = [claim for each in asked for claim in found_claims(each, repeats)]
    calls = [call for each in asked if each.plan is not None for call in each.plan.calls]
    wanted = sum(
        len({claim_of(call) for call in each.plan.calls}) for each in asked if each.plan is not None
    )
    if not calls:
        return Cell(
            "–", _refused(asked) or ("it makes no claim, or no text was sent" if asked else "")
        )
    if not claims:
        return Cell("not judged", _refused(asked))
    verdicts = Counter(claim.finding.verdict for claim in claims)
    decided = verdicts["supported"] + verdicts["unsupported"]
    notes = [
        f"{verdicts['no verdict']:,} without a verdict" if verdicts["no verdict"] else "",
        f"{wanted - len(claims):,} not judged" if wanted > len(claims) else "",
        _mean_agreement(claims),
        _refused(asked),
    ]
    text = f"{verdicts['supported']:,} of {decided:,}" if decided else "no verdict"
    return Cell(text, ", ".join(filter(None, notes)))


def _mean_agreement(claims: Sequence[FoundClaim]) -> str:
    """In how many of the claims all repeats said the same."""
    repeated = [claim.finding.agreeing for claim in claims if claim.finding.agreeing is not None]
    if not repeated:
        return ""
    return f"repeats agree on {sum(share == 1 for share in repeated):,} of {len(repeated):,}"


def _refused(asked: Sequence[Judgement]) -> str:
    refused = sum(each.plan is None for each in asked)
    return f"{refused:,} can't be asked" if refused else ""
