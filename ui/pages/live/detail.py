"""The synthesis that is looked at: its sentence, its flow and budgets, its latest answer."""

from collections.abc import Iterator

import streamlit as st

from synth.html.escape import Tag, answer_html, counting_tag, sentence_html, tags_html
from synth.html.markup import tag
from synth.runs.calls import CallRecord
from synth.runs.trace import Trace
from synth.text.wording import Bold, counted, duration
from synth.traces import ImportedRun
from synth.words.sentences import run_sentence
from ui.imported import details, verified
from ui.imported.going_on import GoingOn
from ui.imported.opened_file import OpenedRun
from ui.imported.received_runs import Received, likely, tried
from ui.look.elements import section, sentence, small
from ui.pages.live import ways
from ui.pages.live.chosen import live_runs
from ui.session import workspace
from ui.views import run_views
from ui.views.run_views import RunView

_WIDTHS = 820, 480, 330
_LONGEST = 300  # letters of a question


def draw(one: Received) -> None:
    """Draw the synthesis, as far as it has come."""
    with st.container(horizontal=True, key="live_head"):
        question = one.growing.query_str[:_LONGEST] or "No question has come yet"
        st.html(tag("h2.run-title", question, dir="auto"), width="stretch")
        ways.draw(one)
    if one.opened is not None:
        _ended(one, one.opened)
    elif one.growing.ended:
        small("It has ended, and is being compared with what our engine sends.")
        _tags(one, one.growing.run)
    else:
        _going_on(one)


def _ended(one: Received, opened: OpenedRun) -> None:
    trace = opened.trace
    sentence(run_sentence(trace))
    verified.draw_sentence(opened, style="small")
    _tags(one, opened.run)
    found = opened.verification
    if found is not None and found.first_difference is not None:
        _explanations(one, opened)
        verified.draw_difference(found.first_difference, opened.beside.parting)
    view = RunView(trace, ("live", opened.form), _WIDTHS)
    if opened.verified and opened.run.calls:
        section("The flow")
        run_views.flow(view)
        run_views.budgets(view, "Each call, in tokens")
    else:
        details.draw_calls(opened.run)
    if opened.run.response is not None:
        section("The answer")
        st.html(answer_html(opened.run.response))


def _explanations(one: Received, opened: OpenedRun) -> None:
    """What makes all prompts equal, once it was tried."""
    if opened.searches_at_once and not tried(opened, one.id):
        small("Other settings are being tried; nothing is sent.")
    else:
        verified.draw_explanations(live_runs(), opened)


def _going_on(one: Received) -> None:
    growing, going = one.growing, likely(one.growing)
    st.html(sentence_html(_so_far(one, going), "going-on"))
    _tags(one, growing.run)
    if going is None:
        _latest(growing.calls[-1:])
        return
    view = RunView(going.plan, ("likely", one.id, len(growing.calls), growing.mode), _WIDTHS)
    section("The flow, as its calls arrive")
    run_views.running_flow(view, going.trace.calls)
    begun = RunView(going.trace, view.key, _WIDTHS)
    run_views.budgets(begun, "Each call, in tokens")
    _latest([call for call in going.trace.calls if call.answer is not None][-1:])


def _so_far(one: Received, going: GoingOn | None) -> Iterator[str]:
    """How far a synthesis has come; not the sentence of the page, which is said aloud."""
    growing = one.growing
    came = len(growing.calls)
    if not came:
        yield "Its chunks have come, and no call yet." if growing.chunks else "It has begun."
        return
    if going is None or growing.expected_calls is None:
        yield Bold(counted(came, "call"))
        yield " answered so far."
        return
    yield Bold(f"{came:,} of about {counted(max(growing.expected_calls, came), 'call')}")
    yield " answered, "
    if going.equal < came:
        yield f"and the prompt of call {going.equal + 1:,} is not ours in this mode."
    else:
        yield "its prompt verified." if came == 1 else f"all {came:,} prompts verified."


def _tags(one: Received, run: ImportedRun | None) -> None:
    st.html(tags_html(_about(one, run)))


def _about(one: Received, run: ImportedRun | None) -> Iterator[Tag]:
    growing = one.growing
    yield growing.service or "no service.name", "exact"
    if run is not None:
        tokens = workspace.current().remembered(
            "tokens of chunks",
            (one.id, len(growing.chunks)),
            lambda: sum(map(run.packing.tokenizer.count, run.texts)),
        )
        yield f"{counted(len(run.chunks), 'chunk')} · {counted(tokens, 'token')}", "exact"
        window = f"window {run.helper.context_window:,}"
        yield f"{run.model} · {window}" if run.model else window, "exact"
        yield counting_tag(run.packing.tokenizer)
    if not growing.ended:
        mode = f"likely {growing.mode}" if growing.mode else "not known yet"
        yield f"mode: {mode}, certain with its last span", "estimate"


def _latest(calls: list[CallRecord] | tuple[CallRecord, ...]) -> None:
    for call in calls:
        tokens, took = counted(call.output_tokens, "token"), duration(call.seconds)
        section(f"Latest answer · call {call.number:,} · {tokens} · {took}")
        st.html(answer_html(call.answer or call.error or ""))
