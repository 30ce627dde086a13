"""Both counts of a run's prompts: how they stand to each other, and what they would correct."""

import streamlit as st

from synth.html.escape import counting_tag, sentence_html, tags_html
from synth.html.markup import tag
from synth.runs.counts import Line
from synth.runs.trace import Trace
from synth.text.specs import Spec
from synth.text.wording import Tag, counted, duration
from synth.words import count_words
from ui.look.elements import small
from ui.settings import state
from ui.settings.model import asking_nobody
from ui.views.run_views import RunView


def headline(trace: Trace) -> bool:
    """Draw how the server's counts stand to ours; False where there is nothing to say."""
    words = count_words.counts_sentence(trace)
    if not words:
        return False
    calls = f"{trace.setup.mode} · {counted(trace.call_count, 'call')} · {duration(trace.seconds)}"
    tags: list[Tag] = [
        counting_tag(trace.setup.tokenizer),
        *count_words.difference_tags(trace.counts),
        (calls, "exact"),
    ]
    st.html(sentence_html(words) + tags_html(tags))
    return True


def correction(view: RunView) -> None:
    """Draw what a run measured, and the button that plans with it where nothing measured is used.

    Nothing where there is no estimate to be corrected.
    """
    trace = view.run
    if view.recorded or not isinstance(trace, Trace) or trace.setup.tokenizer.sure:
        return
    line = trace.counts.line
    if line is None:
        return
    spec = Spec.of(trace.setup.tokenizer.name)
    with st.container(border=True, key="measured"):
        st.html(tag("b.num", f"Measured: {count_words.line_words(line)}"))
        small(
            "What every call has more is likely its chat template; what grows with the text, its"
            " tokenizer."
        )
        if spec.correction is None:
            st.button(
                "Count with these",
                icon=":material/check:",
                type="primary",
                on_click=state.take,
                kwargs={"tokenizer": asking_nobody(str(spec._replace(correction=line.correction)))},
            )
        small(_with_it(trace, line))


def _with_it(trace: Trace, line: Line) -> str:
    """What the prompts of this run have by this measure, and how far it is off."""
    prompts = [line.of(call.ours) for call in trace.counts.calls]
    fullest = max(prompts) + trace.setup.num_output
    read = "" if trace.counts.cut is None else " that was read whole"
    return (
        f"Counted so, the prompts of this run have {sum(prompts):,} tokens instead of"
        f" {trace.counts.ours:,}, and the fullest call needs {fullest:,} of"
        f" {trace.setup.context_window:,}. The count of no call{read} is off by more than"
        f" {line.miss:,}."
    )
