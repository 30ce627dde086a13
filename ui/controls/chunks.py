"""The chunks: their heading and sources, the choice of those sent, and their list."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from synth.documents.decoding import MOST_CHUNKS
from synth.html.markup import Html, tag
from synth.quality.samples import SAMPLES, Sample
from ui.controls import chunk_changes, chunk_rows, own_text
from ui.controls.chunk_rows import ChunkRow
from ui.look.elements import small
from ui.look.scripts import draw_chunk_list, mark_chunks
from ui.plans.page_inputs import PageInputs
from ui.plans.plan_range import plan_range
from ui.runs.job import Job
from ui.session import keys, parts
from ui.settings import model, state
from ui.settings.chunk_list import Chunks, from_texts
from ui.settings.request import order, token_counts
from ui.settings.schema import Settings
from ui.views import fact_line

Shown = Callable[[PageInputs], Job | None]
"""The run that the page shows; None while it shows the plan."""


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
            on_click=chunk_changes.add,
            args=(chunks,),
        )
        _undo_button(chunks)


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
    """Take the chunks, the question and the limits of a sample."""
    chunk_changes.change(
        "a sample",
        from_texts(sample.chunks, "sample"),
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


def _undo_button(chunks: Chunks) -> None:
    change = chunk_changes.last()
    if change is not None and change.before != chunks:
        st.button(
            "Undo",
            icon=":material/undo:",
            key="undo_chunks",
            type="tertiary",
            help=f"Undo the last change: {change.label}.",
            on_click=chunk_changes.undo,
        )


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
    html = chunk_rows.list_html(chunks, tokens, rows, settings.selection == "top")
    numbers = [(row.place, row.number) for row in rows]
    draw_chunk_list(html, numbers, partial(chunk_changes.take, chunks))
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
    mark_chunks(chunk_rows.marks(chunks, request, run, opened, followed))
