"""The report of a run, a file for people without the app; and what every report is made of."""

from collections.abc import Iterable, Iterator
from datetime import datetime

import synth
from synth.html.escape import answer_html, chunk_html, sentence_html
from synth.html.figures import (
    alarm_html,
    bars_key,
    box,
    call_html,
    covered_chunk,
    fold,
    run_figure,
)
from synth.html.markup import Html, pairs, tag, together
from synth.html.provenance import tagged_answer
from synth.modes.factory import RELEASES
from synth.pictures.call_bars import call_bars
from synth.pictures.page import HATCHES
from synth.runs.trace import Trace
from synth.text.wording import counted, listed, short
from synth.words.plan_words import missing_word, paid, sends_chunks
from synth.words.run_words import call_facts, ending, run_headline
from ui.look.theme import report_css
from ui.plans.cost import price_tag, price_words
from ui.settings import by_name
from ui.settings.request import LIMITS, Model, Request, value
from ui.store.run_json import Run

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_NOTHING_ELSE = (
    ". This file holds no key and no address of a model, loads nothing, and runs no script."
)
_TITLE, _HEADING = 80, 240  # characters of a question in the title of the window, and in large


def make_document(
    kind: str, question: str, made: datetime, body: Iterable[Html], versions: str
) -> Html:
    """Make the file of a kind of report, which loads and runs nothing: its policy forbids both."""
    asked = question.strip() or "No question"
    day = f"{made.day} {made:%B %Y, %H:%M} {made.tzname() or ''}".strip()
    head = Html(
        '<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
    ).format(policy=_POLICY)
    main = tag(
        "main",
        tag("div.small.muted", f"Report of a {kind} · {day} · Synthesis playground"),
        *_heading(asked),
        *body,
        tag("footer", versions, _NOTHING_ELSE),
    )
    title = tag("title", f"{short(asked, _TITLE)} · report of a {kind}")
    style = tag("style", Html(report_css()))
    page = tag("html", tag("head", head, title, style), tag("body", Html(HATCHES), main), lang="en")
    return Html("<!doctype html>") + page


def _heading(question: str) -> Iterator[Html]:
    yield tag("h1", short(question, _HEADING) if len(question) > _HEADING else question, dir="auto")
    if len(question) > _HEADING:
        yield answer_html(question)


def make_section(title: str, *parts: Html) -> Html:
    """A heading and what stands under it; nothing if that is empty."""
    inside = together(parts)
    return tag("h2", title) + inside if inside else Html()


Named = Iterable[tuple[str, Run]]


def make_templates(runs: Named) -> Html:
    """Each different template with the names of the runs that use it."""
    users: dict[tuple[str, tuple[tuple[str, str], ...]], list[str]] = {}
    for run_name, run in runs:
        for template in run.request.templates:
            users.setdefault(template, []).append(run_name)
    return together(
        fold(name, listed(names), tag("div.prompt", *map(_message, messages)))
        for (name, messages), names in users.items()
    )


def _message(message: tuple[str, str]) -> Html:
    role, text = message
    return tag("div.role", role) + tag("span", text, dir="auto")


def make_chunks(runs: Named) -> Html:
    """Each different list of chunks with the names of the runs that were given it."""
    users: dict[tuple[str, ...], list[str]] = {}
    for name, run in runs:
        users.setdefault(run.request.text_chunks, []).append(name)
    return together(
        fold(counted(len(texts), "chunk"), listed(names), *map(_chunk, enumerate(texts, 1)))
        for texts, names in users.items()
        if texts
    )


def _chunk(numbered: tuple[int, str]) -> Html:
    number, text = numbered
    return tag("h3", f"Chunk {number}") + chunk_html([(text, "context")])


def _calls_html(run: Run) -> Html:
    tokenizer, timed = run.trace.setup.tokenizer, is_timed(run)
    calls = (
        call_html(call, tokenizer, call_facts(call, timed, run.info.edited))
        for call in run.trace.calls
    )
    return tag("div.calls", *calls) if run.trace.calls else Html()


def run_html(run: Run, made: datetime) -> Html:
    """Make the whole file; `made` is the time of the report."""
    versions = name_versions(run.request)
    return make_document("run", run.request.query_str, made, _body(run), versions)


def _body(run: Run) -> Iterator[Html]:
    trace = run.trace
    yield alarm_html(trace)
    yield sentence_html(write_headline(run))
    yield box(ending(trace))
    answer = make_section("Answer", _answer(run))
    settings = make_section("Settings", pairs(list_settings(run)))
    yield tag("div.two", tag("div", answer), tag("div", settings))
    picture = bars_key(call_bars(trace.calls, trace.setup)) + run_figure(trace)
    yield make_section("Which chunk went into which call", picture)
    yield make_section("Every call, as it was sent", _calls_html(run))
    alone = [("", run)]
    sent = bool(trace.calls and trace.coverage) and sends_chunks(trace)
    texts = _sent_chunks(trace) if sent else make_chunks(alone)
    yield make_section("What went in", texts, make_templates(alone))


def _answer(run: Run) -> Html:
    text = run.trace.response
    if not text:
        return tag("div.muted", "There is no answer." if text is None else "The answer is empty.")
    return tagged_answer(text, run.request.text_chunks)


def _sent_chunks(trace: Trace) -> Html:
    coverage, missing = trace.coverage, missing_word(trace)
    tokens = counted(sum(chunk.tokens for chunk in coverage), "token")
    texts = (covered_chunk(chunk, missing) for chunk in coverage)
    return fold(counted(len(coverage), "chunk"), tokens, *texts)


def write_headline(run: Run) -> list[str]:
    """Say what a run that has ended made, and what it cost."""
    info = run.info
    return run_headline(run.trace, info.by_person, info.edited, paid(info.dollars)).sentence


def is_timed(run: Run) -> bool:
    """Tell whether its seconds say something: those of the offline model or of a person don't."""
    return not (run.request.model.free or run.info.by_person) and bool(run.trace.calls)


def list_settings(run: Run) -> list[tuple[str, str]]:
    """List all settings with their names, and the tokens of the chunks."""
    tokens = sum(chunk.tokens for chunk in run.trace.coverage)
    return [
        (name, f"{text}, {counted(tokens, 'token')}" if name == "chunks" else text)
        for name, text in list_request_settings(run.request)
    ]


def list_request_settings(request: Request) -> list[tuple[str, str]]:
    """List the settings of a request with their names, but no address of a model."""
    plain = [(by_name.say_name(name), value(name, getattr(request, name))) for name in LIMITS]
    chunks = counted(len(request.text_chunks), "chunk")
    variables = [(f"variable {name}", text) for name, text in request.variables]
    return [*plain, ("chunks", chunks), *_model(request.model), *variables]


def name_versions(request: Request) -> str:
    """Name the versions of the programs whose rules a run follows."""
    program = f"Synthesis playground {synth.__version__}"
    if request.behaviour in RELEASES:
        return f"{program}, with the prompts of llama-index-core {RELEASES[request.behaviour]}"
    return program


def _model(model: Model) -> list[tuple[str, str]]:
    if model.free:
        return [("model", model.kind)]
    rows = [("model", model.name or "no model")]
    rows += by_name.say_all(dict(model.options)).items()
    if model.price is not None:
        parts = filter(None, [price_words(model.price), price_tag(model)])
        rows.append(("price", ", ".join(parts)))
    return rows
