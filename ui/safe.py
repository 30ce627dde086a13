"""The one place that turns text into HTML.

Questions, chunks, templates and answers are other people's text. Here they are escaped,
and the characters that could reorder or break the page are shown as code points. What
comes out is meant for `st.html`, with the classes of `ui/style.py`; the folds are
`<details>`, so that they open without a rerun.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from synth.prompts import Prompt, Span
from synth.spans import Origin, Text
from synth.tokens import Tokenizer
from ui.theme import MEANINGS

FOLD_FROM = 200
"""Characters from which a piece of a prompt is folded to its first sentence."""

_FOLDED = ("context", "answer", "variable")
_KEY_WORDS = {name: meaning.label for name, meaning in MEANINGS.items()} | {
    "reserved": "reserved",
    "free": "padding, free",
    "sent": "sent once",
    "twice": "sent twice",
}
# Controls other than tab and line ends, direction embeddings, overrides and isolates, and
# halves of surrogate pairs, which no encoder accepts.
_UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_SENTENCE = re.compile(r".{20,180}?(?:[.!?…](?=\s)|[。！？])", re.DOTALL)


class Bold(str):
    """A part of a sentence that is set in bold."""

    __slots__ = ()


def visible(text: str) -> str:
    """The text with unsafe control characters as code points, such as ⟨U+202E⟩."""
    return _UNSAFE.sub(lambda match: f"⟨U+{ord(match.group()):04X}⟩", text)


def escape(text: str) -> str:
    """The text as HTML that shows exactly this text."""
    return html.escape(visible(text))


def plot_text(text: str, limit: int = 24) -> str:
    """The text as one short line for Plotly, which reads tags and formulas in its labels."""
    line = " ".join(text.split())
    short = line if len(line) <= limit else line[: limit - 1] + "…"
    return escape(short).replace("$", "&#36;")


def sentence_html(parts: Iterable[str]) -> str:
    """The page's sentence: plain parts, and `Bold` ones."""
    return f'<div class="lede num">{"".join(map(_part, parts))}</div>'


def _part(part: str) -> str:
    return f"<b>{escape(part)}</b>" if isinstance(part, Bold) else escape(part)


def tags_html(tags: Iterable[tuple[str, Literal["exact", "estimate"]]]) -> str:
    """Small outlined tags: a solid outline for what is exact, a dashed one for an estimate."""
    shown = (f'<span class="tag {kind}">{escape(text)}</span>' for text, kind in tags)
    return f'<div class="tags num">{"".join(shown)}</div>'


def key_html(kinds: Sequence[str], estimated: bool = False) -> str:
    """The key of a page: a swatch and a word for each meaning, also `sent` and `twice`."""
    swatches = [(kind, _KEY_WORDS[kind]) for kind in kinds]
    if estimated:
        swatches.append(("estimate", "estimate: dashed"))
    items = (f'<span><i class="k-{kind}"></i>{word}</span>' for kind, word in swatches)
    return f'<div class="key">{"".join(items)}</div>'


def answer_html(text: str) -> str:
    """An answer as plain text, in its own reading direction."""
    return f'<div class="answer" dir="auto">{escape(text)}</div>'


def prompt_html(prompt: Prompt, fold: bool = True, tokenizer: Tokenizer | None = None) -> str:
    """A prompt with every span tinted by what it is and tagged with where it comes from.

    With `fold`, long chunks, answers and variables show their first sentence and how much
    more there is: in tokens if a tokenizer is given, else in characters.
    """
    parts = []
    for message in prompt.messages:
        if prompt.is_chat:
            parts.append(f'<div class="role">{escape(message.role)}</div>')
        parts += [_span_html(span, fold, tokenizer) for span in message.spans]
    return f'<div class="prompt">{"".join(parts)}</div>'


def _span_html(span: Span, fold: bool, tokenizer: Tokenizer | None) -> str:
    kind = "template" if span.kind == "system" else span.kind
    foldable = fold and kind in _FOLDED
    return "".join(
        f'{tag}<span class="s-{kind if tinted else "template"}">'
        f"{_folded(text, tokenizer) if foldable else escape(text)}</span>"
        for tag, text, tinted in _pieces(span.text, kind)
    )


def _pieces(text: Text, kind: str) -> Iterator[tuple[str, str, bool]]:
    """The (tag, characters, is it the text itself) of a span: its origins and what joins them."""
    placed, whole = text.placed, str(text)
    if not placed:
        yield "", whole, True
        return
    at, extents = 0, _extents(text)
    for begin, origin in placed:
        if begin > at:
            yield "", whole[at:begin], False
        at = begin + origin.end - origin.start
        yield _tag(origin, extents, kind), whole[begin:at], True
    if at < len(whole):
        yield "", whole[at:], False


def _extents(text: Text) -> dict[tuple[str, int], tuple[int, int]]:
    """First and last character of every source in the document that the text is a view of."""
    found: dict[tuple[str, int], tuple[int, int]] = {}
    for _, (kind, number, start, end) in text.document.segments:
        first, last = found.get((kind, number), (start, end))
        found[kind, number] = min(first, start), max(last, end)
    return found


def _tag(origin: Origin, extents: dict[tuple[str, int], tuple[int, int]], kind: str) -> str:
    first, last = extents[origin.kind, origin.number]
    word = "chunk" if origin.kind == "chunk" else "call"
    place = {
        (False, False): "",
        (True, False): ", end",
        (False, True): ", start",
        (True, True): ", middle",
    }[origin.start > first, origin.end < last]
    return f'<span class="from from-{kind}">{word} {origin.number}{place}</span>'


def _folded(text: str, tokenizer: Tokenizer | None) -> str:
    if len(text) < FOLD_FROM:
        return escape(text)
    head = _first_sentence(text)
    rest = text[len(head) :]
    more = (
        f"{tokenizer.count(rest):,} more tokens" if tokenizer else f"{len(rest):,} more characters"
    )
    return (
        f'<details><summary>{escape(head)}<span class="fold num">{more}</span></summary>'
        f"{escape(rest)}</details>"
    )


def _first_sentence(text: str) -> str:
    """The first sentence, or where it is too long, the words of the first 140 characters."""
    if found := _SENTENCE.match(text):
        return found.group()
    return text[:140].rsplit(" ", 1)[0] or text[:140]
