"""The search and the filters of the list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta, tzinfo

import streamlit as st

from ui.history import summaries
from ui.history.history import History
from ui.history.summaries import Filter, Owner
from ui.history.tables import State

_BETWEEN = "Between two days"
_DAYS: dict[str, int | None] = {
    "Today": 1,
    "Last 7 days": 7,
    "Last 30 days": 30,
    "Last 90 days": 90,
    "Last 365 days": 365,
    "Any time": None,
    _BETWEEN: None,
}
"""The periods, and how many days each has."""

_PINNED, _INTERRUPTED = "Pinned", "Interrupted"
_STATE: State = "interrupted"


@dataclass(frozen=True)
class Chosen:
    """The filter, the words for its period, and how many runs in it were interrupted."""

    filter: Filter
    period: str
    interrupted: int


def choose(history: History, owner: Owner, local: tzinfo) -> Chosen:
    """Draw the search and the filters."""
    modes, models = summaries.choices(history, owner)
    with st.container(horizontal=True, vertical_alignment="center", key="runs_filters"):
        words = st.text_input(
            "Search",
            placeholder="Search questions, answers, notes",
            icon=":material/search:",
            label_visibility="collapsed",
            key="runs_words",
            persist_state="session",
            width=290,
        )
        mode = _one_of("Mode", "Any mode", modes, "runs_mode")
        model = _one_of("Model", "Any model", models, "runs_model")
        period = st.selectbox(
            "Period",
            list(_DAYS),
            index=2,
            label_visibility="collapsed",
            key="runs_period",
            persist_state="session",
            width=165,
        )
        since, until = _between(local) if period == _BETWEEN else (_since(period, local), None)
        chosen = Filter(words, mode, model, since=since, until=until)
        interrupted = replace(chosen, states=[_STATE])
        count = summaries.found(history, owner, interrupted, limit=0).count
        only = _pills(count)
    states = interrupted.states if _INTERRUPTED in only else ()
    wanted = replace(chosen, states=states, pinned=_PINNED in only)
    return Chosen(wanted, _in_words(period, since, until), count)


def _one_of(label: str, every: str, names: Sequence[str], key: str) -> tuple[str, ...]:
    if st.session_state.get(key) not in (None, *names):  # its last run was deleted
        st.session_state[key] = None
    name = st.selectbox(
        label,
        names,
        index=None,
        placeholder=every,
        label_visibility="collapsed",
        key=key,
        persist_state="session",
        width=165,
    )
    return () if name is None else (name,)


def _pills(interrupted: int) -> Sequence[str]:
    labels = {_PINNED: _PINNED, _INTERRUPTED: f"{_INTERRUPTED} {interrupted:,}"}
    return st.pills(
        "Only",
        list(labels),
        selection_mode="multi",
        format_func=lambda name: labels[name],
        label_visibility="collapsed",
        key="runs_only",
        persist_state="session",
        width="content",
    )


def _midnight(local: tzinfo, days_ago: int = 0) -> datetime:
    today = datetime.now(local).date()
    return datetime.combine(today - timedelta(days=days_ago), time(), local)


def _since(period: str, local: tzinfo) -> datetime | None:
    days = _DAYS[period]
    return None if days is None else _midnight(local, days - 1)


def _between(local: tzinfo) -> tuple[datetime | None, datetime | None]:
    """The midnights before the first and after the last chosen day; None while one is missing."""
    today = datetime.now(local).date()
    days = st.date_input(
        "Days",
        (today - timedelta(days=6), today),
        label_visibility="collapsed",
        key="runs_days",
        persist_state="session",
        width=220,
    )
    first, last = (*days, None, None)[:2] if isinstance(days, tuple) else (days, days)
    since = None if first is None else datetime.combine(first, time(), local)
    until = None if last is None else datetime.combine(last + timedelta(days=1), time(), local)
    return since, until


def _in_words(period: str, since: datetime | None, until: datetime | None) -> str:
    if period != _BETWEEN:
        return {"Today": "today", "Any time": ""}.get(period, f"in the {period.lower()}")
    if since is None or until is None:
        return ""
    last = until - timedelta(days=1)
    return f"from {since.day} {since:%b %Y} to {last.day} {last:%b %Y}"
