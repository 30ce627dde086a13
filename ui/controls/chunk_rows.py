"""The list of chunks as HTML, and what is marked in it: what is sent of each, the open chunk."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from synth.html.markup import Html, tag
from synth.runs.coverage import ChunkCoverage
from synth.runs.trace import Plan, Trace
from synth.text.wording import counted, short
from ui.look.scripts import MOST_EDITED
from ui.settings.chunk_list import Chunk, Chunks
from ui.settings.request import Request

_TWO_LINES = 24  # chunks that have two lines each; of more, each has one
_SHOWN = 160  # characters of a chunk
_READ = 1_000  # characters in which these are looked for
_HEADING = re.compile(r"[^\n]{3,48}?(?:[.!?:](?=\s)|[。！？：]|(?=\n))")


class ChunkRow(NamedTuple):
    """A chunk in the list: its place, its number among those that are sent, its score if ranked.

    It has no number where it is switched off, or left out by a choice of the best.
    """

    place: int
    number: int | None
    score: float | None


def list_html(
    chunks: Chunks, tokens: Sequence[int], rows: Sequence[ChunkRow], ranked: bool
) -> Html:
    """The list of these rows; a ranked one has scores, and can't be moved."""
    style = ".ranked" if ranked else ".movable"
    if len(chunks) <= _TWO_LINES:
        style += ".two-lines"
    items = (_row_html(chunks[row.place], tokens[row.place], row.score, ranked) for row in rows)
    hint = "Enter opens a chunk. " + ("" if ranked else "Alt with an arrow moves it.")
    head = tag("div.chunk-columns", "score " if ranked else "", tag("b", "tokens"))
    names = {"role": "list", "aria_label": "Chunks", "aria_description": hint}
    return head + tag(f"ol.chunk-list{style}", *items, **names)


@lru_cache(maxsize=10_000)
def _row_html(chunk: Chunk, tokens: int, score: float | None, ranked: bool) -> Html:
    """The texts of a row; what all rows have alike comes from the script, with its number."""
    parts = [tag("button.chunk", _first_words(chunk.text))]
    if ranked:
        parts.append(tag("span.score", "" if score is None else f"{score:.2f}"))
    return tag("li" if chunk.on else "li.off", *parts, tag("span.tokens", f"{tokens:,}"))


def _first_words(text: str) -> Html:
    """The first words, those up to the first sentence mark in bold if there are few."""
    text = text.lstrip()[:_READ]
    heading = _HEADING.match(text)
    end = heading.end() if heading else 0
    bold = tag("b", short(text[:end], _SHOWN)) if end else Html()
    rest = short(text[end:], _SHOWN)
    if not (end or rest):
        rest = tag("span.muted", "empty")
    return tag("span.words", bold, " " if end else "", rest, dir="auto")


def marks(
    chunks: Chunks,
    request: Request,
    run: Plan | Trace | None,
    opened: int | None,
    followed: Iterable[int],
) -> dict[str, Any]:
    """What is marked in the list: the per cent sent of each chunk, those followed, the open one.

    `run` is that of the request, which may have other chunks; `followed` are numbers in it.
    """
    places = dict(enumerate(request.positions, 1))
    sent = [-1] * len(chunks)
    if run is not None and run.calls:
        for chunk in run.coverage:
            place = places.get(chunk.number, len(chunks))
            if place < len(chunks) and chunks[place].text == chunk.text:
                sent[place] = _per_cent(chunk)
    shown = None
    if opened is not None and opened < len(chunks):
        shown = _open(chunks[opened], opened)
    return {
        "sent": sent,
        "followed": [places[number] for number in followed if number in places],
        "open": shown,
    }


def _per_cent(chunk: ChunkCoverage) -> int:
    """How much of a chunk is sent; 0 and 100 are said of nothing and of all alone."""
    lost = sum(part.end - part.start for part in chunk.lost)
    if not lost:
        return 100
    whole = all(chunk.kind(part) == "lost" for part in chunk.stretches)
    return 0 if whole else min(99, max(1, round(100 - 100 * lost / len(chunk.text))))


def _open(chunk: Chunk, place: int) -> dict[str, Any]:
    """What the list shows of the open chunk; its text if it can be edited there."""
    says = []
    length = len(chunk.text)
    if length > MOST_EDITED:
        says.append(f"Too long to edit here: over {MOST_EDITED:,} characters.")
    says += [counted(length, "character"), chunk.source]
    foot = tag("span.muted", " · ".join(says)) + _act("Delete", "delete")
    is_edited = length <= MOST_EDITED
    return {
        "place": place,
        "text": chunk.text if is_edited else None,
        "most": MOST_EDITED,
        "foot": _act("Split here", "split") + foot if is_edited else foot,
    }


def _act(words: str, act: str) -> Html:
    return tag("button", words, type="button", data_act=act)
