"""The report of a run as one HTML file."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Literal

from synth.runs.coverage import ChunkCoverage
from synth.text.wording import counted
from ui.look.escape import chunk_html, sentence_html, tags_html
from ui.look.html import Html, pairs, tag
from ui.report.calls import calls_html
from ui.report.document import box, document, fold, section, sentences
from ui.report.figures import (
    budget_html,
    coverage_html,
    flow_html,
    timeline_html,
)
from ui.report.inputs import chunks, templates
from ui.report.reported import ReportedRun
from ui.text.provenance import NOTE, joined, matches, provenance_html
from ui.trace.coverage_sentence import missing_word


def run_html(run: ReportedRun, made: datetime) -> Html:
    """The whole file; `made` is the time of the report."""
    return document("run", run.request.query_str, made, _body(run), run.versions)


def _body(run: ReportedRun) -> Iterator[Html]:
    yield sentence_html(run.headline)
    yield tags_html(_tags(run))
    yield box(run.ending)
    settings = section("Settings", pairs(run.settings))
    findings = section("Findings", sentences(run.findings))
    answer = section("Answer", _answer(run))
    yield tag("div.two", tag("div", answer), tag("div", settings, findings))
    yield section("Budget of each call, in tokens", budget_html(run.trace))
    yield section("Which chunk went into which call", flow_html(run.trace))
    if run.sends_chunks:
        yield section("What was sent of each chunk, in tokens", coverage_html(run.trace))
    if run.timed:
        yield section("The calls over time", timeline_html(run.trace))
    yield section("Every call, as it was sent", calls_html(run))
    alone = [("", run)]
    texts = _sent_chunks(run) if run.sends_chunks else chunks(alone)
    yield section("What went in", texts, templates(alone))


def _tags(run: ReportedRun) -> list[tuple[str, Literal["exact", "estimate"]]]:
    texts = (f"{run.request.behaviour} behaviour", run.request.model.name or run.request.model.kind)
    return [(text, "exact") for text in (*texts, "no key and no address in this file")]


def _answer(run: ReportedRun) -> Html:
    """The answer, tagged with the chunks in which its words stand."""
    text = run.trace.response
    if text is None:
        return tag("div.muted", "There is no answer.")
    if not text:
        return tag("div.muted", "The answer is empty; the sources are the result.")
    found = joined(text, matches(text, run.request.text_chunks))
    note = tag("p.small.muted", NOTE) if any(match.chunk for match in found) else ""
    return provenance_html(text, found) + note


def _sent_chunks(run: ReportedRun) -> Html:
    """The chunks with the text hatched that was not sent."""
    coverage, missing = run.trace.coverage, missing_word(run.trace)
    tokens = counted(sum(chunk.tokens for chunk in coverage), "token")
    texts = (_chunk(chunk, missing) for chunk in coverage)
    return fold(counted(len(coverage), "chunk"), tokens, *texts)


def _chunk(chunk: ChunkCoverage, missing: str) -> Html:
    lost = {(part.start, part.end) for part in chunk.lost}
    parts = [(chunk.text[start:end], (start, end) in lost) for start, end, *_ in chunk.stretches]
    size = f"{chunk.lost_tokens:,} of " * bool(lost) + counted(chunk.tokens, "token")
    cut = f" {missing}" if lost else ""
    return tag("h3", f"Chunk {chunk.number} · {size}{cut}") + chunk_html(parts)
