"""The view Answer: the answer, tagged or plain, what each call said, the sources."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from synth.html.escape import answer_html
from synth.html.markup import Html
from synth.html.provenance import provenance_html
from synth.quality import FactPath, Mention
from synth.quality.support import find_unfounded
from synth.runs.calls import CallRecord
from synth.runs.coverage import ChunkCoverage
from synth.runs.trace import Trace
from synth.text.wording import counted
from synth.text.words import count_words
from synth.words.coverage_words import sends_chunks
from synth.words.fact_way import call_words, fact_mark, source_words
from synth.words.provenance import (
    NOTE,
    UNFOUNDED_NOTE,
    Match,
    count_quoted,
    join_matches,
    matches,
)
from synth.words.sentences import reads
from ui.look.elements import Row, beside, box, button_row, rows_html, section, small
from ui.look.theme import INK, mix
from ui.plans.page_inputs import PageInputs
from ui.runs.job import Job
from ui.settings.request import Request
from ui.views import fact_line, server_counts
from ui.views.run_views import remembered

_FORMS = _TAGGED, _PLAIN = "Tagged", "Plain"


def draw(trace: Trace, job: Job, inputs: PageInputs) -> None:
    """Draw the answer, the answer of each call, and the sources."""
    left, right = beside("answer", 7, 5)
    with left:
        text = _text(job, trace)
        found = _matches(trace, text, job.chosen) if text else []
        quoted = count_quoted(text or "", found)
        if text:
            nowhere = _unfounded(trace, text, job.chosen)
            _answer(text, found, quoted, nowhere)
        else:
            section("Answer")
            small(_NO_ANSWER[text])
        fact_line.draw_of_question(trace, inputs.settings.chunks)
        path = fact_line.follow_typed(trace, inputs.settings.chunks)
        if path is not None and fact_mark(path) is None:
            path = None  # it had no way that could be marked
        if trace.calls:
            calls(trace, job.info.edited, path)
    with right:
        server_counts.draw_ways_out(trace, job.request)
        chunks(trace, job.request, quoted if text else None, path)


_NO_ANSWER: dict[str | None, str] = {
    None: "There is no answer: the run did not reach its end.",
    "": "The answer is empty; the sources are the result of this mode.",
}


def _text(job: Job, trace: Trace) -> str | None:
    """The answer of the run, or the one that a person chose instead."""
    if job.chosen is None:
        return trace.response
    head = f"This is the answer of call {job.chosen}, not the run's own."
    box(head, "It was chosen in the view Steps.").button(
        "Back to the run's own answer", type="tertiary", on_click=_unchoose, args=(job,)
    )
    [answer] = [call.answer for call in trace.calls if call.number == job.chosen]
    return answer


def _unchoose(job: Job) -> None:
    job.chosen = None


def _matches(trace: Trace, text: str, chosen: int | None) -> list[Match]:
    chunks = trace.setup.chunks
    return remembered(trace, "matches", lambda: join_matches(text, matches(text, chunks)), chosen)


def _unfounded(trace: Trace, text: str, chosen: int | None) -> Sequence[Mention]:
    """The numbers and names of a model's answer that stand nowhere, from memory if known."""
    if not trace.calls:
        return ()
    answered = replace(trace, response=text)
    return remembered(trace, "unfounded", lambda: find_unfounded(answered), chosen)


def _answer(
    text: str, found: list[Match], quoted: dict[int, int], nowhere: Sequence[Mention]
) -> None:
    """The answer in the chosen form, below how much of it stands in the chunks."""
    with st.container(horizontal=True, vertical_alignment="center", key="answer_head"):
        words, found_words = count_words(text), sum(quoted.values())
        share = "all" if words == found_words else f"{found_words:,}" if found_words else "none"
        size = counted(words, "word")
        section(f"Answer · {size}, {share} of them word for word in a chunk")
        form = button_row("Show the answer as", _FORMS, "answer_form", width="content")
    with st.container(border=True):
        if form == _PLAIN:
            st.html(answer_html(text))
        else:
            st.html(provenance_html(text, found, nowhere) + lights(quoted))
    if form == _TAGGED:
        small(f"{NOTE} {UNFOUNDED_NOTE}" if nowhere else NOTE)


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
    notes = [counted(words, "word") if words else "not quoted"] if quoted is not None else []
    if sends_chunks(trace):
        notes += _missing(trace.coverage[number - 1], ended=trace.response is not None)
    return Row(
        "context",
        f"{number}",
        request.text_chunks[number - 1],
        note=" · ".join(notes),
        detail=place,
        muted=quoted is not None and not words,
        mark=f"from-{number}",
    )


def _marked(row: Row, words: str) -> Row:
    """The row of a chunk that has the fact, with the words for where it was lost."""
    return row._replace(mark=f"{row.mark}.marked", note=words or row.note, muted=False)


def _missing(chunk: ChunkCoverage, ended: bool) -> list[str]:
    """What is missing of a chunk, in words; nothing if all of it was sent.

    Before the run has `ended`, the rest may still be sent.
    """
    if chunk.cut_by_server_tokens:
        whole = chunk.cut_by_server_tokens == chunk.tokens
        return ["cut by the server" if whole else "partly cut by the server"]
    if not chunk.lost_tokens:
        return []
    word = "cut off" if ended else "not sent yet"
    return [word if chunk.lost_tokens == chunk.tokens else f"partly {word}"]


def calls(trace: Trace, edited: Collection[int], path: FactPath | None) -> None:
    """What each call answered, or made of the fact of a `path`.

    Nothing if the only call gave the answer itself.
    """
    if len(trace.calls) < 2:
        return
    section("What each call answered" if path is None else "What each call made of it")
    shown = trace.calls[:_MOST]
    rows = remembered(trace, "call rows", lambda: [_call(call, edited) for call in shown])
    if path is not None:
        rows = [_made_of_it(path, trace, *pair) for pair in zip(rows, shown, strict=True)]
    st.html(rows_html(rows))
    if len(shown) < len(trace.calls):
        small(f"and {len(trace.calls) - len(shown):,} more, which the view Calls lists")


def _made_of_it(path: FactPath, trace: Trace, row: Row, call: CallRecord) -> Row:
    mark = "marked" if call.number == path.call else ""
    return row._replace(says=call_words(path, call, trace), mark=mark)


def _call(call: CallRecord, edited: Collection[int]) -> Row:
    note = counted(call.output_tokens, "token")
    if call.answer is None:
        note = "stopped" if call.stopped else "failed"
    elif not call.satisfied:
        note = "filtered"
    elif call.number in edited:
        note = "by hand"
    text = call.answer or call.error or ""
    return Row("answer", f"{call.number}", text, note, reads(call, brief=True), not call.answer)
