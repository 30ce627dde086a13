"""The report of a run and that of a comparison: each a file for people without the app.

Its pictures are empty where there is nothing to see.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from synth.html.alarm import alarm_html
from synth.html.calls import box, covered_chunk, fold
from synth.html.escape import answer_html, counting_tag, legend_html, sentence_html, tags_html
from synth.html.figures import (
    FIGURE_BESIDE,
    MOST_DRAWN,
    budget_figure,
    budget_key,
    figure,
    flow_html,
    too_many,
)
from synth.html.markup import Html, pairs, tag, together
from synth.html.provenance import diff_html, provenance_html
from synth.pictures.budget import budget_row
from synth.pictures.coverage import coverage_strips
from synth.pictures.timeline import timeline
from synth.pictures.times import timeline_facts
from synth.runs.trace import Trace
from synth.text.diff import word_diff
from synth.text.wording import Tag, counted, listed
from synth.words.call_words import ending
from synth.words.coverage_words import coverage_kinds, missing_word
from synth.words.provenance import NOTE, joined, matches
from ui.export.document import (
    calls_html,
    chunks,
    columns_table,
    document,
    section,
    sentences,
    templates,
)
from ui.export.reported import Compared, ReportedRun


def run_html(run: ReportedRun, made: datetime) -> Html:
    """The whole file; `made` is the time of the report."""
    return document("run", run.request.query_str, made, _body(run), run.versions)


def _body(run: ReportedRun) -> Iterator[Html]:
    yield alarm_html(run.trace)
    yield sentence_html(run.headline)
    yield tags_html(_tags(run))
    yield box(ending(run.trace))
    settings = section("Settings", pairs(run.settings))
    findings = section("Findings", sentences(run.findings))
    answer = section("Answer", _answer(run))
    yield tag("div.two", tag("div", answer), tag("div", settings, findings))
    yield section("Budget of each call, in tokens", budget_html(run.trace))
    yield section("Which chunk went into which call", flow_html(run.trace, REPORT_WIDE))
    if run.sends_chunks:
        yield section("What was sent of each chunk, in tokens", coverage_html(run.trace))
    if run.timed:
        yield section("The calls over time", timeline_html(run.trace))
    yield section("Every call, as it was sent", calls_html(run))
    alone = [("", run)]
    texts = _sent_chunks(run) if run.sends_chunks else chunks(alone)
    yield section("What went in", texts, templates(alone))


def _tags(run: ReportedRun) -> Iterator[Tag]:
    yield counting_tag(run.trace.setup.tokenizer)
    texts = (f"{run.request.behaviour} behaviour", run.request.model.name or run.request.model.kind)
    yield from ((text, "exact") for text in (*texts, "no key and no address in this file"))


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
    texts = (covered_chunk(chunk, missing) for chunk in coverage)
    return fold(counted(len(coverage), "chunk"), tokens, *texts)


def comparison_html(compared: Compared, made: datetime) -> Html:
    """The whole file; `made` is the time of the report. ValueError if no column has a run."""
    if not compared.runs:
        raise ValueError("A report of a comparison needs a run: run a column first.")
    versions = compared.runs[0][1].versions
    return document("comparison", compared.question, made, _comparison_body(compared), versions)


def _comparison_body(compared: Compared) -> Iterator[Html]:
    names = [name for name, _ in compared.runs]
    if compared.findings:
        yield sentence_html(compared.findings)
    yield from (box(f"{name}: {reason}") for name, reason in compared.without)
    yield section("Measures", columns_table("measure", names, compared.measures))
    yield section("Answers", _side_by_side(_answers(compared)))
    yield section("Runs", _side_by_side(_run(name, run) for name, run in compared.runs))
    yield section("Settings that differ", columns_table("setting", names, compared.settings))
    yield section("Settings in common", pairs(compared.shared_settings))
    yield section("Every call, as it was sent", *(_calls(*one) for one in compared.runs))
    yield section("What went in", chunks(compared.runs), templates(compared.runs))


def _side_by_side(parts: Iterable[Html]) -> Html:
    inside = [tag("div", part) for part in parts]
    return tag("div.runs", *inside) if inside else Html()


def _answers(compared: Compared) -> Iterator[Html]:
    """Each different answer once, that of the reference first, the others as their difference."""
    groups = compared.answers
    base = groups[0][0] if groups else ""
    for text, names in groups:
        head = tag("h3", listed(names))
        if not text:
            yield head + tag("div.muted", "The answer is empty.")
        elif not base or text == base:
            yield head + answer_html(text)
        else:
            diff = word_diff(base, text)
            yield head + tag("div.small.muted.num", diff.changes) + diff_html(diff)


def _run(name: str, run: ReportedRun) -> Html:
    return together(
        (
            tag("h3", name),
            alarm_html(run.trace),
            sentence_html(run.headline, "note"),
            box(ending(run.trace)),
            budget_html(run.trace, FIGURE_BESIDE),
            flow_html(run.trace, FIGURE_BESIDE),
            sentences(run.findings),
        )
    )


def _calls(name: str, run: ReportedRun) -> Html:
    return fold(name, counted(run.trace.call_count, "call"), calls_html(run))


REPORT_WIDE = 900, 700, 480, 330
"""The widths in pixels for which a report draws a figure; more than a page, since only once."""


def budget_html(trace: Trace, widths: Sequence[int] = REPORT_WIDE) -> Html:
    """The budget of each call, with the legend."""
    if not trace.calls:
        return Html()
    if len(trace.calls) > MOST_DRAWN:
        return too_many(trace)
    rows = [budget_row(trace, call) for call in trace.calls]
    return budget_key(rows) + budget_figure(rows, widths)


def coverage_html(trace: Trace) -> Html:
    """What was sent of each chunk, with the legend."""
    chunks, missing = trace.coverage, missing_word(trace)
    if not chunks:
        return Html()
    if len(chunks) > MOST_DRAWN:
        return too_many(trace)
    legend = legend_html(coverage_kinds(trace))
    return legend + figure(lambda width: coverage_strips(chunks, width, missing), REPORT_WIDE)


def timeline_html(trace: Trace) -> Html:
    """The calls over the seconds of the run."""
    if len(trace.calls) > MOST_DRAWN:
        return too_many(trace)
    facts = timeline_facts(trace)
    key = tag("div.small.muted", facts.key)
    return figure(lambda width: timeline(trace, facts, width), REPORT_WIDE) + key
