"""The word diff of two answers as HTML."""

from __future__ import annotations

from synth.word_diff import TOO_DIFFERENT, Change, Diff, split_words
from ui.look.escape import answer_html, escape

_TAGS: dict[Change, str] = {"added": "ins", "dropped": "del"}


def diff_html(diff: Diff) -> str:
    """The new answer with its changes marked, or without marks if there are too many changes."""
    if not diff.readable:
        new = "".join(piece.text for piece in diff.pieces if piece.kind != "dropped")
        return f'<div class="small muted">{TOO_DIFFERENT}</div>{answer_html(new)}'
    html, before = "", ""
    for kind, text, _ in diff.pieces:
        html += " " * _need_space(before[-1:] + text[:1]) + _marked(kind, text)
        before = text
    return f'<div class="answer" dir="auto">{html}</div>'


def _need_space(edge: str) -> bool:
    """True if two pieces that are neighbours only in the diff would read as one word."""
    words = split_words(edge)
    one_word = len(words) == 1 and len(words[0].text) == 2
    return one_word or (len(edge) == 2 and edge[0] in ".!?,;:" and edge[1].isalnum())


def _marked(kind: Change, text: str) -> str:
    """A piece in its tag; white space stays outside, shortened to one space in a dropped piece."""
    bare = text.strip()
    head, tail = text[: text.index(bare)], text[text.index(bare) + len(bare) :]
    if kind == "dropped":
        head, tail = " " * bool(head), " " * bool(tail)
    tag = _TAGS.get(kind)
    marked = f"<{tag}>{escape(bare)}</{tag}>" if tag else escape(bare)
    return f"{escape(head)}{marked}{escape(tail)}"
