"""The words of the page: states, titles, what a run took; the head of a run, and its tables."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo

import streamlit as st

from synth.html.markup import tag
from synth.text.wording import counted, dollars, duration
from ui.look.elements import small, when
from ui.settings.changes import changes
from ui.settings.request import Request
from ui.store.tables import RunInfo

STATES = {
    "done": "✓ done",
    "interrupted": "‖ interrupted",
    "stopped": "□ stopped",
    "failed": "✕ failed",
    "running": "… running",
    "incomplete": "… incomplete",
}
"""Each state as a sign and a word."""


LONGEST_TITLE = 80  # characters


def title(run: RunInfo) -> str:
    """The name that a person gave the run, else its question."""
    return run.name or run.question or "(no question)"


def tokens(run: RunInfo) -> int:
    """The tokens of a run's prompts and answers."""
    return run.prompt_tokens + run.output_tokens


def spent(run: RunInfo) -> str:
    """The tokens, the cost and the time of a run."""
    cost = "price unknown" if run.dollars is None else dollars(run.dollars)
    return f"{counted(tokens(run), 'token')}, {cost}, {duration(run.seconds)}"


def draw(run: RunInfo, local: tzinfo) -> None:
    """Draw it, with the question below the name of a run that has one."""
    facts = [when(run.started, local), *(["pinned"] * run.pinned), f"from {run.page}"]
    if run.name:
        facts.append(run.question)
    draw_title(title(run))
    small(" · ".join(facts))


def draw_title(text: str) -> None:
    """Draw the title of a run, or of several that have the same."""
    st.html(tag("div.run-title", text, dir="auto"))


def row_words(runs: Sequence[RunInfo], requests: Mapping[str, Request], local: tzinfo) -> list[str]:
    """The words of each row; `runs` are the latest first, `requests` are theirs by id."""
    times = {run.id: f"{run.started.astimezone(local):%H:%M}" for run in runs}
    words = []
    for at, run in enumerate(runs):
        before = next((one for one in runs[at + 1 :] if one.question == run.question), None)
        parts = [f"branch of {times.get(run.parent, 'an older run')}"] if run.parent else []
        if run.reused:
            parts.append(f"{counted(run.reused, 'answer')} reused")
        if before is not None and run.id in requests and before.id in requests:
            parts += _changed(before, run, requests)
        words.append("; ".join(parts))
    return words


def _changed(before: RunInfo, run: RunInfo, requests: Mapping[str, Request]) -> list[str]:
    """Name settings, templates and chunks that changed; mode and model have columns."""
    old, new = requests[before.id], requests[run.id]
    own = ("mode", "model", "templates", "measured", "text_chunks", "positions", "scores")
    same = replace(old, **{name: getattr(new, name) for name in own})
    parts = changes(same, new) if same != new else []
    before_texts = dict(old.templates)  # a template that one mode alone has is no difference
    if any(before_texts.get(name, texts) != texts for name, texts in new.templates):
        parts.append("other templates")
    return parts + ["other chunks"] * (old.text_chunks != new.text_chunks)
