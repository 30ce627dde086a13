"""The share of a response that stands word for word in text which was really sent."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from synth.quality.words import Words
from synth.runs.trace import Trace
from synth.text.ranking import words as telling_words
from synth.text.remembered import remembered
from synth.text.word_runs import SplitWord, word_runs

_LABEL = re.compile(r"^Response \d+:", re.MULTILINE)
"""What accumulate writes before each answer; the model did not say it."""


@dataclass(frozen=True)
class Support:
    """The `words` of the response, and how many stand in runs that a sent text has too."""

    words: int
    supported: int

    formula: ClassVar[str] = (
        "Words of the response in runs that a sent text has too, divided by all of its words. A"
        " run is three words or more, or six characters or more where text has no spaces, with"
        " at least one telling word; numbers, dates and units are made alike first. Sent text is"
        " what the calls carried of the chunks: a run that no single call carried does not"
        " count. The labels of joined answers, as Response 1, are left out. A sentence in other"
        " words is not found, though it may well be supported."
    )

    @property
    def share(self) -> float | None:
        """From 0 to 1; None for a response without words."""
        return self.supported / self.words if self.words else None


def support(trace: Trace) -> Support:
    """How much of the response stands in sent text."""
    response = trace.response or ""
    words = weighed_words(_LABEL.sub(lambda label: " " * len(label.group()), response))
    sent = [trace.setup.chunks[number - 1][start:end] for number, start, end in _sent(trace)]
    texts = list(map(weighed_words, dict.fromkeys(sent)))
    supported = sum(
        last - first
        for first, last, *_ in word_runs(words, texts)
        if telling_words(response[words[first].start : words[last - 1].end])
    )
    return Support(len(words), supported)


def _sent(trace: Trace) -> Iterator[tuple[int, int, int]]:
    """The stretches of chunks in each call; neighbours in one prompt are one stretch."""
    for call in trace.calls:
        last: tuple[int, int, int] | None = None
        for kind, number, start, end in call.origins:
            if kind != "chunk":
                continue
            if last is not None and (last[0], last[2]) == (number, start):
                last = (number, last[1], end)
                continue
            if last is not None:
                yield last
            last = (number, start, end)
        if last is not None:
            yield last


@remembered(2_000_000)  # the runs of a comparison send the same chunks
def weighed_words(text: str) -> tuple[SplitWord, ...]:
    """The words of a text, where numbers, dates and units are made alike."""
    return tuple(
        SplitWord(form, start, end, 2 if len(form) > 1 or form.isascii() else 1)
        for form, start, end, *_ in Words(text).words
    )
