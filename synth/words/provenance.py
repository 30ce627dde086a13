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


def matches(answer: str, chunks: Sequence[str]) -> list[Match]:
    """Match the answer with the longest runs of words that a chunk has, stop words alone aside."""
    words = [word._replace(text=word.text.lower()) for word in split_words(answer) if word.weight]
    texts = [[word for word in split_words(chunk.lower()) if word.weight] for chunk in chunks]
    result, done = [], 0
    for first, last, index in word_runs(words, texts):
        start, end = words[first].start, words[last - 1].end
        if telling_words(answer[start:end]):
            result += [Match(done, start, None), Match(start, end, index + 1)]
            done = end
    result.append(Match(done, len(answer), None))
    return [match for match in result if match.start < match.end]


def join_matches(answer: str, matches: Sequence[Match]) -> list[Match]:
    """Return the matches, with neighbours in one chunk joined if no word stands between them."""
    result: list[Match] = []
    for match in matches:
        last = result[-2:]
        if (
            match.chunk is not None
            and [one.chunk for one in last] == [match.chunk, None]
            and not count_words(answer[slice(*last[1][:2])])
        ):
            result[-2:] = [Match(last[0].start, match.end, match.chunk)]
        else:
            result.append(match)
    return result


def count_quoted(answer: str, matches: Sequence[Match]) -> dict[int, int]:
    """Find the words of the answer that stand in each chunk, by its number."""
    words: dict[int, int] = defaultdict(int)
    for start, end, chunk in matches:
        if chunk is not None:
            words[chunk] += count_words(answer[start:end])
    return dict(words)
