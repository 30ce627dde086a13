"""What the server of a run counted: how far it is from our count, and what it did not read."""

import streamlit as st

from synth.html.escape import sentence_html
from synth.html.figures import alarm_html
from synth.runs.trace import Trace
from synth.words.coverage_words import counts_words, start_line
from synth.words.fact_words import unread_words
from ui.look.elements import section, small
from ui.settings import state
from ui.settings.chunk_list import Chunks
from ui.settings.request import Request
from ui.views import fact_line


def draw_alarm(trace: Trace, chunks: Chunks) -> None:
    """Draw what was read of what was sent; nothing for a run of which no cut is known."""
    if trace.counts.cut is not None:
        paths = fact_line.paths(trace, fact_line.expected(trace), chunks)
        st.html(alarm_html(trace, unread_words(paths)))


def draw_difference(trace: Trace, request: Request, count_factor: float) -> None:
    """Draw how the server's counts stand to ours, and offer to plan with them.

    `count_factor` is that of the page.
    """
    if words := counts_words(trace):
        st.html(sentence_html(words))
    factor = trace.counts.factor_beside(request.count_factor)
    if factor != count_factor:
        _offer(f"Plan with {factor:g} times the count", count_factor=factor)


def draw_ways_out(trace: Trace, request: Request) -> None:
    """Draw what helps where the server cut: the window that it has, or a larger one for it."""
    cut = trace.counts.cut
    if cut is None:
        return
    section("What to do")
    if request.context_window > cut.window:
        _offer(f"Set the window to {cut.window:,}", context_window=cut.window)
    small("Or give the server a larger one. This starts Ollama with what the run needs:")
    st.code(start_line(trace), language=None, wrap_lines=True)


def _offer(label: str, **setting: float) -> None:
    st.button(label, icon=":material/check:", on_click=state.update_and_rerun, kwargs=setting)
