"""The page that says what is kept of a workspace, where and for how long, and that deletes it."""

from collections.abc import Iterator

import streamlit as st

from synth.html.markup import pairs
from synth.text.wording import counted, listed, marked
from ui.history import history as opened
from ui.history import keeping
from ui.history.history import History
from ui.history.keeping import Kept
from ui.history.problems import HistoryError
from ui.kept import deletion
from ui.look.elements import box, error_box, lead, section, when, zone
from ui.session import browser, keys, workspace
from ui.session.host import host

_WHOLE = "**{runs}** of this workspace and about **{size}** in all are kept{since}."
_NOTHING = "**Nothing** is kept of this workspace yet."


def draw() -> None:
    """The whole page."""
    try:
        history = opened.history()
        kept = keeping.kept(history, workspace.current().id)
        rows = [*_where(history), *_what(kept), *_how_long(), *_elsewhere()]
    except HistoryError as problem:
        error_box("What is kept can't be said.", str(problem))
        return
    lead(_sentence(kept))
    with st.container(key="kept"):
        st.html(pairs(rows))
        _deletion(kept)


def _sentence(kept: Kept) -> list[str]:
    if not kept.size:
        return marked(_NOTHING)
    since = "" if kept.since is None else f" since {when(kept.since, zone())}"
    return marked(_WHOLE, runs=counted(kept.runs, "run"), size=size(kept.size), since=since)


def size(count: int) -> str:
    """A number of bytes, such as "12 kB"."""
    for unit, power in (("MB", 1_000_000), ("kB", 1_000)):
        if count >= power:
            return (
                f"{count / power:,.1f} {unit}"
                if count < 10 * power
                else f"{count // power:,} {unit}"
            )
    return counted(count, "byte")


def _where(history: History) -> Iterator[tuple[str, str]]:
    if history.database.folder is None:
        yield "Where", "In a database server, which the servers of this app share."
    elif browser.is_own_machine():
        yield "Where", f"In {history.database.place} on this machine, readable by you alone."
    else:
        yield "Where", "In a file of this server, which only the user who runs it can read."


def _what(kept: Kept) -> Iterator[tuple[str, str]]:
    if kept.size:
        yield "What", f"{listed(_parts(kept))}."
    if kept.deleted_runs:
        deleted = counted(kept.deleted_runs, "run")
        yield "Deleted", f"{deleted} of these can be brought back for a day, and then go."
    yield "Never", "API keys: they stay in memory, and are written nowhere."


def _parts(kept: Kept) -> list[str]:
    """What is kept, as "3 runs with 12 calls" and "9 values that you entered"."""
    runs = f"{counted(kept.runs, 'run')} with {counted(kept.calls, 'call')}"
    values = f"{counted(kept.values, 'value')} that you entered"
    counts = {runs: kept.runs, values: kept.values}
    return [words for words, count in counts.items() if count]


def _how_long() -> Iterator[tuple[str, str]]:
    days, backups = host().keep_days, host().backup_days
    if days is None:
        yield "For how long", "Until you delete it: nothing goes by itself."
    else:
        yield (
            "For how long",
            f"A run goes {counted(days, 'day')} after it ended, pinned or not; the rest"
            f" {counted(days, 'day')} after the last change or run.",
        )
    if backups is None and browser.is_own_machine():
        yield "In backups", "Those that you make of this machine have it too."
    elif backups is None:
        yield "In backups", "Who runs this server knows whether there are any, and for how long."
    else:
        held = counted(backups, "more day")
        yield "In backups", f"What was deleted stays for {held} in copies of the database."


def _elsewhere() -> Iterator[tuple[str, str]]:
    yield (
        "Elsewhere",
        "Links and files that you made hold what was in them, and whoever opened one has a copy."
        " An endpoint that you chose keeps what its owner says.",
    )


def _deletion(kept: Kept) -> None:
    """Draw the button that deletes the workspace; pressed, it asks once more."""
    if problem := st.session_state.pop(keys.DELETION_PROBLEM, None):
        error_box("Nothing was deleted.", problem)
    if not st.session_state.get(keys.ASKED_TO_DELETE):
        section("Delete it")
        st.button("Delete this workspace", icon=":material/delete:", on_click=_ask, args=(True,))
        return
    asked = box(
        f"Delete {listed(_parts(kept)) or 'this workspace'}?",
        "It can't be undone. Runs that go on are stopped, and the address opens nothing any more,"
        " for whoever has it.",
    )
    with asked.container(horizontal=True):
        st.button("Delete it now", type="primary", on_click=_delete)
        st.button("Keep it", on_click=_ask, args=(False,))


def _ask(asked: bool) -> None:
    st.session_state[keys.ASKED_TO_DELETE] = asked


def _delete() -> None:
    try:
        deletion.delete(workspace.current().id)
    except HistoryError as problem:
        st.session_state[keys.DELETION_PROBLEM] = str(problem)
    else:
        deletion.leave()
