"""The list of the runs: its search and kinds, and its rows, which are ticked and opened."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple, cast

import streamlit as st

from synth.errors import ImportedRunError
from synth.html.markup import Html, tag
from synth.runs.trace import Trace
from synth.text.wording import short
from ui.controls.modes import picture_rule
from ui.imported.rows import SAME, ListRow, RunKind
from ui.look.elements import button_row, day, small, zone
from ui.session import keys, workspace
from ui.store import runs as saved_runs
from ui.store.runs import Owner
from ui.store.store import Store
from ui.store.tables import RunInfo

PAGE = 50
"""Runs that are drawn at first, and that each press on More adds."""

LONGEST_TITLE = 80  # characters
_ICONS: dict[RunKind, str] = {
    "made here": "play_circle",
    "from a file": "description",
    "received": "sensors",
}
_HEADS = ("", "", "time", "question", "", "mode", "model", "calls", "tokens", "outcome")
_ALL = "All"


def choose() -> tuple[str, RunKind | None]:
    """Draw the search and the kinds; returns the words, and the kind if one is chosen."""
    with st.container(horizontal=True, vertical_alignment="center", key="runs_filters"):
        words = st.text_input(
            "Search",
            placeholder="Search questions and answers",
            icon=":material/search:",
            label_visibility="collapsed",
            key="runs_words",
            persist_state="session",
            width=300,
        )
        kind = button_row("Kind", [_ALL, *_ICONS], "runs_kind", format_func=_label)
    return words, None if kind == _ALL else cast(RunKind, kind)


def _label(kind: str) -> str:
    return kind if kind == _ALL else f":material/{_ICONS[cast(RunKind, kind)]}: {kind}"


class _Look(NamedTuple):
    """The CSS rule of a run's small picture, and whether its server cut prompts without a word."""

    rule: str = ""
    is_cut: bool = False


def draw(store: Store, owner: Owner, rows: Sequence[ListRow], ticked: Sequence[str]) -> None:
    """Draw the rows; a click tells `tick`, `untick` or `open`, and the id of a run. StoreError."""
    versions = {(row.info.id, row.info.state, row.info.calls): row for row in rows}
    looks = workspace.current().remember_all(
        "looks of runs", versions, lambda version: _look_into(store, owner, versions[version])
    )
    st.html(f"<style>{''.join(look.rule for look in looks.values())}</style>")
    now = datetime.now(zone())
    body = (
        _row_html(row, row.info.id in ticked, looks[version].is_cut, now)
        for version, row in versions.items()
    )
    heads = tag("tr", *(tag("th", head, scope="col") if head else tag("td") for head in _HEADS))
    inside = tag("table", tag("thead", heads), tag("tbody", *body))
    st.html(tag("div.run-list.num", inside))


def _look_into(store: Store, owner: Owner, row: ListRow) -> _Look:
    """Look into a run that is saved, or that is the same here; of others nothing is known."""
    trace: Trace | None = None
    if row.is_saved:
        with suppress(ImportedRunError):  # who opens it reads what is damaged
            run = saved_runs.load_run(store, owner, row.info.id)
            trace = None if run is None else run.trace
    elif row.recording is not None and row.outcome.sign == SAME:
        trace = row.recording.trace
    if trace is None or not trace.calls:
        return _Look()
    rule = picture_rule(f'.run-list [data-run="{row.info.id}"]', trace)
    return _Look(rule, trace.counts.cut is not None)


def _row_html(row: ListRow, is_ticked: bool, is_cut: bool, now: datetime) -> Html:
    run, name = row.info, short(write_title(row.info), LONGEST_TITLE)
    tick = tag(
        "button.tick",
        "✓" if is_ticked else "",
        type="button",
        role="checkbox",
        aria_checked=str(is_ticked).lower(),
        aria_label=f"Tick {name}",
        id=f"tick-{run.id}",
        data_click=f"{'untick' if is_ticked else 'tick'} {run.id}",
    )
    icon = tag("span.icon", _ICONS[row.kind], aria_hidden="true")
    opens = tag(
        "button.opens",
        name,
        type="button",
        dir="auto",
        id=f"open-{run.id}",
        data_click=f"open {run.id}",
    )
    cells = (
        tag("td.box", tick),
        tag("td.kind", icon, tag("span.unseen", row.kind)),
        tag("td.time", _time(run, now)),
        tag("th.title", opens, *_below(run), scope="row"),
        tag("td.sign", data_run=run.id),
        tag("td.mode", run.mode),
        tag("td.model", "you" if run.by_person else run.model),
        tag("td.amount", _calls(run)),
        tag("td.amount", f"{count_tokens(run):,}"),
        tag("td.outcome", *_outcome(row, is_cut)),
    )
    return tag("tr.ticked" if is_ticked else "tr", *cells)


def _below(run: RunInfo) -> Iterator[Html]:
    """What stands below the title: the question of a run with a name, and its note."""
    words = [run.question] if run.name else []
    if run.note:
        words.append(run.note)
    if words:
        yield tag("div.small.muted", short(" · ".join(words), 2 * LONGEST_TITLE), dir="auto")


def _outcome(row: ListRow, is_cut: bool) -> Iterator[Html]:
    words, sign, needs_look = row.outcome
    if sign:
        yield tag("span.mark", sign, aria_hidden="true")
    yield tag("b" if needs_look else "span", words)
    if is_cut:
        yield tag("b", f"{', ' if words else ''}cut off by the server")


def _time(run: RunInfo, now: datetime) -> str:
    there = run.started.astimezone(now.tzinfo)
    return f"{there:%H:%M}" if there.date() == now.date() else day(there, now)


def _calls(run: RunInfo) -> str:
    if run.state != "done" and run.planned is not None and run.calls < run.planned:
        return f"{run.calls:,} of {run.planned:,}"
    return f"{run.requests:,}"


def write_title(run: RunInfo) -> str:
    """Return the name that a person gave the run, else its question."""
    return run.name or run.question or "(no question)"


def count_tokens(run: RunInfo) -> int:
    """Count the tokens of a run's prompts and answers."""
    return run.prompt_tokens + run.output_tokens


def draw_more(drawn: int, count: int) -> None:
    """Draw how many of the saved runs are drawn, and a button for more; nothing if all are."""
    if count <= drawn:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="runs_more"):
        small(f"The latest {drawn:,} of {count:,}")
        st.button("More", on_click=_add_more, args=(drawn + PAGE,))


def _add_more(drawn: int) -> None:
    st.session_state[keys.RUNS_DRAWN] = drawn
