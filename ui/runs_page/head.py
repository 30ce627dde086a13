"""The head of a ticked run: its title, and when and where it was made."""

from __future__ import annotations

from datetime import tzinfo

import streamlit as st

from ui.history.tables import Summary
from ui.look.elements import small, when
from ui.look.html import tag
from ui.runs_page.words import title


def draw(run: Summary, local: tzinfo) -> None:
    """Draw it, with the question below the name of a run that has one."""
    facts = [when(run.started, local), *(["pinned"] * run.pinned), f"from {run.page}"]
    if run.name:
        facts.append(run.question)
    draw_title(title(run))
    small(" · ".join(facts))


def draw_title(text: str) -> None:
    """Draw the title of a run, or of several that have the same."""
    st.html(tag("div.run-title", text, dir="auto"))
