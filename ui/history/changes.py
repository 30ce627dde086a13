"""What a person changes of saved runs: name, note, pin; runs deleted, and that undone."""

from __future__ import annotations

from collections.abc import Collection
from time import time

from sqlalchemy import Connection, delete, exists, select, update

from ui.history.history import History
from ui.history.owner import Owner, of_owner
from ui.history.tables import ChunkList, Run, RunInput
from ui.history.written import searched_notes, shown

UNDO_SECONDS = 86_400
"""How long a deleted run can be restored; after that it is gone from the database."""


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


def purge(history: History) -> None:
    """Remove the runs that were deleted more than a day ago, and chunks that no run has."""
    with history.write() as connection:
        old = Run.deleted < time() - UNDO_SECONDS
        connection.execute(delete(Run).where(old))
        used = exists().where(RunInput.chunks == ChunkList.digest)
        connection.execute(delete(ChunkList).where(~used))


def _change(history: History, owner: Owner, runs: Collection[str], **values: object) -> None:
    with history.write() as connection:
        own = (*of_owner(owner), Run.id.in_(runs))
        connection.execute(update(Run).where(*own).values(**values))
        if values.keys() & {"name", "note"}:
            _note_for_search(connection, runs)


def _note_for_search(connection: Connection, runs: Collection[str]) -> None:
    rows = connection.execute(select(Run.id, Run.name, Run.note).where(Run.id.in_(runs))).all()
    for id, name, note in rows:
        searched = searched_notes(name, note)
        connection.execute(update(Run).where(Run.id == id).values(searched_notes=searched))
