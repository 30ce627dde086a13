"""The word diff of two answers as HTML."""

from __future__ import annotations

from synth.text.diff import TOO_DIFFERENT, Change, Diff, split_words
from ui.look.escape import answer_html
from ui.look.html import Html, tag, together

_TAGS: dict[Change, str] = {"added": "ins", "dropped": "del"}


def diff_html(diff: Diff) -> Html:
    """The new answer with its changes marked, or without marks if there are too many changes."""
    if not diff.readable:
        new = "".join(piece.text for piece in diff.pieces if piece.kind != "dropped")
        return tag("div.small.muted", TOO_DIFFERENT) + answer_html(new)
    parts, before = [], ""
    for kind, text, _ in diff.pieces:
        parts += [" " * _need_space(before[-1:] + text[:1]), _marked(kind, text)]
        before = text
    return tag("div.answer", *parts, dir="auto")


def _need_space(edge: str) -> bool:
    """True if two pieces that are neighbours only in the diff would read as one word."""
    words = split_words(edge)
    one_word = len(words) == 1 and len(words[0].text) == 2
    return one_word or (len(edge) == 2 and edge[0] in ".!?,;:" and edge[1].isalnum())


def _marked(kind: Change, text: str) -> Html:
    """A piece in its tag; white space stays outside, shortened to one space in a dropped piece."""
    bare = text.strip()
    head, tail = text[: text.index(bare)], text[text.index(bare) + len(bare) :]
    if kind == "dropped":
        head, tail = " " * bool(head), " " * bool(tail)
    marked = tag(_TAGS[kind], bare) if kind in _TAGS else bare
    return together((head, marked, tail))
