"""The words of the page: times of the browser, states, numbers."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from synth.wording import counted, dollars, duration
from ui.history.summaries import Summary

STATES = {
    "done": "✓ done",
    "interrupted": "‖ interrupted",
    "stopped": "□ stopped",
    "failed": "✕ failed",
    "running": "… running",
}
"""Each state as a sign and a word."""


def zone() -> tzinfo:
    """The time zone of the browser; UTC if it names none that is known here."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def day(moment: datetime, now: datetime) -> str:
    """A day such as "today", "yesterday", "20 Nov", "20 Nov 2025"."""
    ago = (now.date() - moment.date()).days
    if ago in (0, 1):
        return ("today", "yesterday")[ago]
    return f"{moment.day} {moment:%b}" + ("" if moment.year == now.year else f" {moment.year}")


def when(moment: datetime, local: tzinfo) -> str:
    """A time in this time zone, such as "today 14:12"."""
    there = moment.astimezone(local)
    return f"{day(there, datetime.now(local))} {there:%H:%M}"


def title(run: Summary) -> str:
    """The name that a person gave the run, else its question."""
    return run.name or run.question or "(no question)"


def tokens(run: Summary) -> int:
    """The tokens of a run's prompts and answers."""
    return run.prompt_tokens + run.output_tokens


def cost(run: Summary) -> str:
    """What a run cost."""
    return "price unknown" if run.dollars is None else dollars(run.dollars)


def spent(run: Summary) -> str:
    """The tokens, the cost and the time of a run."""
    return f"{counted(tokens(run), 'token')}, {cost(run)}, {duration(run.seconds)}"
