"""Sentences, prompts and other texts as HTML, with the classes of `text.css`, and terms explained.

Foreign text has the direction of its first letter
(`dir="auto"`); words of ours in it stand in a `<bdi>`, which that direction does not depend on,
and so does what our sentences quote. What explains a term stands in glossary.toml.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from synth.html.markup import Html, escape, kind_name, tag, together
from synth.pictures.scene import FATES, MEANINGS
from synth.prompts.prompt import Prompt, Span, SpanKind
from synth.runs.coverage import CoverageKind
from synth.text.tokenizer import Tokenizer
from synth.text.wording import Bold


class Term(NamedTuple):
    """The sentence that explains a term, and its name in LlamaIndex, if it has one there."""

    meaning: str
    api_name: str = ""


_FILE = Path(__file__).with_name("glossary.toml").read_text("utf-8")
TERMS: Mapping[str, Term] = {name: Term(**row) for name, row in tomllib.loads(_FILE).items()}
"""Every term of the vocabulary, in the singular."""


def help_of(name: str) -> str:
    """Return the explanation of a term as Markdown, for the `help` of a widget."""
    meaning, api_name = TERMS[name]
    return f"{meaning} In LlamaIndex: `{api_name}`." if api_name else meaning


def term_html(word: str) -> Html:
    """Return a word of ours as HTML, explained on hover and on keyboard focus if it is a term."""
    term = TERMS.get(word) or TERMS.get(word.removesuffix("s"))
    if term is None:
        return escape(word)
    text = f"{term.meaning} In LlamaIndex: {term.api_name}." if term.api_name else term.meaning
    return tag("dfn", word, tabindex="0", aria_description=text)


_KEY_WORDS = {**MEANINGS, "sent": FATES["context"], "twice": FATES["twice"], "cached": "cached"}
_MISSING = {"lost": "span.lost-text", "unread": "span.unread-text"}
_FROM_THE_RIGHT = re.compile("“([^”]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc][^”]*)”")


def sentence_html(parts: Iterable[str], style: str = "lede") -> Html:
    """Write a sentence made of plain parts and `Bold` ones.

    `style` is its class: "lede"; "headline" in the row below the menu, with large `Bold` parts; or
    "small.muted".
    """
    pairs = ((part, words_html(part)) for part in parts)
    words = (tag("b", text) if isinstance(part, Bold) else text for part, text in pairs)
    return tag(f"div.{style}.num", *words)


def words_html(words: str | Html) -> Html:
    """Write words of ours; what they quote from right to left changes nothing around it."""
    return Html(_FROM_THE_RIGHT.sub(r"“<bdi>\1</bdi>”", str(escape(words))))


def level_html(level: Literal["error", "warning"], head: str) -> Html:
    """Write the heading of a problem, in bold, behind the sign of its level."""
    return tag(f"b.level.{level}", head)


def legend_html(kinds: Sequence[str]) -> Html:
    """Write the legend of a page: a swatch and a word a meaning, also for `sent` and `twice`."""
    swatches = [(kind, _KEY_WORDS[kind]) for kind in kinds]
    items = (tag("span", tag(f"i.k-{kind_name(kind)}"), term_html(word)) for kind, word in swatches)
    return tag("div.key", *items)


def answer_html(text: str) -> Html:
    """Write an answer as plain text, in its own reading direction."""
    return tag("div.answer", text, dir="auto")


def chunk_html(parts: Iterable[tuple[str, CoverageKind]]) -> Html:
    """Write a chunk in parts: text that was read is tinted, what is missing has its sign."""
    spans = (tag(_MISSING.get(kind, "span.s-context"), text) for text, kind in parts)
    return tag("div.prompt", *spans, dir="auto")


def prompt_html(prompt: Prompt, tokenizer: Tokenizer | None = None) -> Html:
    """Write a prompt in which every span has the tint of its kind and a tag with its origin.

    It is shown as the model of the tokenizer reads it, if one is given.
    """
    read = () if tokenizer is None else prompt.read_by(tokenizer)
    if any(span.kind == SpanKind.FRAME and len(span.text) for span in read):
        return tag("div.prompt", *map(_span_html, read))
    parts: list[Html] = []
    for message in prompt.messages:
        if prompt.is_chat:
            parts.append(tag("div.role", message.role))
        parts += map(_span_html, message.spans)
    return tag("div.prompt", *parts)


def _span_html(span: Span) -> Html:
    """The span as its pieces: each chunk or answer in it, and the separators between them."""
    kind = SpanKind.TEMPLATE if span.kind == SpanKind.SYSTEM else span.kind
    placed, whole, position = span.text.placed, str(span.text), 0
    parts = []
    for begin, origin in placed:
        parts.append(_tint(whole[position:begin], "template"))
        position = begin + origin.end - origin.start
        name, kind_of = ("chunk", "context") if origin.kind == "chunk" else ("call", "answer")
        parts.append(tag(f"bdi.from.from-{kind_of}", f"{name} {origin.number}"))
        parts.append(_tint(whole[begin:position], kind_of))
    left = "template" if placed else kind
    return together([*parts, _tint(whole[position:], left)])


def _tint(text: str, kind: str) -> Html:
    return tag(f"span.s-{kind_name(kind)}", text, dir="auto") if text else Html()
