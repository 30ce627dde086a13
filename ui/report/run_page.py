"""The report of a run as one HTML file."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Literal

from synth.coverage import ChunkCoverage
from synth.wording import counted
from ui.look.escape import chunk_html, sentence_html, tags_html
from ui.report.calls import calls_html
from ui.report.document import box, document, fold, pairs, section, sentences
from ui.report.figures import budget_figure, coverage_figure, flow_figure, timeline_figure
from ui.report.inputs import templates
from ui.report.reported import ReportedRun
from ui.text.provenance import NOTE, joined, matches, provenance_html


def run_html(run: ReportedRun, made: datetime) -> str:
    """The whole file; `made` is the time of the report."""
    return document("run", run.request.query, made, _body(run), run.versions)


def _body(run: ReportedRun) -> Iterator[str]:
    yield sentence_html(run.headline)
    yield tags_html(_tags(run))
    yield box(run.ending)
    yield (
        f'<div class="two"><div>{section("Answer", answer(run))}</div><div>'
        f"{section('Settings', pairs(run.settings))}"
        f"{section('Findings', sentences(run.findings))}</div></div>"
    )
    yield section("Budget of each call, in tokens", budget_figure(run.trace))
    yield section("Which chunk went into which call", flow_figure(run.trace))
    if run.sends_chunks:
        yield section("What was sent of each chunk, in tokens", coverage_figure(run.trace))
    if run.timed:
        yield section("The calls over time", timeline_figure(run.trace))
    yield section("Every call, as it was sent", calls_html(run))
    yield section("What went in", _chunks(run), templates([("", run)]))


def _tags(run: ReportedRun) -> list[tuple[str, Literal["exact", "estimate"]]]:
    texts = (f"{run.request.behaviour} behaviour", run.request.model.name or run.request.model.kind)
    return [(text, "exact") for text in (*texts, "no key and no address in this file")]


def answer(run: ReportedRun) -> str:
    """The answer, tagged with the chunks in which its words stand."""
    text = run.trace.response
    if text is None:
        return '<div class="muted">There is no answer.</div>'
    if not text:
        return '<div class="muted">The answer is empty; the sources are the result.</div>'
    found = joined(text, matches(text, run.request.chunks))
    note = f'<p class="small muted">{NOTE}</p>' if any(match.chunk for match in found) else ""
    return provenance_html(text, found) + note


def _chunks(run: ReportedRun) -> str:
    chunks = run.trace.coverage
    if not chunks:
        return ""
    tokens = counted(sum(chunk.tokens for chunk in chunks), "token")
    return fold(counted(len(chunks), "chunk"), tokens, *map(_chunk, chunks))


def _chunk(chunk: ChunkCoverage) -> str:
    """A chunk with the text that was cut off hatched."""
    lost = {(part.start, part.end) for part in chunk.lost}
    parts = [(chunk.text[start:end], (start, end) in lost) for start, end, *_ in chunk.stretches]
    size = f"{chunk.lost_tokens:,} of " * bool(lost) + counted(chunk.tokens, "token")
    cut = " cut off" if lost else ""
    return f"<h3>Chunk {chunk.number} · {size}{cut}</h3>{chunk_html(parts)}"
