"""A response beside a reference answer: chrF and token F1."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from synth.extras import extra
from synth.quality.words import Words

if TYPE_CHECKING:
    from sacrebleu import CHRF


@dataclass(frozen=True)
class Likeness:
    """How alike a response and a reference are, from 0 to 1: `chrf` by letters, `f1` by words."""

    chrf: float
    f1: float

    formulas: ClassVar[dict[str, str]] = {
        "chrf": (
            "chrF2 of sacrebleu: the precision and the recall of runs of 1 to 6 characters,"
            " spaces left out, averaged over the lengths and joined with recall counted twice"
            " (beta = 2), from 0 to 1. It compares letters, in any language, and knows no meaning."
        ),
        "f1": (
            "Words that response and reference have in common, each as often as in the one that"
            " has it less often: precision is their share of the response, recall of the"
            " reference, and F1 is 2PR / (P + R). Numbers, dates and units are made alike"
            " first; a character of a text without spaces is a word."
        ),
    }


def likeness(response: str, reference: str) -> Likeness:
    """Both measures; ModuleNotFoundError, which says what to install, without sacrebleu."""
    return Likeness(
        chrf=_chrf().sentence_score(response, [reference]).score / 100,
        f1=_token_f1(response, reference),
    )


@cache
def _chrf() -> CHRF:
    with extra("quality"):
        import sacrebleu  # noqa: PLC0415  most questions have no reference

    return sacrebleu.CHRF()


def _token_f1(response: str, reference: str) -> float:
    ours, theirs = (
        Counter(word.form for word in Words(text).words) for text in (response, reference)
    )
    common = (ours & theirs).total()
    return 2 * common / (ours.total() + theirs.total()) if common else 0.0
