"""What became of a text, as HTML: where its words stand in the chunks, and how two texts differ."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from synth.html.escape import answer_html
from synth.html.markup import Html, tag, together
from synth.quality import Mention
from synth.text.diff import TOO_DIFFERENT, Change, Diff
from synth.text.words_and_sentences import count_words, split_words, telling_words, word_runs

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


def provenance_html(
    answer: str,
    matches: Sequence[Match],
    unfounded: Sequence[Mention] = (),
    filled: Sequence[tuple[int, int]] = (),
) -> Html:
    """Write the answer as plain text, with a tint and the chunk's number on each run of its.

    A run has the class `q-` with the number, so that a stylesheet can light it. What is
    `unfounded` has a wavy line, and each stretch of characters that is `filled` a ground.
    """
    lines = [(one.start, one.end, "span.unfounded") for one in unfounded]
    marks = sorted([*lines, *((*edges, "b.fact-words") for edges in filled)])
    parts = []
    for start, end, chunk in matches:
        words = _tag(answer, start, end, marks)
        if chunk is not None:
            source = tag("bdi.source", tag("span.unseen", " chunk "), f"{chunk}")
            words = tag(f"span.q-{chunk}", tag("span.s-context", words), source)
        parts.append(words)
    return tag("div.prompt.tagged", *parts, dir="auto")


def tagged_answer(answer: str, chunks: Sequence[str]) -> Html:
    """Write an answer, tagged with the chunks in which its words stand, and what a tag means."""
    if not answer:
        return tag("div.muted", "The answer is empty.")
    tagged = match_words(answer, chunks)
    note = tag("div.small.muted", NOTE) if any(match.chunk for match in tagged) else Html()
    return provenance_html(answer, tagged) + note


def _tag(answer: str, start: int, end: int, marks: Sequence[tuple[int, int, str]]) -> Html:
    """These characters of the answer as HTML, with the tags of what is marked of them."""
    parts: list[str] = []
    at = start
    for begin, stop, kind in marks:
        first, last = max(begin, at), min(stop, end)
        if first < last:
            parts += [answer[at:first], tag(kind, answer[first:last])]
            at = last
    return together([*parts, answer[at:end]])


_TAGS: dict[Change, str] = {"added": "ins", "dropped": "del"}


def diff_html(diff: Diff) -> Html:
    """Write the new answer with its changes marked, without marks if there are too many."""
    if not diff.readable:
        new = "".join(piece.text for piece in diff.pieces if piece.kind != "dropped")
        return tag("div.small.muted", TOO_DIFFERENT) + answer_html(new)
    parts: list[str] = []
    before = ""
    for kind, text, _ in diff.pieces:
        if _reads_as_one(before[-1:] + text[:1]):
            parts.append(" ")
        parts.append(_mark_words(kind, text))
        before = text
    return tag("div.answer", *parts, dir="auto")


def _reads_as_one(edge: str) -> bool:
    """True if two pieces that are neighbours only in the diff would read as one word."""
    words = split_words(edge)
    one_word = len(words) == 1 and len(words[0].text) == 2
    return one_word or (len(edge) == 2 and edge[0] in ".!?,;:" and edge[1].isalnum())


def _mark_words(kind: Change, text: str) -> Html:
    """A piece in its tag; white space stays outside, shortened to one space in a dropped piece."""
    bare = text.strip()
    head, tail = text[: text.index(bare)], text[text.index(bare) + len(bare) :]
    if kind == "dropped":
        head, tail = (" " if white else "" for white in (head, tail))
    marked = tag(_TAGS[kind], bare) if kind in _TAGS else bare
    return together((head, marked, tail))
