"""The alarm: the server read less of a prompt than it was sent, and what can be done about it."""

from dataclasses import replace

import streamlit as st

from synth.html.escape import legend_html
from synth.html.figures import alarm_html
from synth.html.markup import tag
from synth.pictures.sent_and_read import longest_cut, sent_and_read
from synth.runs.cuts import Cut
from synth.runs.trace import Trace
from synth.text.wording import agreeing, counted
from synth.words import count_words
from synth.words.coverage_words import cut_off_tokens
from synth.words.fact_words import unread_words
from ui.look.elements import section, small
from ui.plans.plan_range import plan_range
from ui.settings import state
from ui.settings.request import Request
from ui.views import fact_line
from ui.views.run_views import RunView, draw_sized


def draw(view: RunView, trace: Trace) -> None:
    """The box with what was read of what was sent; nothing for a run of which no cut is known."""
    if trace.counts.cut is not None:
        paths = fact_line.paths(view, trace, fact_line.expected(trace))
        st.html(alarm_html(trace, unread_words(paths)))


def what_to_do(trace: Trace, request: Request) -> None:
    """The ways out: plan for the window that the server has, or give it a larger one."""
    cut = trace.counts.cut
    if cut is None:
        return
    section("What to do")
    with st.container(border=True):
        smaller = request.context_window > cut.window
        if smaller:
            _plan_for(request, cut.window)
        _enlarge(trace, cut, "Or give" if smaller else "Give")
    small("Coverage shows what the server cut; so do the facts in Questions of Compare.")


def figure(view: RunView, trace: Trace) -> None:
    """What was sent and read of the longest prompt that was cut."""
    cut = trace.counts.cut
    if cut is None:
        return
    cutting = view.remembered("longest cut", lambda: longest_cut(trace, cut))
    section(f"Call {cutting.call}, sent and read, in tokens")
    kinds = [kind for kind, tokens in cutting.budget.parts.items() if tokens]
    st.html(legend_html([*kinds, "reserved", "unread"]))
    draw_sized(view, "sent_and_read", lambda width: sent_and_read(cutting, width))


def _plan_for(request: Request, window: int) -> None:
    """The window that the server has, and what the run would be with it."""
    plan = plan_range(replace(request, context_window=window)).high
    st.html(tag("b", "Plan for the window the server has"))
    if plan is not None and plan.calls:
        lost = cut_off_tokens(plan)
        are = agreeing("are", lost)
        rest = f"{counted(lost, 'token')} of chunks {are} cut off" if lost else "nothing is cut off"
        calls = counted(plan.call_count, "call")
        small(f"{request.mode} makes {calls} of at most {window:,} tokens, and {rest}.")
    st.button(
        f"Set the window to {window:,}",
        icon=":material/check:",
        type="primary",
        key="plan_for_server",
        on_click=state.take,
        kwargs={"context_window": window},
    )


def _enlarge(trace: Trace, cut: Cut, begins: str) -> None:
    window = count_words.needed_window(trace, cut)
    st.html(tag("b.num", f"{begins} the server a window of {window:,}"))
    small(f"{count_words.needed_words(trace, cut)} This starts Ollama with such a window:")
    st.code(count_words.start_line(window), language=None, wrap_lines=True)
