"""Sentences, prompts and other texts as HTML, with the classes of `text.css`, and terms explained.

Folds are `<details>`, which need no script. Foreign text has the direction of its first letter
(`dir="auto"`); words of ours in it stand in a `<bdi>`, which that direction does not depend on,
and so does what our sentences quote. What explains a term stands in glossary.toml.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from synth.html.markup import Html, escape, kind_name, tag, together
from synth.pictures.scene import MEANINGS
from synth.prompts.prompt import Prompt, Span, SpanKind
from synth.runs.coverage import CoverageKind
from synth.text.spans import Origin, Text
from synth.text.tokenizer import Tokenizer
from synth.text.wording import Bold, Tag


class Term(NamedTuple):
    """The sentence that explains a term, and its name in LlamaIndex, if it has one there."""

    meaning: str
    api_name: str = ""


_FILE = Path(__file__).with_name("glossary.toml").read_text("utf-8")
TERMS: Mapping[str, Term] = {name: Term(**row) for name, row in tomllib.loads(_FILE).items()}
"""Every term of the vocabulary, in the singular."""

# Single words would be underlined in every sentence; only a level is rare enough.
_IN_SENTENCES = sorted((name for name in TERMS if " " in name or name == "level"), key=len)
_FOUND = re.compile(rf"\b({'|'.join(reversed(_IN_SENTENCES))})(s?)\b")


def help_of(name: str) -> str:
    """Return the explanation of a term as Markdown, for the `help` of a widget."""
    meaning, api_name = TERMS[name]
    return f"{meaning} In LlamaIndex: `{api_name}`." if api_name else meaning


def term_html(word: str) -> Html:
    """Return a word of ours as HTML, explained on hover and on keyboard focus if it is a term."""
    name = word if word in TERMS else word.removesuffix("s")
    return _explain(name, word) if name in TERMS else escape(word)


def with_terms(text: str, explained: set[str]) -> Html:
    """Return the text as HTML, with each term in it explained where it stands first.

    The terms that are found are added to `explained`; those in it are left as they are.
    """
    parts, end = [], 0
    for match in _FOUND.finditer(text):
        if (name := match[1]) not in explained:
            explained.add(name)
            parts += [text[end : match.start()], _explain(name, match[0])]
            end = match.end()
    return together([*parts, text[end:]])


def _explain(name: str, word: str) -> Html:
    meaning, api_name = TERMS[name]
    text = f"{meaning} In LlamaIndex: {api_name}." if api_name else meaning
    return tag("dfn", word, tabindex="0", aria_description=text)


FOLD_FROM = 200
"""The length in characters from which a piece of a prompt is folded to its beginning."""

_FOLDED = {kind for kind in SpanKind if kind.folds}
_KEY_WORDS = {name: meaning.label for name, meaning in MEANINGS.items()} | {
    "sent": "sent once",
    "twice": "sent twice",
    "cached": "cached",
}
_MISSING = {"lost": "span.lost-text", "unread": "span.unread-text"}
_FROM_THE_RIGHT = re.compile("“([^”]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc][^”]*)”")


def name_html(name: str) -> Html:
    """Write a name that breaks after an underscore where it has no room: "tree_", "summarize"."""
    return Html("_<wbr>").join(name.split("_"))


def sentence_html(parts: Iterable[str], style: str = "lede") -> Html:
    """Write a sentence made of plain parts and `Bold` ones.

    `style` is its class: "lede"; "headline" in the row below the menu, with large `Bold` parts; or
    "small.muted".
    """
    explained: set[str] = set()
    return tag(f"div.{style}.num", *(_part(part, explained) for part in parts))


def words_html(words: str | Html) -> Html:
    """Write words of ours; what they quote from right to left changes nothing around it."""
    return Html(_FROM_THE_RIGHT.sub(r"“<bdi>\1</bdi>”", str(escape(words))))


def _part(part: str, explained: set[str]) -> Html:
    text = words_html(with_terms(part, explained))
    return tag("b", text) if isinstance(part, Bold) else text


def section_html(text: str) -> Html:
    """Write a small heading."""
    return tag("div.section.num", text)


def level_html(level: Literal["error", "warning"], head: str) -> Html:
    """Write the heading of a problem, in bold, behind the sign of its level."""
    return tag(f"b.level.{level}", head)


def counting_tag(tokenizer: Tokenizer) -> Tag:
    """Write how sure the counts of a tokenizer are: the first tag of all that they are said in."""
    return tokenizer.counting, "sure" if tokenizer.sure else "estimate"


def tags_html(tags: Iterable[Tag]) -> Html:
    """Write outlined tags: a solid outline for what is certain, a dashed one for an estimate."""
    return tag("div.tags.num", *(tag(f"span.tag.{kind}", text) for text, kind in tags))


def legend_html(kinds: Sequence[str], estimated: bool = False) -> Html:
    """Write the legend of a page: a swatch and a word a meaning, also for `sent` and `twice`."""
    swatches = [(kind, _KEY_WORDS[kind]) for kind in kinds]
    if estimated:
        swatches.append(("estimate", "estimate: dashed"))
    items = (tag("span", tag(f"i.k-{kind_name(kind)}"), term_html(word)) for kind, word in swatches)
    return tag("div.key", *items)


def answer_html(text: str) -> Html:
    """Write an answer as plain text, in its own reading direction."""
    return tag("div.answer", text, dir="auto")


def chunk_html(parts: Iterable[tuple[str, CoverageKind]]) -> Html:
    """Write a chunk in parts: text that was read is tinted, what is missing has its sign."""
    spans = (tag(_MISSING.get(kind, "span.s-context"), text) for text, kind in parts)
    return tag("div.prompt", *spans, dir="auto")


def prompt_html(prompt: Prompt, fold: bool = True, tokenizer: Tokenizer | None = None) -> Html:
    """Write a prompt in which every span has the tint of its kind and a tag with its origin.

    A prompt is shown as the model of the tokenizer reads it, if one is given. With `fold`, long
    chunks, answers and variables show their beginning and the size of the rest: in tokens of
    the tokenizer, else in characters.
    """
    read = () if tokenizer is None else prompt.read_by(tokenizer)
    if any(span.kind == SpanKind.FRAME and len(span.text) for span in read):
        return tag("div.prompt", *(_span_html(span, fold, tokenizer) for span in read))
    parts: list[Html] = []
    for message in prompt.messages:
        if prompt.is_chat:
            parts.append(tag("div.role", message.role))
        parts += [_span_html(span, fold, tokenizer) for span in message.spans]
    return tag("div.prompt", *parts)


def _span_html(span: Span, fold: bool, tokenizer: Tokenizer | None) -> Html:
    """The span as its pieces: each chunk or answer in it, and the separators between them."""
    kind = SpanKind.TEMPLATE if span.kind == SpanKind.SYSTEM else span.kind
    placed, whole, position = span.text.placed, str(span.text), 0
    extents = _extents(span.text)
    parts = []
    for begin, origin in placed:
        parts.append(_tint(whole[position:begin], "template"))
        position = begin + origin.end - origin.start
        source = "context" if origin.kind == "chunk" else "answer"
        parts.append(_origin(origin, extents[origin.kind, origin.number], source))
        parts.append(_tint(whole[begin:position], source, fold, tokenizer))
    left = "template" if placed else kind
    return together([*parts, _tint(whole[position:], left, fold, tokenizer)])


def _tint(text: str, kind: str, fold: bool = False, tokenizer: Tokenizer | None = None) -> Html:
    if not text:
        return Html()
    long = fold and kind in _FOLDED and len(text) >= FOLD_FROM
    inner = _fold(text, tokenizer) if long else text
    return tag(f"span.s-{kind_name(kind)}", inner, dir="auto")


def _extents(text: Text) -> dict[tuple[str, int], tuple[int, int]]:
    """The first start and last end of each source in the document of the text, in characters."""
    extents: dict[tuple[str, int], tuple[int, int]] = {}
    for _, (kind, number, start, end) in text.document.segments:
        first, last = extents.get((kind, number), (start, end))
        extents[kind, number] = min(first, start), max(last, end)
    return extents


def _origin(origin: Origin, extent: tuple[int, int], kind: str) -> Html:
    """Where a text of this kind ("context" or "answer") comes from, as a plate before it."""
    cut = (origin.start > extent[0], origin.end < extent[1])
    part = {(True, False): ", end", (False, True): ", start", (True, True): ", middle"}
    word = "chunk" if origin.kind == "chunk" else "call"
    return tag(f"bdi.from.from-{kind}", f"{word} {origin.number}{part.get(cut, '')}")


def _fold(text: str, tokenizer: Tokenizer | None) -> Html:
    """The words in the first 140 characters, and the rest in a fold that gives its size."""
    head = text[:140].rsplit(" ", 1)[0] or text[:140]
    rest = text[len(head) :]
    size = len(rest) if tokenizer is None else tokenizer.count(rest)
    unit = "characters" if tokenizer is None else "tokens"
    more = tag("span.fold.num", f"{size:,} more {unit}")
    return tag("details", tag("summary", head, more), rest)
