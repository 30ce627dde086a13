"""A fact in the text around it, and the cut before it."""

from __future__ import annotations

from collections.abc import Sequence

from synth.coverage import ChunkCoverage
from synth.quality import Cut, Place
from ui.look.escape import escape

_AROUND = 220  # characters on each side of a fact
_WORD = 20  # characters within which a word ends


def marked_html(text: str, places: Sequence[Place], kind: str, label: str = "") -> str:
    """The text around the first of these places, with the places in it marked.

    `kind` is "context" or "answer"; `label` says where the text comes from.
    """
    first = places[0]
    start, end = _at_a_word(text, first.start - _AROUND), min(len(text), first.end + _AROUND)
    parts, at = [], start
    for place in places:
        if place.number == first.number and start <= place.start and place.end <= end:
            parts.append(escape(text[at : place.start]))
            parts.append(f'<b class="fact">{escape(text[place.start : place.end])}</b>')
            at = place.end
    parts.append(escape(text[at:end]))
    inner = "… " * (start > 0) + "".join(parts) + " …" * (end < len(text))
    tag = f'<bdi class="from from-{kind}">{escape(label)}</bdi>' if label else ""
    return f'<div class="prompt" dir="auto">{tag}<span class="s-{kind}">{inner}</span></div>'


def cut_html(chunks: Sequence[ChunkCoverage], cut: Cut, place: Place) -> str:
    """The end of the text that was sent, and the text up to the fact, which was not."""
    last, fact = chunks[cut.chunk - 1], chunks[place.number - 1]
    start = _at_a_word(last.text, cut.at - _AROUND // 2)
    sent = "… " * (start > 0) + last.text[start : cut.at]
    parts = [_tag(cut.chunk), f'<span class="s-context">{escape(sent)}</span>']
    end = place.end + _AROUND // 2
    after = fact.text[place.end : end] + " …" * (end < len(fact.text))
    begins = cut.at if cut.chunk == place.number else 0
    between = fact.text[begins : place.start]
    if cut.chunk != place.number:
        parts.append(_lost(_ends(last.text[cut.at :])))
        parts.append(_tag(place.number))
    words = f'<b class="fact">{escape(fact.text[place.start : place.end])}</b>'
    if place.start < cut.at and cut.chunk == place.number:  # the cut goes through the fact
        words, between = f'<b class="fact">{escape(fact.text[cut.at : place.end])}</b>', ""
    parts.append(f'<span class="lost-text">{escape(_ends(between))}{words}{escape(after)}</span>')
    return f'<div class="prompt" dir="auto">{"".join(parts)}</div>'


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


def _tag(chunk: int) -> str:
    return f'<bdi class="from from-context">chunk {chunk}</bdi>'


def _lost(text: str) -> str:
    return f'<span class="lost-text">{escape(text)}</span>'
