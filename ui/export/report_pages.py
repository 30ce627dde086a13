"""The report of a run, a file for people without the app; and what every report is made of."""

from collections.abc import Iterable, Iterator
from datetime import datetime

import synth
from synth.html.escape import answer_html, chunk_html, sentence_html
from synth.html.markup import Html, pairs, tag, together
from synth.html.notebook import (
    alarm_html,
    bars_key,
    box,
    call_html,
    covered_chunk,
    figure,
    fold,
)
from synth.html.provenance import tagged_answer
from synth.modes.registry import RELEASES
from synth.pictures.bar_parts import call_bars
from synth.pictures.run_picture import draw_run
from synth.pictures.scene_writer import HATCHES
from synth.text.wording import counted, listed, short
from synth.words.plan_words import chunk_tokens, missing_word, paid, sends_chunks
from synth.words.run_words import call_facts, ending, run_headline, without_servers_words
from ui.look.elements import report_css
from ui.plans.cost import price_tag, price_words
from ui.settings import schema
from ui.settings.request import LIMITS, Model, Request, value
from ui.store.rows import Run

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_TITLE, _HEADING = 80, 240  # characters of a question in the title of the window, and in large


def make_document(
    kind: str, question: str, made: datetime, body: Iterable[Html], versions: str
) -> Html:
    """Make the file of a kind of report, which loads and runs nothing: its policy forbids both."""
    asked = question.strip() or "No question"
    is_long = len(asked) > _HEADING
    day = f"{made.day} {made:%B %Y, %H:%M} {made.tzname() or ''}".strip()
    head = Html(
        '<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
    ).format(policy=_POLICY)
    main = tag(
        "main",
        tag("div.small.muted", f"Report of a {kind} · {day} · Synthesis playground"),
        tag("h1", short(asked, _HEADING) if is_long else asked, dir="auto"),
        answer_html(asked) if is_long else "",
        *body,
        tag("footer", versions),
    )
    title = tag("title", f"{short(asked, _TITLE)} · report of a {kind}")
    style = tag("style", Html(report_css()))
    page = tag("html", tag("head", head, title, style), tag("body", Html(HATCHES), main), lang="en")
    return Html("<!doctype html>") + page


def make_section(title: str, *parts: Html) -> Html:
    """A heading and what stands under it; nothing if that is empty."""
    inside = together(parts)
    return tag("h2", title) + inside if inside else Html()


Named = Iterable[tuple[str, Request]]


def make_templates(requests: Named) -> Html:
    """Each different template with the names of the requests that use it."""
    users: dict[tuple[str, tuple[tuple[str, str], ...]], list[str]] = {}
    for user, request in requests:
        for template in request.templates:
            users.setdefault(template, []).append(user)
    parts = []
    for (name, messages), names in users.items():
        texts = (tag("div.role", role) + tag("span", text, dir="auto") for role, text in messages)
        parts.append(fold(name, listed(names), tag("div.prompt", *texts)))
    return together(parts)


def make_chunks(requests: Named) -> Html:
    """Each different list of chunks with the names of the requests that have it."""
    users: dict[tuple[str, ...], list[str]] = {}
    for name, request in requests:
        users.setdefault(request.text_chunks, []).append(name)
    parts = []
    for texts, names in users.items():
        chunks = (
            tag("h3", f"Chunk {number}") + chunk_html([(text, "context")])
            for number, text in enumerate(texts, 1)
        )
        parts.append(fold(counted(len(texts), "chunk"), listed(names), *chunks) if texts else "")
    return together(parts)


def run_html(run: Run, made: datetime) -> Html:
    """Make the whole file; `made` is the time of the report."""
    versions = name_versions(run.request)
    return make_document("run", run.request.query_str, made, _body(run), versions)


def _body(run: Run) -> Iterator[Html]:
    trace, info = without_servers_words(run.trace), run.info
    yield alarm_html(trace)
    headline = run_headline(trace, info.by_person, info.edited, paid(info.dollars))
    yield sentence_html(headline.sentence)
    yield box(ending(trace))
    text = trace.response
    none = tag("div.muted", "There is no answer.")
    answer = none if text is None else tagged_answer(text, run.request.text_chunks)
    settings = pairs(list_settings(run.request))
    columns = make_section("Answer", answer), make_section("Settings", settings)
    yield tag("div.two", *(tag("div", column) for column in columns))
    if trace.calls:
        key = bars_key(call_bars(trace.calls, trace.setup))
        yield make_section("Which chunk went into which call", key + figure(draw_run(trace)))
        timed = not (run.request.model.free or info.by_person)
        calls = (
            call_html(call, trace.setup.tokenizer, call_facts(call, timed, info.edited))
            for call in trace.calls
        )
        yield make_section("Every call, as it was sent", tag("div.calls", *calls))
    texts = make_chunks([("", run.request)])
    if trace.calls and trace.coverage and sends_chunks(trace):
        chunks = (covered_chunk(chunk, missing_word(trace)) for chunk in trace.coverage)
        tokens = counted(chunk_tokens(trace), "token")
        texts = fold(counted(len(trace.coverage), "chunk"), tokens, *chunks)
    yield make_section("What went in", texts, make_templates([("", run.request)]))


def list_settings(request: Request) -> list[tuple[str, str]]:
    """List the settings of a request with their names, but no address of a model."""
    plain = [(schema.say_name(name), value(name, getattr(request, name))) for name in LIMITS]
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
    rows += schema.say_all(dict(model.options)).items()
    if model.price is not None:
        parts = filter(None, [price_words(model.price), price_tag(model)])
        rows.append(("price", ", ".join(parts)))
    return rows
