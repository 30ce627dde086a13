"""The saved runs in short: whose they are, how they are found, what a person changes of them."""

from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from datetime import datetime
from enum import Enum
from time import time
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    case,
    func,
    select,
    update,
)

from ui.history.history import History
from ui.history.tables import RUN, RUNNING, State, Summary, next_moment
from ui.history.written import searched_notes, shown

_DAY = 86_400  # seconds
UNDO_SECONDS = _DAY
"""How long a deleted run can be restored; after that it is gone from the database."""

_COLUMNS = [RUN.c[field.name] for field in fields(Summary)]


class Every(Enum):
    """All workspaces, in the place of one: only for who may see the runs of all of them."""

    WORKSPACE = "every workspace"


Owner = str | Every
"""The workspace whose runs are looked for, or all."""


def runs_of(owner: Owner) -> tuple[ColumnElement[bool], ...]:
    """The conditions for the runs of an owner that were not deleted."""
    return *_of_owner(owner), RUN.c.deleted.is_(None)


def _of_owner(owner: Owner) -> tuple[ColumnElement[bool], ...]:
    """The conditions for the runs of an owner, deleted ones too."""
    return () if isinstance(owner, Every) else (RUN.c.workspace == owner,)


@dataclass(frozen=True)
class Filter:
    """What runs are looked for: empty and None mean any. Times include `since`, not `until`.

    `words` must each stand in the question, the answer, the name or the note, in any case.
    """

    words: str = ""
    modes: Collection[str] = ()
    models: Collection[str] = ()
    states: Collection[State] = ()
    since: datetime | None = None
    until: datetime | None = None
    pinned: bool = False


@dataclass(frozen=True)
class Found:
    """How many runs were found, and a page of them, the latest first."""

    count: int
    runs: tuple[Summary, ...]


def found(
    history: History, owner: Owner, wanted: Filter, limit: int = 100, offset: int = 0
) -> Found:
    """The runs of an owner that the filter lets through, `limit` of them from `offset` on."""
    with history.read() as connection:
        living = history.presence.living(connection)
        where = _where(owner, wanted, living)
        count = connection.scalar(select(func.count()).select_from(RUN).where(*where)) or 0
        page = select(*_COLUMNS).where(*where).order_by(RUN.c.moment.desc(), RUN.c.id)
        rows = connection.execute(page.limit(limit).offset(offset)).all()
    return Found(count, tuple(_summary(row, living) for row in rows))


def by_id(connection: Connection, history: History, owner: Owner, run: str) -> Summary | None:
    """One run of an owner; None if there is no such run, or it was deleted."""
    chosen = select(*_COLUMNS).where(*runs_of(owner), RUN.c.id == run)
    row = connection.execute(chosen).one_or_none()
    return None if row is None else _summary(row, history.presence.living(connection))


def choices(history: History, owner: Owner) -> tuple[list[str], list[str]]:
    """The modes and the models of an owner's runs, for the filters."""
    own = runs_of(owner)
    with history.read() as connection:
        modes, models = (
            list(connection.scalars(select(column).where(*own).distinct().order_by(column)))
            for column in (RUN.c.mode, RUN.c.model)
        )
    return modes, models


def _where(owner: Owner, wanted: Filter, living: set[str]) -> list[ColumnElement[bool]]:
    where = [*runs_of(owner)]
    for word in shown(wanted.words).casefold().split():
        where.append(
            RUN.c.searched.contains(word, autoescape=True)
            | RUN.c.searched_notes.contains(word, autoescape=True)
        )
    if wanted.modes:
        where.append(RUN.c.mode.in_(wanted.modes))
    if wanted.models:
        where.append(RUN.c.model.in_(wanted.models))
    if wanted.states:
        dead = (RUN.c.state == RUNNING) & RUN.c.process.not_in(living)
        where.append(case((dead, "interrupted"), else_=RUN.c.state).in_(wanted.states))
    if wanted.since is not None:
        where.append(RUN.c.started >= wanted.since)
    if wanted.until is not None:
        where.append(RUN.c.started < wanted.until)
    if wanted.pinned:
        where.append(RUN.c.pinned.is_(True))
    return where


def _summary(row: Row[Any], living: set[str]) -> Summary:
    """The summary of a row, by the processes that live."""
    found = Summary(**row._mapping)
    dead = found.state == RUNNING and found.process not in living
    return replace(found, state="interrupted") if dead else found


def rename(history: History, owner: Owner, run: str, name: str) -> None:
    """Give a run a name; "" takes it away."""
    _change(history, owner, [run], name=shown(name.strip()))


def annotate(history: History, owner: Owner, run: str, note: str) -> None:
    """Replace the note on a run; "" takes it away."""
    _change(history, owner, [run], note=shown(note.strip()))


def pin(history: History, owner: Owner, run: str, pinned: bool = True) -> None:
    """Pin a run, or unpin it."""
    _change(history, owner, [run], pinned=pinned)


def remove(history: History, owner: Owner, runs: Collection[str]) -> None:
    """Delete these runs; for a day `restore` brings them back."""
    _change(history, owner, runs, deleted=time())


def restore(history: History, owner: Owner, runs: Collection[str]) -> None:
    """Undo the deletion of these runs."""
    _change(history, owner, runs, deleted=None)


def saved(history: History, runs: Collection[str]) -> set[str]:
    """Those of these ids that a run has which was not deleted."""
    chosen = select(RUN.c.id).where(RUN.c.id.in_(runs), RUN.c.deleted.is_(None))
    with history.read() as connection:
        return set(connection.scalars(chosen))


def open_again(history: History, run: str, workspace: str, page: str) -> bool:
    """Make a run the latest of a page of this workspace, even a deleted one; whether it is there.

    Only a run that was made elsewhere comes again, with all that is in it.
    """
    change = update(RUN).where(RUN.c.id == run)
    with history.write() as connection:
        moment = next_moment(connection)
        again = change.values(workspace=workspace, page=page, deleted=None, moment=moment)
        return bool(connection.execute(again).rowcount)


def _change(history: History, owner: Owner, runs: Collection[str], **values: object) -> None:
    with history.write() as connection:
        own = (*_of_owner(owner), RUN.c.id.in_(runs))
        connection.execute(update(RUN).where(*own).values(**values))
        if values.keys() & {"name", "note"}:
            _note_for_search(connection, runs)


def _note_for_search(connection: Connection, runs: Collection[str]) -> None:
    chosen = select(RUN.c.id, RUN.c.name, RUN.c.note).where(RUN.c.id.in_(runs))
    for id, name, note in connection.execute(chosen).all():
        searched = searched_notes(name, note)
        connection.execute(update(RUN).where(RUN.c.id == id).values(searched_notes=searched))
