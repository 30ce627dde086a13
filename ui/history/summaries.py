"""The saved runs in short: found by words, mode, model, date and state."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, get_args

from sqlalchemy import ColumnElement, Connection, Row, case, func, select

from ui.history.history import History
from ui.history.owner import Owner, runs_of
from ui.history.presence import RUNNING
from ui.history.run_rows import Parent
from ui.history.tables import Run
from ui.history.written import shown

State = Literal["running", "done", "failed", "stopped", "interrupted"]
STATES: tuple[State, ...] = get_args(State)
_DAY = 86_400  # seconds

_COLUMNS = (
    Run.id,
    Run.workspace,
    Run.page,
    Run.parent,
    Run.parent_call,
    Run.state,
    Run.process,
    Run.started,
    Run.ended,
    Run.seconds,
    Run.mode,
    Run.behaviour,
    Run.model,
    Run.planned,
    Run.calls,
    Run.requests,
    Run.unsure,
    Run.prompt_tokens,
    Run.output_tokens,
    Run.dollars,
    Run.template_versions,
    Run.has_key,
    Run.by_person,
    Run.pinned,
    Run.name,
    Run.note,
    Run.question,
    Run.answer,
    Run.problem,
)


@dataclass(frozen=True)
class Summary:
    """A saved run in short, with the name of the page that it was made on.

    Times are in UTC, `seconds` and tokens are of all its attempts together.
    `requests` and tokens were paid for; `calls` have an answer from a log or a cache too. `unsure`
    of the requests have no saved end: they are counted at their most, and may not have been sent.
    `dollars` is None if the price is unknown. A run whose process died is "interrupted".
    """

    id: str
    workspace: str
    page: str
    parent: Parent | None
    state: State
    started: datetime
    ended: datetime | None
    seconds: float
    mode: str
    behaviour: str
    model: str
    planned: int | None
    calls: int
    requests: int
    unsure: int
    prompt_tokens: int
    output_tokens: int
    dollars: float | None
    template_versions: Mapping[str, int]
    has_key: bool
    by_person: bool
    pinned: bool
    name: str
    note: str
    question: str
    answer: str
    problem: str | None


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


@dataclass(frozen=True)
class Totals:
    """Runs, requests, tokens and US dollars, as far as prices are known.

    `unpriced` counts the runs whose price is not known.
    """

    runs: int
    requests: int
    prompt_tokens: int
    output_tokens: int
    unpriced: int
    dollars: float


def found(
    history: History, owner: Owner, wanted: Filter, limit: int = 100, offset: int = 0
) -> Found:
    """The runs of an owner that the filter lets through, `limit` of them from `offset` on."""
    with history.read() as connection:
        living = history.presence.living(connection)
        where = _where(owner, wanted, living)
        count = connection.scalar(select(func.count()).select_from(Run).where(*where)) or 0
        page = select(*_COLUMNS).where(*where).order_by(Run.moment.desc(), Run.id)
        rows = connection.execute(page.limit(limit).offset(offset)).all()
    return Found(count, tuple(summary_of(row, living) for row in rows))


def by_id(connection: Connection, history: History, owner: Owner, run: str) -> Summary | None:
    """One run of an owner; None if there is no such run, or it was deleted."""
    chosen = select(*_COLUMNS).where(*runs_of(owner), Run.id == run)
    row = connection.execute(chosen).one_or_none()
    return None if row is None else summary_of(row, history.presence.living(connection))


def choices(history: History, owner: Owner) -> tuple[list[str], list[str]]:
    """The modes and the models of an owner's runs, for the filters."""
    own = runs_of(owner)
    with history.read() as connection:
        modes = connection.scalars(select(Run.mode).where(*own).distinct().order_by(Run.mode))
        models = connection.scalars(select(Run.model).where(*own).distinct().order_by(Run.model))
        return list(modes), list(models)


def totals_by_day(
    history: History, owner: Owner, wanted: Filter, utc_offset: timedelta = timedelta()
) -> dict[datetime, Totals]:
    """What was spent on each day that has a run; a day begins at midnight at this UTC offset.

    The keys are these midnights, in UTC.
    """
    shift = utc_offset.total_seconds()
    day = func.floor((Run.started + shift) / _DAY)
    sums = (
        func.count(),
        *map(func.sum, (Run.requests, Run.prompt_tokens, Run.output_tokens)),
        func.count().filter(Run.dollars.is_(None)),
        func.coalesce(func.sum(Run.dollars), 0.0),
    )
    with history.read() as connection:
        where = _where(owner, wanted, history.presence.living(connection))
        rows = connection.execute(select(day, *sums).where(*where).group_by(day).order_by(day))
        return {
            datetime.fromtimestamp(number * _DAY - shift, UTC): Totals(*map(_number, numbers))
            for number, *numbers in rows
        }


def _number(value: Any) -> Any:
    return value if isinstance(value, float) else int(value)  # PostgreSQL sums are Decimal


def _where(owner: Owner, wanted: Filter, living: set[str]) -> list[ColumnElement[bool]]:
    where = [*runs_of(owner)]
    for word in shown(wanted.words).casefold().split():
        where.append(
            Run.searched.contains(word, autoescape=True)
            | Run.searched_notes.contains(word, autoescape=True)
        )
    if wanted.modes:
        where.append(Run.mode.in_(wanted.modes))
    if wanted.models:
        where.append(Run.model.in_(wanted.models))
    if wanted.states:
        dead = (Run.state == RUNNING) & Run.process.not_in(living)
        where.append(case((dead, "interrupted"), else_=Run.state).in_(wanted.states))
    if wanted.since is not None:
        where.append(Run.started >= wanted.since.timestamp())
    if wanted.until is not None:
        where.append(Run.started < wanted.until.timestamp())
    if wanted.pinned:
        where.append(Run.pinned.is_(True))
    return where


def summary_of(row: Row[Any], living: set[str]) -> Summary:
    """The summary of a row, by the processes that live."""
    values = dict(row._mapping)
    process, parent, call = (values.pop(key) for key in ("process", "parent", "parent_call"))
    if values["state"] == RUNNING and process not in living:
        values["state"] = "interrupted"
    for time in ("started", "ended"):
        if values[time] is not None:
            values[time] = datetime.fromtimestamp(values[time], UTC)
    return Summary(parent=None if parent is None else Parent(parent, call), **values)
