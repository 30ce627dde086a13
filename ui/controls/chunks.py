"""The chunks: their heading and sources, the choice of those sent, and their list."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

import streamlit as st

from synth.documents.decoding import MOST_CHUNKS
from synth.html.markup import Html, tag
from synth.quality.samples import SAMPLES, Sample
from synth.runs.coverage import ChunkCoverage
from synth.runs.trace import Plan, Trace
from synth.text.wording import counted, short
from ui.controls import input_changes, own_text
from ui.look.elements import label_text, small
from ui.look.scripts import MOST_EDITED, draw_chunk_list, mark_chunks
from ui.plans.plan_range import PageInputs, plan_range
from ui.runs.job import Job
from ui.session import keys, parts
from ui.settings import model, state
from ui.settings.request import Request, order, token_counts
from ui.settings.schema import Chunk, Chunks, Settings, from_texts
from ui.views import fact_line

Shown = Callable[[PageInputs], Job | None]
"""The run that the page shows; None while it shows the plan."""


class ChunkRow(NamedTuple):
    """A chunk in the list: its place, its number among those that are sent, its score if ranked.

    It has no number where it is switched off, or left out by a choice of the best.
    """

    place: int
    number: int | None
    score: float | None


def draw(inputs: PageInputs, shown: Shown) -> None:
    """Draw the heading with its two menus, the choice of chunks, and their list."""
    parts.part("chunks", inputs, _values, _draw)
    parts.part("chunk marks", inputs, partial(_marked, shown), partial(_mark, shown))


def _values(inputs: PageInputs) -> tuple[Chunks, tuple[Any, ...]]:
    """The chunks, and the other settings on which their heading, list and order depend."""
    settings = inputs.settings
    ranked = settings.selection == "top"
    ranking = (settings.query_str, settings.similarity_top_k) if ranked else ()
    counted_by = model.tokenizer(settings), settings.count_factor
    return settings.chunks, (counted_by, ranked, *ranking)


def _draw(inputs: PageInputs, values: tuple[Chunks, tuple[Any, ...]]) -> None:
    chunks, (counted_by, *_) = values
    tokens = token_counts(chunks, *counted_by)
    rows = _rows(inputs.settings)
    with st.container(horizontal=True, vertical_alignment="center", key="chunks_head"):
        st.html(_size(tokens, rows), width="stretch")
        _choice(inputs.settings, sum(chunk.on for chunk in chunks))
        own_text.draw(inputs)
        with st.popover("Samples", type="tertiary"):
            for sample in SAMPLES:
                st.button(sample.title, on_click=_load, args=(sample,), width="stretch")
                small(sample.note)
    own_text.draw_result(inputs)
    if chunks:
        _draw_list(inputs.settings, tokens, rows)
    with st.container(horizontal=True, key="chunks_foot"):
        st.button(
            "Add a chunk",
            icon=":material/add:",
            type="tertiary",
            disabled=len(chunks) >= MOST_CHUNKS,
            on_click=input_changes.add,
            args=(chunks,),
        )
        if changes := input_changes.list_changes():
            st.button(
                f"Undo {label_text(short(changes[-1].label, _LABEL))}",
                icon=":material/undo:",
                key="undo_chunks",
                type="tertiary",
                on_click=input_changes.undo,
            )


def _size(tokens: list[int], rows: list[ChunkRow]) -> Html:
    """How many chunks there are with how many tokens, and how many of them are sent."""
    sent = [row for row in rows if row.number is not None]
    sizes = [f"{len(rows):,}", f"{sum(tokens):,}"]
    if len(sent) < len(rows):
        sent_tokens = sum(tokens[row.place] for row in sent)
        sizes = [f"{len(sent):,} of {sizes[0]}", f"{sent_tokens:,} of {sizes[1]}"]
    words = tag("span.muted", f"{' · '.join(sizes)} tokens")
    return tag("div.num", tag("b", "Chunks"), " ", words)


def _load(sample: Sample) -> None:
    input_changes.change(
        "a sample",
        chunks=from_texts(sample.chunks, "sample"),
        query_str=sample.question,
        context_window=sample.window,
        num_output=sample.num_output,
    )
    st.rerun()


def _choice(settings: Settings, count: int) -> None:
    ranked = settings.selection == "top"
    label = f"Best {settings.similarity_top_k:,}" if ranked else "All in order"
    with st.popover(label, type="tertiary", key="choice"):
        hidden: dict[str, Any] = {"label_visibility": "collapsed"}
        which = "Which chunks are sent"
        state.field(
            "selection", settings, "segmented_control", label=which, required=True, **hidden
        )
        if ranked:
            state.field("similarity_top_k", settings, label="How many", width=130, **hidden)
            small(f"of {count:,}, by BM25")


_LABEL = 40  # characters of what can be undone
_SEARCHED = 20  # chunks; of more, some can be looked for


def _rows(settings: Settings) -> list[ChunkRow]:
    """All chunks in the order of the list; of ranked ones, those that are off stand last."""
    chunks, (positions, scores, sent) = settings.chunks, order(settings)
    numbers = {place: number for number, place in enumerate(positions[:sent], 1)}
    known = dict(zip(positions, scores, strict=True))
    listed = list(range(len(chunks)))
    if settings.selection == "top":
        listed = [*positions, *(place for place in listed if not chunks[place].on)]
    return [ChunkRow(place, numbers.get(place), known.get(place)) for place in listed]


def _draw_list(settings: Settings, tokens: list[int], rows: list[ChunkRow]) -> None:
    chunks, words = settings.chunks, ""
    if len(chunks) > _SEARCHED:
        words = st.text_input(
            "Find in the chunks",
            placeholder="Find in the chunks",
            label_visibility="collapsed",
            icon=":material/search:",
            key="chunk_search",
            live=True,
        )
        words = words.strip().casefold()
        rows = [row for row in rows if words in chunks[row.place].text.casefold()]
    html = _list_html(chunks, tokens, rows, settings.selection == "top")
    numbers = [(row.place, row.number) for row in rows]
    draw_chunk_list(html, numbers, partial(input_changes.take, chunks))
    if not rows:
        small("No chunk has these words.")


def _marked(shown: Shown, inputs: PageInputs) -> tuple[Any, ...]:
    """What the marks in the list depend on: chunks, request, the run that is shown, the fact."""
    job = shown(inputs)
    request = inputs.request if job is None else job.request
    fact = fact_line.typed_fact(request.query_str)
    opened = st.session_state.get(keys.EDITED_CHUNK)
    run = None if job is None else (job.serial, job.running)
    return inputs.settings.chunks, inputs.request, run, fact, opened


def _mark(shown: Shown, inputs: PageInputs, values: tuple[Any, ...]) -> None:
    chunks, *_, opened = values
    job = shown(inputs)
    request = inputs.request if job is None else job.request
    trace = None if job is None or job.running else job.trace
    run = plan_range(request).high if trace is None else trace
    followed = fact_line.find_chunks(request)
    mark_chunks(_marks(chunks, request, run, opened, followed))


_TWO_LINES = 24  # chunks that have two lines each; of more, each has one
_SHOWN = 160  # characters of a chunk
_READ = 1_000  # characters in which these are looked for
_HEADING = re.compile(r"[^\n]{3,48}?(?:[.!?:](?=\s)|[。！？：]|(?=\n))")


def _list_html(
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


def _marks(
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
