"""The view Answer: the answer, tagged with the chunks in which its words stand, and these."""

from collections.abc import Iterable, Mapping

import streamlit as st

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
from synth.text.wording import agree, counted
from synth.words.fact_words import fact_mark, source_words
from synth.words.plan_words import missing_word, missing_words, sends_chunks
from ui.look.elements import INK, Row, draw_columns, rows_html, section, small
from ui.plans.plan_range import PageInputs
from ui.runs.job import Job
from ui.settings.request import Request
from ui.views import fact_line
from ui.views.run_views import remembered


def draw(trace: Trace, job: Job, inputs: PageInputs) -> None:
    """Draw the answer and the sources."""
    text, sources = trace.response or "", trace.setup.chunks
    found = remembered(trace, "matches", lambda: match_words(text, sources))
    quoted = count_quoted(text, found)
    left, right = draw_columns("answer", 7, 5)
    with left:
        if text:
            _answer(trace, text, found, quoted)
        else:
            section("Answer")
            none = "There is no answer: the run did not reach its end."
            empty = "The answer is empty; the sources are the result of this mode."
            small(none if trace.response is None else empty)
        path = fact_line.follow_typed(trace, inputs.settings.chunks)
        if path is not None and fact_mark(path) is None:
            path = None  # it had no way that could be marked
    with right:
        draw_chunks(trace, job.request, quoted if text else None, path)


def _answer(trace: Trace, text: str, found: list[Match], quoted: dict[int, int]) -> None:
    """The answer with what stands in a chunk, and with what stands in none."""
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
        " { background: color-mix(in srgb, var(--context) 62%, transparent); }\n"
        f"{page}:has(.q-{chunk}:hover) .from-{chunk}"
        f" {{ border-color: {INK}; box-shadow: inset 0 0 0 1px {INK}; }}"
        for chunk in quoted
    )
    return Html(f"<style>{' '.join(rules)}</style>")


def draw_chunks(
    trace: Trace, request: Request, quoted: Mapping[int, int] | None, path: FactPath | None
) -> None:
    """Draw the chunks of a run; `quoted` has the words of the answer that stand in each of them.

    It is None where there is no answer that could quote one. Those that have the fact of a `path`
    are marked.
    """
    total = len(request.text_chunks)
    head = counted(total, "chunk")
    if quoted is not None:
        head = f"{len(quoted):,} of {head} {agree('are', len(quoted))} quoted"
    section(f"Sources · {head}")
    wanted = {*(quoted or ()), *(path.chunks if path is not None else ())}
    others = [number for number in range(1, min(total, _MOST) + 1) if number not in wanted]
    numbers = sorted(wanted.union(others[: max(0, _MOST - len(wanted))]))
    words_of = None if quoted is None else tuple(quoted.items())
    rows = remembered(
        trace,
        "source rows",
        lambda: rows_html(_source(trace, request, number, quoted, path) for number in numbers),
        (path, words_of),
    )
    st.html(rows)
    if len(numbers) < total:
        small(f"and {total - len(numbers):,} more, which the inputs list")


def _source(
    trace: Trace,
    request: Request,
    number: int,
    quoted: Mapping[int, int] | None,
    path: FactPath | None,
) -> Row:
    """The row of a chunk; one that has the fact says where that was lost."""
    words = (quoted or {}).get(number, 0)
    score, place = request.scores[number - 1], request.positions[number - 1] + 1
    coverage = trace.coverage[number - 1]
    missing = missing_words(coverage, missing_word(trace)) if sends_chunks(trace) else ""
    note = " · ".join(filter(None, (counted(words, "word") if words else "", missing)))
    has_fact = path is not None and number in path.chunks
    if has_fact and path is not None:
        note = source_words(path) or note
    return Row(
        "context",
        f"{number}",
        request.text_chunks[number - 1],
        note or ("" if quoted is None else "not quoted"),
        "" if score is None else f"chunk {place} of the list, score {score:.2f}",
        muted=quoted is not None and not words and not has_fact,
        mark=f"from-{number}{'.marked' if has_fact else ''}",
    )
