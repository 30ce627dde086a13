"""The list of the runs: its search and filters, and a page of it in which runs are ticked."""

import zlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta, tzinfo
from typing import Any

import streamlit as st

from synth.text.wording import short
from ui.look.elements import Columns, dropdown, one_of, small, table, whole_numbers
from ui.pages.runs.run_words import LONGEST_TITLE, STATES, row_words, title, tokens
from ui.session import keys, workspace
from ui.store import runs as saved_runs
from ui.store.runs import Filter, Owner, RunPage
from ui.store.store import Store
from ui.store.tables import RunInfo, State

PAGE = 100
"""Runs that are drawn at once."""

_ROW, _ROWS = 29, 17  # pixels of a row; rows before the table scrolls

_COLUMNS: dict[str, Any] = {
    "Question": st.column_config.TextColumn(width=126),
    "Mode": st.column_config.TextColumn(width=112),
    "Differs": st.column_config.TextColumn(
        width=110, help="From the run before with the same question"
    ),
    "Model": st.column_config.TextColumn(width=76),
    "Calls": whole_numbers(width=50, help="Sent, also again and where no answer came"),
    "Tokens": whole_numbers(width=64),
    "Cost": st.column_config.NumberColumn(width=84, help="In US dollars"),
    "Seconds": st.column_config.NumberColumn(width=66, format="%.2f"),
    "State": st.column_config.TextColumn(width=96),
    "Pin": st.column_config.TextColumn(width=36),
}


def draw(
    store: Store, found: RunPage, received: Sequence[RunInfo], wanted: Filter, local: tzinfo
) -> list[RunInfo]:
    """Draw a page of the list, the first with those sent; returns the ticked runs."""
    saved = [run.id for run in found.runs]
    requests = workspace.current().remember(
        "listed requests", tuple(saved), lambda: saved_runs.load_requests(store, saved)
    )
    words = dict(zip(saved, row_words(found.runs, requests, local), strict=True))
    runs = list(found.runs)
    if offset(wanted) == 0:
        words |= {run.id: f"sent by {run.page or 'an application'}" for run in received}
        runs = sorted([*runs, *received], key=lambda run: run.started, reverse=True)
    ids = [run.id for run in runs]
    rows = _ticked_rows(ids, saved)
    key = f"runs_table {zlib.crc32(' '.join(ids).encode())}"
    table(
        _columns(runs, [words[id] for id in ids]),
        _COLUMNS | {"Time": _time_column(runs, local)},
        money=["Cost"],
        key=key,
        row_height=_ROW,
        height=_ROW * min(len(ids), _ROWS) + 40,
        on_select=lambda: _tick(key, ids),
        selection_mode="multi-row",
        selection_default={"selection": {"rows": rows}},
        placeholder="unknown",
        alt="The runs; tick one to see it, several to compare them",
    )
    _pages(found, len(received), wanted)
    return [runs[at] for at in rows]


def _ticked_rows(ids: Sequence[str], saved: Sequence[str]) -> list[int]:
    ticked = st.session_state.get(keys.TICKED_RUNS)
    if ticked == []:
        return []
    return [at for at, id in enumerate(ids) if id in (ticked or ())] or [
        ids.index(id) for id in saved[:1]
    ]


def _tick(key: str, ids: Sequence[str]) -> None:
    rows = st.session_state[key]["selection"]["rows"]
    st.session_state[keys.TICKED_RUNS] = [ids[at] for at in sorted(rows) if at < len(ids)]


def _time_column(runs: Sequence[RunInfo], local: tzinfo) -> Any:
    years = {run.started.astimezone(local).year for run in runs}
    form = "D MMM HH:mm" if len(years) == 1 else "D MMM YYYY HH:mm"
    return st.column_config.DatetimeColumn(
        width=98,
        help="When it began; a run made elsewhere: when it came here",
        format=form,
        timezone=str(local),
    )


def _columns(runs: Sequence[RunInfo], differs: Sequence[str]) -> Columns:
    return {
        "Time": [run.started for run in runs],
        "Question": [short(title(run), LONGEST_TITLE) for run in runs],
        "Mode": [run.mode for run in runs],
        "Differs": list(differs),
        "Model": ["you" if run.by_person else run.model for run in runs],
        "Calls": [run.requests for run in runs],
        "Tokens": [tokens(run) for run in runs],
        "Cost": [run.dollars for run in runs],
        "Seconds": [run.seconds for run in runs],
        "State": [STATES[run.state] for run in runs],
        "Pin": ["●" if run.pinned else "" for run in runs],
    }


def _pages(found: RunPage, received: int, wanted: Filter) -> None:
    first = offset(wanted)
    last = first + len(found.runs)
    with st.container(horizontal=True, vertical_alignment="center", key="runs_pages"):
        part = "" if found.count == len(found.runs) else f"{first + 1:,} to {last:,} of "
        saved = f"{part}{found.count:,} shown" if found.count else ""
        sent = f"{received:,} sent by applications" if received else ""
        shown = ", and ".join(filter(None, [saved, sent]))
        small(f"{shown}. Tick one to see it, several to compare them.")
        if found.count > len(found.runs):
            _turn("Newer", ":material/chevron_left:", (wanted, first - PAGE), first > 0)
            _turn("Older", ":material/chevron_right:", (wanted, last), last < found.count)


def _turn(label: str, icon: str, to: tuple[Filter, int], there: bool) -> None:
    st.button(label, icon=icon, disabled=not there, on_click=_turn_to, args=(to,))


def _turn_to(to: tuple[Filter, int]) -> None:
    st.session_state[keys.RUNS_FROM] = to
    st.session_state.pop(keys.TICKED_RUNS, None)


def offset(wanted: Filter) -> int:
    """How many newer runs stand on the pages before the one that is shown of this list."""
    filter, first = st.session_state.get(keys.RUNS_FROM, (None, 0))
    return int(first) if filter == wanted else 0


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


def choose(store: Store, owner: Owner, local: tzinfo) -> Filter:
    """Draw the search and the filters; returns what they let through."""
    modes, models = saved_runs.find_choices(store, owner)
    with st.container(horizontal=True, vertical_alignment="center", key="runs_filters"):
        words = st.text_input(
            "Search",
            placeholder="Search questions, answers, run notes",
            icon=":material/search:",
            label_visibility="collapsed",
            key="runs_words",
            persist_state="session",
            width=290,
        )
        # One that was chosen is no option any more where its last run was deleted.
        mode = one_of("Mode", "Any mode", modes, "runs_mode", 165)
        model = one_of("Model", "Any model", models, "runs_model", 165)
        period = dropdown("Period", list(_DAYS), "runs_period", first=2, width=165)
        since, until = _between(local) if period == _BETWEEN else (_since(period, local), None)
        modes, models = ([one] if one else [] for one in (mode, model))
        chosen = Filter(words, modes, models, since=since, until=until)
        interrupted = replace(chosen, states=[_STATE])
        count = saved_runs.find(store, owner, interrupted, limit=0).count
        only = _pills(count)
    states = interrupted.states if _INTERRUPTED in only else ()
    return replace(chosen, states=states, pinned=_PINNED in only)


def _pills(interrupted: int) -> Sequence[str]:
    labels = {_PINNED: _PINNED, _INTERRUPTED: f"{_INTERRUPTED} {interrupted:,}"}
    return st.pills(
        "Only",
        list(labels),
        selection_mode="multi",
        wrap=True,
        format_func=lambda name: labels[name],
        label_visibility="collapsed",
        key="runs_only",
        persist_state="session",
        width="content",
    )


def _since(period: str, local: tzinfo) -> datetime | None:
    if (days := _DAYS[period]) is None:
        return None
    first = datetime.now(local).date() - timedelta(days=days - 1)
    return datetime.combine(first, time(), local)


def _between(local: tzinfo) -> tuple[datetime | None, datetime | None]:
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
