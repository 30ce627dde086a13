"""A response beside a reference answer: chrF and token F1."""

from collections import Counter
from dataclasses import dataclass
from statistics import fmean
from typing import ClassVar

from synth.quality.words import Words

_LONGEST_RUN = 6  # characters
_RECALL_COUNTS = 4  # as often as precision: beta is 2


@dataclass(frozen=True)
class Likeness:
    """How alike a response and a reference are, from 0 to 1: `chrf` by letters, `f1` by words."""

    chrf: float
    f1: float

    formulas: ClassVar[dict[str, str]] = {
        "chrf": (
            "chrF2 (M. Popović, 2015): the precision and the recall of runs of 1 to 6 characters,"
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
    """Both measures of a response."""
    ours, theirs = (
        Counter(word.form for word in Words(text).words) for text in (response, reference)
    )
    common = (ours & theirs).total()
    f1 = 2 * common / (ours.total() + theirs.total()) if common else 0.0
    return Likeness(chrf(response, reference), f1)


def chrf(response: str, reference: str) -> float:
    """The chrF2 of a response, from 0 to 1, as sacrebleu computes it for one sentence.

    Lengths that one of the texts is too short for are left out of both averages.
    """
    ours, theirs = ("".join(text.split()) for text in (response, reference))
    lengths = range(1, min(_LONGEST_RUN, len(ours), len(theirs)) + 1)
    runs = [(_runs(ours, length), _runs(theirs, length)) for length in lengths]
    common = [(one & other).total() for one, other in runs]
    if not any(common):
        return 0.0
    precision = fmean(n / one.total() for n, (one, _) in zip(common, runs, strict=True))
    recall = fmean(n / other.total() for n, (_, other) in zip(common, runs, strict=True))
    return (1 + _RECALL_COUNTS) * precision * recall / (_RECALL_COUNTS * precision + recall)


def _runs(text: str, length: int) -> Counter[str]:
    return Counter(text[at : at + length] for at in range(len(text) - length + 1))
