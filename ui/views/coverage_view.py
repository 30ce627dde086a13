"""The view Coverage: the text of each chunk that is sent once, several times, or cut off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import streamlit as st

from synth.coverage import ChunkCoverage
from synth.trace import Plan, Trace
from synth.wording import counted, listed, numbered, percent
from ui.figures import coverage_alt, coverage_strips
from ui.look.elements import chart, section, sentence, small
from ui.look.escape import chunk_html, legend_html, marked
from ui.session import keys
from ui.views.shared import RunView, drawable

Time = Literal["planned", "unfinished", "ended"]
_LOST: dict[Time, str] = {
    "planned": "**{mode}** would cut off {chunks}: **{lost} of {total}, {share}.**",
    "unfinished": "**{mode}** has not sent {chunks} yet: **{lost} of {total}, {share}.**",
    "ended": "**{mode}** cut off {chunks}: **{lost} of {total}, {share}.**",
}
_NOTHING_LOST: dict[bool, str] = {
    True: "**Nothing is cut off:** {sent} of {total} would be sent.",
    False: "**Nothing is cut off:** {sent} of {total} sent.",
}
_TWICE: dict[bool, str] = {
    True: " {tokens} would go into more than one call.",
    False: " {tokens} went into more than one call.",
}


def draw(view: RunView) -> None:
    """Draw the coverage of all chunks, and the text of one of them."""
    chunks = view.run.coverage
    mode = view.run.setup.mode
    sentence(
        view.remembered(
            "coverage sentence", lambda: coverage_sentence(mode, chunks, _time(view.run))
        )
    )
    if not chunks or not drawable(view):
        return
    st.html(legend_html(_kinds(chunks)))
    figure = view.remembered("coverage", lambda: coverage_strips(chunks, view.look, view.width))
    chart(figure, "coverage", coverage_alt(chunks), _clicked)
    _text(chunks)


def _time(run: Plan | Trace) -> Time:
    if isinstance(run, Plan):
        return "planned"
    return "ended" if run.response is not None else "unfinished"


def _kinds(chunks: Sequence[ChunkCoverage]) -> list[str]:
    """The meanings for the legend of this figure."""
    parts = [part for chunk in chunks for part in chunk.stretches]
    in_figure = {
        "sent": any(len(part.calls) == 1 for part in parts),
        "twice": any(len(part.calls) > 1 for part in parts),
        "lost": any(chunk.lost for chunk in chunks),
    }
    return [kind for kind, present in in_figure.items() if present]


def _clicked(mark: Sequence[Any]) -> None:
    st.session_state[keys.OPEN_CHUNK] = int(mark[0])


def _text(chunks: Sequence[ChunkCoverage]) -> None:
    """The text of the clicked chunk, or else of the first chunk that is cut off."""
    first = next((chunk.number for chunk in chunks if chunk.lost), 1)
    number = max(1, min(int(st.session_state.get(keys.OPEN_CHUNK, first)), len(chunks)))
    st.session_state[keys.OPEN_CHUNK] = number
    st.number_input("Chunk to read", 1, len(chunks), key=keys.OPEN_CHUNK, width=150)
    chunk = chunks[number - 1]
    lost = f"{chunk.lost_tokens:,} of {chunk.tokens:,} tokens are cut off"
    with st.container(border=True):
        section(f"Chunk {number}: {lost if chunk.lost else 'all of it is sent'}")
        lost_parts = {(part.start, part.end) for part in chunk.lost}
        parts = [
            (chunk.text[start:end], (start, end) in lost_parts)
            for start, end, *_ in chunk.stretches
        ]
        st.html(chunk_html(parts))
    small("Click a strip to read its chunk.")


def coverage_sentence(mode: str, chunks: Sequence[ChunkCoverage], time: Time) -> list[str]:
    """The sentence about text that is cut off, with its chunks, its tokens and their share."""
    lost, total = sum(chunk.lost_tokens for chunk in chunks), sum(chunk.tokens for chunk in chunks)
    twice = sum(chunk.repeated_tokens for chunk in chunks)
    planned = time == "planned"
    again = marked(_TWICE[planned], tokens=counted(twice, "token")) if twice else []
    tokens = counted(total, "token")
    if not lost:
        return [*marked(_NOTHING_LOST[planned], sent=f"{total:,}", total=tokens), *again]
    sentence = marked(
        _LOST[time],
        mode=mode,
        chunks=_named(chunks),
        lost=f"{lost:,}",
        total=tokens,
        share=percent(lost, total),
    )
    return [*sentence, *again]


def _named(chunks: Sequence[ChunkCoverage]) -> str:
    """The chunks that are cut off, such as "the end of chunk 8 and chunks 9 to 12"."""
    cut = [chunk for chunk in chunks if chunk.lost]
    whole = [chunk.number for chunk in cut if not any(part.calls for part in chunk.stretches)]
    words = [_part(chunk) for chunk in cut if chunk.number not in whole]
    words += [numbered("chunk", whole)] if whole else []
    if len(words) > 3:
        return f"{counted(len(cut), 'chunk')} or parts of them"
    return listed(words)


def _part(chunk: ChunkCoverage) -> str:
    """The part of a chunk that is cut off, such as "the end of chunk 8"."""
    last, first = chunk.stretches[-1] in chunk.lost, chunk.stretches[0] in chunk.lost
    if len(chunk.lost) > 1 or not (first or last):
        return f"parts of chunk {chunk.number}"
    return f"the {'end' if last else 'start'} of chunk {chunk.number}"
