"""A saved run with everything in it: its request, its calls, its end."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import select

from synth.errors import ImportedRunError
from synth.export.recipe import Messages
from synth.runs.calls import Spent
from synth.runs.trace import Trace
from ui.history.history import History
from ui.history.summaries import Owner, by_id, runs_of
from ui.history.tables import CALL, CHUNK_LIST, RUN, RUN_INPUT, Summary
from ui.history.written import digest, packed, unpack_call, unpack_request, unpacked
from ui.settings.request import Request

INTERRUPTED = "Interrupted"
"""The `error_kind` of a run that goes on in another process, or whose process has ended."""

_SEARCHED = 200  # runs, for the texts that their templates had

_NO_END = {"response": None, "error": None, "error_kind": INTERRUPTED, "stopped": True}


@dataclass(frozen=True)
class SavedRun:
    """A saved run. `edited` are the numbers of the calls whose answers a person wrote.

    A run that goes on or was interrupted has a trace with the calls that ended, as a stopped one.
    """

    summary: Summary
    request: Request
    trace: Trace
    edited: frozenset[int]

    @property
    def spent_on_lost_calls(self) -> Spent:
        """What was spent on calls that are no longer in the run, since they were made again."""
        total = self.summary
        spent = (total.requests, total.prompt_tokens, total.output_tokens)
        return Spent(*(all_of - kept for all_of, kept in zip(spent, self.trace.sent, strict=True)))


def load(history: History, owner: Owner, run: str) -> SavedRun | None:
    """A run of an owner; None if there is no such run. ImportedRunError if it is damaged."""
    with history.read() as connection:
        summary = by_id(connection, history, owner, run)
        if summary is None:
            return None
        parts = select(RUN_INPUT.c.request, RUN_INPUT.c.end, CHUNK_LIST.c.body).join(
            CHUNK_LIST, CHUNK_LIST.c.digest == RUN_INPUT.c.chunks
        )
        request_body, end, chunks = connection.execute(parts.where(RUN_INPUT.c.run == run)).one()
        chosen = select(CALL.c.body, CALL.c.edited, CALL.c.number).where(CALL.c.run == run)
        calls = connection.execute(chosen.order_by(CALL.c.number)).all()
    request = unpack_request(request_body, unpacked(chunks))
    setup = request.synthesizer().setup(request.query_str, request.text_chunks)
    ended: dict[str, Any] = _NO_END | {"seconds": summary.seconds} if end is None else unpacked(end)
    try:
        trace = Trace(setup, tuple(unpack_call(call.body, setup) for call in calls), **ended)
    except TypeError as error:
        raise ImportedRunError(f"The end of this run is damaged ({error}).") from error
    return SavedRun(summary, request, trace, frozenset(c.number for c in calls if c.edited))


def requests_of(history: History, runs: Collection[str]) -> dict[str, Request]:
    """The requests of these runs, as `with_digest` makes them."""
    with history.read() as connection:
        columns = RUN_INPUT.c.run, RUN_INPUT.c.request, RUN_INPUT.c.chunks
        rows = connection.execute(select(*columns).where(RUN_INPUT.c.run.in_(runs))).all()
    found = {}
    for run, body, chunks in rows:
        with suppress(ImportedRunError):  # its row says nothing of it; opening it says why
            found[run] = unpack_request(body, [chunks] * len(unpacked(body)["positions"]))
    return found


class EarlierText(NamedTuple):
    """A text that a template had in a run, and when the last run with it began, in UTC."""

    used: datetime
    messages: Messages


def list_earlier_texts(history: History, workspace: str, template: str) -> list[EarlierText]:
    """Return the texts that a template had in the latest runs of a workspace, the latest first."""
    own = select(RUN.c.id, RUN.c.started).where(*runs_of(workspace))
    with history.read() as connection:
        runs = connection.execute(own.order_by(RUN.c.moment.desc()).limit(_SEARCHED)).all()
    requests = requests_of(history, [run.id for run in runs])
    texts: dict[Messages, datetime] = {}
    for run in runs:
        templates = dict(requests[run.id].templates) if run.id in requests else {}
        if template in templates:
            texts.setdefault(templates[template], run.started)
    return [EarlierText(used, messages) for messages, used in texts.items()]


def with_digest(request: Request) -> Request:
    """The request with the digest of its list of chunks in the place of each chunk."""
    chunks = digest(packed(request.text_chunks))
    return replace(request, text_chunks=(chunks,) * len(request.text_chunks))


def latest(history: History, workspace: str, page: str) -> SavedRun | None:
    """The run of a workspace that was started last on this page."""
    ids = latest_ids(history, workspace, page, 1)
    return load(history, workspace, ids[0]) if ids else None


def latest_ids(history: History, workspace: str, page: str, most: int) -> Sequence[str]:
    """The runs of a workspace that were started last on this page, the latest first."""
    own = (*runs_of(workspace), RUN.c.page == page)
    with history.read() as connection:
        chosen = select(RUN.c.id).where(*own).order_by(RUN.c.moment.desc()).limit(most)
        return connection.scalars(chosen).all()
