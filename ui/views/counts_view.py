"""Both counts of a run's prompts, and the correction that they speak for."""

import streamlit as st

from synth.runs.counts import Line
from synth.runs.trace import Trace
from synth.text.measured import correction_of, spec_of
from synth.text.wording import counted, duration
from ui.look.elements import small
from ui.look.escape import sentence_html, tags_html
from ui.look.html import tag
from ui.settings import state
from ui.traces import count_words


def headline(trace: Trace) -> bool:
    """Draw how the server's counts stand to ours; False where there is nothing to say."""
    words = count_words.counts_sentence(trace)
    if not words or trace.counts.cut is not None:
        return False
    calls = f"{trace.setup.mode} · {counted(trace.call_count, 'call')} · {duration(trace.seconds)}"
    tokenizer = trace.setup.tokenizer
    tags: count_words.Tags = [
        (tokenizer.counting, "exact" if tokenizer.sure else "estimate"),
        *count_words.counts_tag(trace.counts),
        (calls, "exact"),
    ]
    st.html(sentence_html(words) + tags_html(tags))
    return True


def has_correction(trace: Trace) -> bool:
    """Whether something was measured that an estimate can be corrected with."""
    return trace.counts.line is not None and not trace.setup.tokenizer.sure


def correction(trace: Trace) -> None:
    """Draw what was measured, and the button that plans with it; nothing where counts are sure."""
    line = trace.counts.line
    if line is None or not has_correction(trace):
        return
    base = trace.setup.tokenizer.name
    if (measured := correction_of(base)) is not None:
        base = measured[1]
    with st.container(border=True, key="measured"):
        st.html(tag("b.num", f"Measured: {count_words.line_words(line)}"))
        small(
            "What every call has more is its chat template; what grows with the text is its"
            " tokenizer."
        )
        if measured is None:
            st.button(
                "Count with these",
                icon=":material/check:",
                type="primary",
                on_click=state.take,
                kwargs={"tokenizer": spec_of(line.correction, base)},
            )
        small(_with_it(trace, line))


def _with_it(trace: Trace, line: Line) -> str:
    prompts = [line.of(call.ours) for call in trace.counts.calls]
    fullest = max(prompts) + trace.setup.num_output
    return (
        f"With them the plan of this run would have been {sum(prompts):,} prompt tokens instead of"
        f" {trace.counts.ours:,}, the fullest call {fullest:,} of {trace.setup.context_window:,},"
        f" and off by at most {line.miss:,} a call."
    )
