"""Where the words of an answer stand in the chunks, and what is said beside that."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from synth.text.words import count_words, split_words, telling_words, word_runs

NOTE = (
    "A tag is the number of a chunk with the same words: at least three in a row, or six Chinese,"
    " Japanese or Korean characters. This compares letters; it does not prove a source."
)
UNFOUNDED_NOTE = "A wavy line is below numbers and names that no chunk and no question has."


class Match(NamedTuple):
    """Characters `start` to `end` of an answer, and the number of a chunk with the same words."""

    start: int
    end: int
    chunk: int | None


def match_words(answer: str, chunks: Sequence[str]) -> list[Match]:
    """Match the answer with the longest runs of words that a chunk has, stop words alone aside.

    Neighbours in one chunk are joined if no word stands between them.
    """
    words = [word._replace(text=word.text.lower()) for word in split_words(answer) if word.weight]
    texts = [[word for word in split_words(chunk.lower()) if word.weight] for chunk in chunks]
    runs: list[Match] = []
    for first, last, index in word_runs(words, texts):
        start, end, chunk = words[first].start, words[last - 1].end, index + 1
        if not telling_words(answer[start:end]):
            continue
        before = runs[-1] if runs else None
        if before and before.chunk == chunk and not count_words(answer[before.end : start]):
            start = runs.pop().start
        runs.append(Match(start, end, chunk))
    matches, done = [], 0
    for run in runs:
        matches += [Match(done, run.start, None), run]
        done = run.end
    matches.append(Match(done, len(answer), None))
    return [match for match in matches if match.start < match.end]


def count_quoted(answer: str, matches: Sequence[Match]) -> dict[int, int]:
    """Find the words of the answer that stand in each chunk, by its number."""
    words: dict[int, int] = defaultdict(int)
    for start, end, chunk in matches:
        if chunk is not None:
            words[chunk] += count_words(answer[start:end])
    return dict(words)
