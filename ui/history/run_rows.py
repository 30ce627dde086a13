"""The rows of a run: how they are inserted, taken over by a resumption, updated and ended."""

from collections.abc import Collection
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from synth.runs.calls import CallRecord, prompt_hash
from synth.runs.trace import Trace
from ui.history.database import insert_unless_there
from ui.history.history import History
from ui.history.tables import CALL, CHUNK_LIST, RUN, RUN_INPUT, RUNNING, Summary, next_moment
from ui.history.written import digest, name, pack_call, pack_request, packed, searched_notes, shown
from ui.settings.request import Request

# Made once: building a statement costs more than SQLite takes to carry it out.
_INSERT_CALL = insert(CALL)
_UPDATE_RUN = update(RUN).where(
    RUN.c.id == bindparam("own_run"), RUN.c.attempt == bindparam("own_attempt")
)


class Parent(NamedTuple):
    """The saved run that a branch starts from, and the call whose answer was edited."""

    run: str
    call: int


@dataclass(frozen=True)
class NewRun:
    """A run that begins: whose it is, the page, what is asked, how many calls are planned.

    `by_person` says that a person answers in place of the model that the request names, `lent_key`
    that the operator's key pays. A run that was made elsewhere may have a name and a note, and is
    `unpriced` if nobody here knows what its calls cost.
    """

    workspace: str
    page: str
    request: Request
    planned: int | None
    has_key: bool = False
    by_person: bool = False
    lent_key: bool = False
    parent: Parent | None = None
    unpriced: bool = False
    name: str = ""
    note: str = ""
    id: str | None = None


@dataclass(frozen=True)
class Attempt:
    """The right to write a run: its start is attempt 1, each resumption the next.

    `stored` has the hash of the prompt of each saved call. Of the attempts before this one,
    `earlier` are the numbers of their calls, `seconds` is what they took, which is when this one
    begins on the clock of the run, `unsure` how many of their requests may not have been sent,
    `reused` how many of their answers another run gave.
    """

    run: str
    number: int = 1
    stored: dict[int, str] = field(default_factory=dict)
    seconds: float = 0.0
    unsure: int = 0
    reused: int = 0
    earlier: frozenset[int] = frozenset()

    def count_with(self, numbers: Collection[int]) -> int:
        """How many calls are saved once those with these numbers are."""
        # Asked at every call that ends, so it must not go through all that are saved.
        return len(self.stored) + sum(number not in self.stored for number in numbers)


class SupersededError(Exception):
    """A later attempt writes the run now, or it was deleted."""


class End(NamedTuple):
    """How a run ended: its trace, or the `problem` that left it without one.

    `at` is the time, `seconds` how long the attempt took.
    """

    trace: Trace | None
    problem: str | None
    at: float
    seconds: float


def insert_run(
    connection: Connection, process: str, run: str, new: NewRun, started: float
) -> Attempt:
    """Insert a run of this process under this id, which began at `started`."""
    request, chunks = new.request, packed(new.request.text_chunks)
    attempt = Attempt(run)
    parent, parent_call = new.parent or (None, None)
    row = Summary(
        id=run,
        workspace=new.workspace,
        page=new.page,
        process=process,
        parent=parent,
        parent_call=parent_call,
        started=datetime.fromtimestamp(started, UTC),
        mode=name(request.mode),
        behaviour=request.behaviour,
        model=name(request.model.name or request.model.kind),
        planned=new.planned,
        has_key=new.has_key,
        by_person=new.by_person,
        lent_key=new.lent_key,
        name=shown(new.name),
        note=shown(new.note),
        question=shown(request.query_str),
    )
    others = {
        "attempt": attempt.number,
        "moment": next_moment(connection),
        "searched": row.question.casefold(),
        "searched_notes": searched_notes(row.name, row.note),
    }
    connection.execute(insert(RUN), asdict(row) | others)
    known = select(CHUNK_LIST.c.digest).where(CHUNK_LIST.c.digest == digest(chunks))
    if connection.scalar(known) is None:
        list_row = insert(CHUNK_LIST).values(digest=digest(chunks), body=chunks)
        insert_unless_there(connection, list_row)
    inputs = {"run": attempt.run, "chunks": digest(chunks), "request": pack_request(request)}
    connection.execute(insert(RUN_INPUT), inputs)
    return attempt


def take_over(connection: Connection, history: History, run: str) -> Attempt | None:
    """The next attempt of a saved run; None if a living process runs it, or if it is gone."""
    columns = (
        *(RUN.c.state, RUN.c.process, RUN.c.attempt),
        *(RUN.c.seconds, RUN.c.unsure, RUN.c.reused),
    )
    chosen = select(*columns).where(RUN.c.id == run)
    found = connection.execute(chosen.with_for_update()).one_or_none()
    if found is None:
        return None
    mine = history.presence.id
    others = history.presence.living(connection) - {mine}
    if found.state == RUNNING and found.process in others:
        return None
    number = found.attempt + 1
    again = {"state": RUNNING, "process": mine, "attempt": number, "ended": None, "problem": None}
    connection.execute(update(RUN).where(RUN.c.id == run).values(**again))
    stored = _stored(connection, run)
    before = (found.seconds, found.unsure, found.reused)
    return Attempt(run, number, stored, *before, frozenset(stored))


def found_again(connection: Connection, attempt: Attempt) -> Attempt | None:
    """An attempt of which it is not known whether it was saved; None if it was not.

    SupersededError if a later one writes the run now.
    """
    number = connection.scalar(select(RUN.c.attempt).where(RUN.c.id == attempt.run))
    if number is not None and number > attempt.number:
        raise SupersededError
    if number != attempt.number:
        return None
    return replace(attempt, stored=_stored(connection, attempt.run))


def _stored(connection: Connection, run: str) -> dict[int, str]:
    rows = connection.execute(select(CALL.c.number, CALL.c.prompt).where(CALL.c.run == run)).all()
    return {row.number: row.prompt for row in rows}


def update_run(connection: Connection, attempt: Attempt, values: dict[str, Any]) -> None:
    """Change the row of a run; SupersededError if the attempt may no longer write it."""
    own = {"own_run": attempt.run, "own_attempt": attempt.number}
    if not connection.execute(_UPDATE_RUN, values | own).rowcount:
        raise SupersededError


def write_call(connection: Connection, attempt: Attempt, call: CallRecord, edited: bool) -> None:
    """Save a call, in the place of an earlier one with its number.

    An answer that was only reused is there already: the saved call says when it was given.
    """
    stored = attempt.stored.get(call.number)
    prompt = prompt_hash(call.prompt)
    if call.replayed and stored == prompt:
        return
    if stored is not None:
        own = (CALL.c.run == attempt.run, CALL.c.number == call.number)
        connection.execute(delete(CALL).where(*own))
    call = replace(call, started=attempt.seconds + call.started)
    row = {"number": call.number, "prompt": prompt, "edited": edited, "body": pack_call(call)}
    connection.execute(_INSERT_CALL, row | {"run": attempt.run})


def end_run(connection: Connection, attempt: Attempt, query: str, end: End) -> None:
    """Save how a run ended."""
    trace = end.trace
    response = None if trace is None else trace.response
    said = end.problem if trace is None else trace.error
    stopped = trace is not None and trace.stopped
    answer = shown(response or "")
    values = {
        "state": "done" if response is not None else "stopped" if stopped else "failed",
        "ended": datetime.fromtimestamp(end.at, UTC),
        "answer": answer,
        "problem": None if said is None else shown(said),
        "searched": f"{shown(query)}\n{answer}".casefold(),
    }
    update_run(connection, attempt, values)
    body = {
        "response": response,
        "error": said,
        "error_kind": None if trace is None else trace.error_kind,
        "stopped": stopped,
        "seconds": 0.0 if trace is None else attempt.seconds + trace.seconds,
    }
    own = RUN_INPUT.c.run == attempt.run
    connection.execute(update(RUN_INPUT).where(own).values(end=packed(body)))
