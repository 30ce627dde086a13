"""The synthesis that is looked at: its sentence, its flow and budgets, and the ways on from it."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import sleep

import streamlit as st

from synth.html.escape import answer_html, counting_tag, sentence_html, tags_html
from synth.html.markup import tag
from synth.pictures.budget import BARS, BudgetRow, budget_row
from synth.pictures.shapes import WIDE
from synth.runs.calls import CallRecord
from synth.runs.trace import Trace
from synth.text.wording import Bold, Tag, counted, duration, listed
from synth.words.sentences import reads, recorded_sentence, run_sentence
from ui.imported import opening, recording, verified
from ui.imported.beside import GoingOn
from ui.imported.opened_file import OpenedRun
from ui.imported.received_runs import Listed, LookedAt, tried
from ui.look.elements import error_box, section, sentence, small
from ui.pages.live.chosen import LiveRuns, live_runs
from ui.session import keys, workspace
from ui.views import run_views, steps_view
from ui.views.run_views import RunView

_GOES_ON = "The way of a fact, other modes and a contract wait for its last span."
_IN_FLIGHT = 0.3  # seconds in which the last look of the page that was left arrives


def draw(one: Listed, look: LookedAt | None) -> None:
    """Draw the synthesis, as far as it was read."""
    opened = live_runs().shown if live_runs().runs else None
    steps = _steps(opened, look)
    shown = steps if st.session_state.get(keys.LIVE_STEPS) == one.id else None
    with st.container(horizontal=True, key="live_head"):
        with st.container():
            question = one.query_str or "No question has come yet"
            st.html(tag("h2.run-title", question, dir="auto"))
            _sentence(one, look, opened)
        _ways(one.id, grows=opened is None and steps is not None, stepped=shown is not None)
    if one.problem:
        error_box("This trace can't be read.", one.problem)
    elif look is None:
        small("It is being read.")
    elif opened is not None:
        _ended(look, opened, shown)
    else:
        _going_on(one, look, shown)


def _steps(opened: OpenedRun | None, look: LookedAt | None) -> Trace | None:
    """The run whose steps can be shown, as far as it has come."""
    if opened is not None:
        return opened.beside.trace if _known(opened) else None
    return None if look is None or look.going is None else look.going.steps


def _known(opened: OpenedRun) -> bool:
    """Whether its calls know which text they carry."""
    return opened.verified and bool(opened.run.calls)


def _sentence(one: Listed, look: LookedAt | None, opened: OpenedRun | None) -> None:
    if opened is not None:
        sentence((run_sentence if _known(opened) else recorded_sentence)(opened.beside.trace))
    elif look is not None:
        st.html(sentence_html(_so_far(one, look), "going-on"))  # no .lede, which is said aloud


def _ended(look: LookedAt, opened: OpenedRun, steps: Trace | None) -> None:
    verified.draw_sentence(opened, style="small")
    _tags(look)
    view = RunView(opened.beside.trace, ("live", opened.form), WIDE)
    if steps is not None:
        steps_view.draw(view, None)
    elif _known(opened):
        section("The flow")
        run_views.flow(view)
        run_views.budgets(view, "Each call, in tokens", rows=_rows(opened.beside.trace))
    else:
        _unverified(opened)
    if opened.run.response is not None:
        section("The answer")
        st.html(answer_html(opened.run.response))


def _unverified(opened: OpenedRun) -> None:
    """The first difference, if there is one, and its reason once it was tried; all as recorded."""
    found = opened.beside.verification
    if found is not None and found.first_difference is not None:
        if opened.searches_at_once and not tried(opened):
            small("Other settings are being tried; nothing is sent.")
        else:
            verified.draw_explanations(live_runs(), opened)
        verified.draw_difference(found.first_difference, opened.beside.parting)
    if opened.why_not_opened is not None:
        small(opened.why_not_opened)
    recording.draw_calls(opened.run)


def _going_on(one: Listed, look: LookedAt, steps: Trace | None) -> None:
    calls, going = look.growing.calls, look.going
    rests = ""
    if going is not None and going.changes:
        rests = f" This rests on a guess, until a call shows it: {listed(going.changes)}."
    small(f"{_GOES_ON}{rests}")
    _tags(look)
    key = ("likely", one.id, look.growing.mode, len(calls))
    if steps is not None:
        steps_view.draw(RunView(steps, ("steps", *key), WIDE), None)
    elif going is not None:
        section("The flow, as its calls arrive")
        run_views.running_flow(RunView(going.plan, key, WIDE), going.trace.calls)
        ahead = [
            f" · call {one.number:,} computed, not answered yet"
            for one in going.trace.calls[len(calls) :]
        ]
        title = f"Each call, in tokens{''.join(ahead)}"
        run_views.budgets(RunView(going.trace, key, WIDE), title, rows=_rows_ahead(going))
    if steps is None:
        _latest(calls[-1:])


def _rows(run: Trace, equal: float = math.inf) -> list[BudgetRow]:
    """The budget of each call with its time, and whether its prompt is one of the equal ones."""
    rows = []
    for call in run.calls:
        mark = "✓ equal" if call.number <= equal else "✕ differs"
        note = "" if call.answer is None else f"{mark} · {duration(call.seconds)}"
        rows.append(replace(budget_row(run, call), note=note))
    return rows


def _rows_ahead(going: GoingOn) -> list[BudgetRow]:
    """The same while it goes on, with the calls to come; without these where they are many."""
    rows, calls = _rows(going.trace, going.equal), going.plan.calls
    if len(calls) > BARS:
        return rows
    ahead = calls[len(rows) :]
    return rows + [replace(budget_row(going.plan, call), planned=reads(call)) for call in ahead]


def _so_far(one: Listed, look: LookedAt) -> Iterator[str]:
    """How far a synthesis has come."""
    growing, going, came = look.growing, look.going, len(look.growing.calls)
    if not came:
        yield "Its chunks have come, and no call yet." if growing.chunks else "It has begun."
    elif going is None or one.about is None:
        yield Bold(counted(came, "call"))
        yield " answered so far."
    else:
        yield Bold(f"{came:,} of about {counted(max(one.about, came), 'call')}")
        yield f" answered, {_compared(going, came)}"


def _compared(going: GoingOn, came: int) -> str:
    if going.equal < came:
        return f"and in this mode the prompt of call {going.equal + 1:,} is not ours."
    return "its prompt verified." if came == 1 else f"all {came:,} prompts verified."


def _tags(look: LookedAt) -> None:
    st.html(tags_html(_about(look)))


def _about(look: LookedAt) -> Iterator[Tag]:
    growing, run = look.growing, look.growing.run
    if growing.service:
        yield growing.service, "exact"
    if run is not None:
        count = run.packing.tokenizer.count
        key = growing.trace_id, growing.key, len(run.chunks)
        tokens = workspace.current().remembered(
            "tokens of chunks", key, lambda: sum(map(count, run.texts))
        )
        yield f"{counted(len(run.chunks), 'chunk')} · {counted(tokens, 'token')}", "exact"
        window = f"window {run.helper.context_window:,}"
        yield f"{run.model} · {window}" if run.model else window, "exact"
        yield counting_tag(run.packing.tokenizer)
    if not growing.ended:
        mode = f"likely {growing.mode}" if growing.mode else "not known yet"
        yield f"mode: {mode}, certain with its last span", "estimate"


def _latest(calls: Sequence[CallRecord]) -> None:
    for call in calls:
        tokens, took = counted(call.output_tokens, "token"), duration(call.seconds)
        section(f"Latest answer · call {call.number:,} · {tokens} · {took}")
        st.html(answer_html(call.answer or call.error or ""))


def _ways(id: str, grows: bool, stepped: bool) -> None:
    """Draw the buttons; they are off where the other pages can't show the run, and say why.

    The steps of one that `grows` are shown on this page, also at its end if they are shown then.
    """
    file = live_runs()
    problem = file.shown.why_not_opened if file.runs else _GOES_ON
    with st.container(horizontal=True, key="live_ways", width="content"):
        if file.runs and problem is not None and file.shown.run.calls:
            opening.as_recorded_button(file)
        if grows or stepped:
            _steps_here("" if stepped else id)
        else:
            _button("Steps", ":material/footprint:", _to_steps, problem)
        _button("Where was it lost?", ":material/search:", opening.show, problem)
        off = problem is not None
        with st.popover("Re-plan", icon=":material/alt_route:", disabled=off, help=problem):
            compare = ":material/compare_arrows:"
            _button("Beside other modes, in Compare", compare, opening.compare, problem)
        _button("Contract", ":material/verified:", _to_contract, problem)


def _button(label: str, icon: str, way: Callable[[LiveRuns], None], problem: str | None) -> None:
    if st.button(label, icon=icon, disabled=problem is not None, help=problem):
        st.session_state[keys.LIVE_WAY] = way
        st.rerun()


def go() -> bool:
    """Go the way that was pressed; whether one was. Nothing may look at the page any more.

    Streamlit takes a look of the page that was left for a return to it, and shows nothing.
    """
    way: Callable[[LiveRuns], None] | None = st.session_state.pop(keys.LIVE_WAY, None)
    if way is None or not live_runs().runs:
        return False
    sleep(_IN_FLIGHT)
    way(live_runs())
    return True


def _steps_here(id: str) -> None:
    """Draw the button that shows the steps of this synthesis, or of none, on this page.

    It is one button, and draws the whole page: else the browser may keep what is to go.
    """
    label, icon = ("Steps", ":material/footprint:") if id else ("Flow", ":material/account_tree:")
    if st.button(label, icon=icon, key="live_steps_here"):
        st.session_state[keys.LIVE_STEPS] = id
        st.rerun()


def _to_steps(file: LiveRuns) -> None:
    opening.show(file, view="steps", step="1")


def _to_contract(file: LiveRuns) -> None:
    st.session_state[keys.EXPORT_OPEN] = True
    opening.show(file)
