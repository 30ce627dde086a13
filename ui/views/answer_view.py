"""The view Answer: the answer, tagged with the chunks in which its words stand, and these."""

from collections.abc import Iterable, Mapping

import streamlit as st

from synth.html.escape import sentence_html
from synth.html.markup import Html, tag
from synth.html.provenance import (
    UNFOUNDED_NOTE,
    Match,
    count_quoted,
    match_words,
    provenance_html,
)
from synth.quality import FactPath
from synth.quality.support import find_unfounded
from synth.runs.trace import Trace
from synth.text.wording import counted
from synth.text.words import count_words
from synth.words.fact_words import fact_mark, source_words
from synth.words.plan_words import missing_word, missing_words, sends_chunks
from ui.look.elements import Row, draw_columns, rows_html, section, small
from ui.look.theme import INK, mix
from ui.plans.plan_range import PageInputs
from ui.runs.job import Job
from ui.settings.request import Request
from ui.views import fact_line
from ui.views.run_views import remembered


def draw(trace: Trace, job: Job, inputs: PageInputs) -> None:
    """Draw the answer and the sources."""
    text = trace.response
    found: list[Match] = []
    if text:
        sources = trace.setup.chunks
        found = remembered(trace, "matches", lambda: match_words(text, sources))
    quoted = count_quoted(text or "", found)
    left, right = draw_columns("answer", 7, 5)
    with left:
        if text:
            _answer(trace, text, found, quoted)
        else:
            section("Answer")
            none = "There is no answer: the run did not reach its end."
            empty = "The answer is empty; the sources are the result of this mode."
            small(none if text is None else empty)
        path = fact_line.follow_typed(trace, inputs.settings.chunks)
        if path is not None and fact_mark(path) is None:
            path = None  # it had no way that could be marked
    with right:
        chunks(trace, job.request, quoted if text else None, path)


def _answer(trace: Trace, text: str, found: list[Match], quoted: dict[int, int]) -> None:
    """The answer, below how much of it stands in the chunks."""
    words, found_words = count_words(text), sum(quoted.values())
    share = "all" if words == found_words else f"{found_words:,}" if found_words else "none"
    size = counted(words, "word")
    line = f"{size} · {share} of them word for word in a chunk"
    st.html(sentence_html([line], "small.muted"))
    nowhere = remembered(trace, "unfounded", lambda: find_unfounded(trace)) if trace.calls else ()
    st.html(tag("div.whole-answer", provenance_html(text, found, nowhere)) + lights(quoted))
    if nowhere:
        small(UNFOUNDED_NOTE)


_MOST = 60
"""Rows that are drawn. A chunk that is quoted always has one; the inputs have all chunks."""


def lights(quoted: Iterable[int]) -> Html:
    """The styles that light the words of a chunk while a person points at its row."""
    page = ".st-key-two_answer"
    rules = (
        f"{page}:has(.from-{chunk}:is(:hover, :focus-within, [open])) .q-{chunk} .s-context"
        f" {{ background: {mix('var(--context)', 0.62)}; }}\n"
        f"{page}:has(.q-{chunk}:hover) .from-{chunk}"
        f" {{ border-color: {INK}; box-shadow: inset 0 0 0 1px {INK}; }}"
        for chunk in quoted
    )
    return Html(f"<style>{' '.join(rules)}</style>")


def chunks(
    trace: Trace,
    request: Request,
    quoted: Mapping[int, int] | None,
    path: FactPath | None = None,
) -> None:
    """The chunks of a run; `quoted` has the words of the answer that stand in each of them.

    It is None where there is no answer that could quote one. Those that have the fact of a `path`
    are marked.
    """
    total = len(request.text_chunks)
    head = counted(total, "chunk")
    if quoted is not None:
        head = f"{len(quoted):,} of {head} {'is' if len(quoted) == 1 else 'are'} quoted"
    section(f"Sources · {head}")
    marked = path.chunks if path is not None else ()
    numbers = _select_rows(total, {*(quoted or ()), *marked})
    words_of = None if quoted is None else tuple(quoted.items())
    rows = remembered(
        trace,
        "source rows",
        lambda: [_source(trace, request, number, quoted) for number in numbers],
        (path, words_of),
    )
    words = source_words(path) if path is not None else ""
    st.html(rows_html(_marked(row, words) if int(row.badge) in marked else row for row in rows))
    if len(numbers) < total:
        small(f"and {total - len(numbers):,} more, which the inputs list")


def _select_rows(total: int, quoted: Iterable[int]) -> list[int]:
    """Select the chunks that have a row, by number: those quoted, and the first of the others."""
    wanted = set(quoted)
    room = max(0, _MOST - len(wanted))
    others = [number for number in range(1, min(total, _MOST) + 1) if number not in wanted]
    return sorted(wanted.union(others[:room]))


def _source(trace: Trace, request: Request, number: int, quoted: Mapping[int, int] | None) -> Row:
    words = (quoted or {}).get(number, 0)
    score = request.scores[number - 1]
    place = (
        ""
        if score is None
        else f"chunk {request.positions[number - 1] + 1} of the list, score {score:.2f}"
    )
    coverage = trace.coverage[number - 1]
    missing = missing_words(coverage, missing_word(trace)) if sends_chunks(trace) else ""
    quotes = counted(words, "word") if words else ""
    note = " · ".join(filter(None, (quotes, missing)))
    return Row(
        "context",
        f"{number}",
        request.text_chunks[number - 1],
        note=note or ("" if quoted is None else "not quoted"),
        detail=place,
        muted=quoted is not None and not words,
        mark=f"from-{number}",
    )


def _marked(row: Row, words: str) -> Row:
    """The row of a chunk that has the fact, with the words for where it was lost."""
    return row._replace(mark=f"{row.mark}.marked", note=words or row.note, muted=False)
