"""A fact in the text around it, and the cut before it."""

from __future__ import annotations

from collections.abc import Sequence

from synth.quality import Cut, Place
from synth.runs.coverage import ChunkCoverage
from ui.look.escape import from_html
from ui.look.html import Html, tag

_AROUND = 220  # characters on each side of a fact
_WORD = 20  # characters within which a word ends


def marked_html(text: str, places: Sequence[Place], kind: str, label: str = "") -> Html:
    """The text around the first of these places, with the places in it marked.

    `kind` is "context" or "answer"; `label` says where the text comes from.
    """
    first = places[0]
    start, end = _at_a_word(text, first.start - _AROUND), min(len(text), first.end + _AROUND)
    parts, at = ["… " * (start > 0)], start
    for place in places:
        if place.number == first.number and start <= place.start and place.end <= end:
            parts += [text[at : place.start], _fact(text[place.start : place.end])]
            at = place.end
    parts += [text[at:end], " …" * (end < len(text))]
    source = from_html(label, kind) if label else ""
    return tag("div.prompt", source, tag(f"span.s-{kind}", *parts), dir="auto")


def cut_html(chunks: Sequence[ChunkCoverage], cut: Cut, place: Place) -> Html:
    """The end of the text that was sent, and the text up to the fact, which was not."""
    last, fact = chunks[cut.chunk - 1], chunks[place.number - 1]
    start = _at_a_word(last.text, cut.at - _AROUND // 2)
    sent = "… " * (start > 0) + last.text[start : cut.at]
    parts = [_tag(cut.chunk), tag("span.s-context", sent)]
    end = place.end + _AROUND // 2
    after = fact.text[place.end : end] + " …" * (end < len(fact.text))
    begins = cut.at if cut.chunk == place.number else 0
    between = fact.text[begins : place.start]
    if cut.chunk != place.number:
        parts += [tag("span.lost-text", _ends(last.text[cut.at :])), _tag(place.number)]
    words = _fact(fact.text[place.start : place.end])
    if place.start < cut.at and cut.chunk == place.number:  # the cut goes through the fact
        words, between = _fact(fact.text[cut.at : place.end]), ""
    parts.append(tag("span.lost-text", _ends(between), words, after))
    return tag("div.prompt", *parts, dir="auto")


def _fact(text: str) -> Html:
    return tag("b.fact", text)


def _at_a_word(text: str, start: int) -> int:
    """The start of the next word, if one is near; Chinese has no spaces."""
    if start <= 0:
        return 0
    space = text.find(" ", start, start + _WORD)
    return start if space < 0 else space + 1


def _ends(text: str) -> str:
    """The text, or its two ends."""
    if len(text) <= _AROUND:
        return text
    return f"{text[: _AROUND // 2]} … {text[-_AROUND // 2 :]}"


def _tag(chunk: int) -> Html:
    return from_html(f"chunk {chunk}", "context")
