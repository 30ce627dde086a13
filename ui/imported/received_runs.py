"""The syntheses that were received: read and compared with ours behind the pages that list them."""

import logging
from collections.abc import Hashable, Sequence
from functools import partial
from time import monotonic, sleep
from typing import NamedTuple

from synth.errors import SynthError
from synth.text.wording import counted
from synth.traces.growing import Growing
from ui.history.problems import HistoryError
from ui.imported.behind import behind
from ui.imported.beside import GoingOn, going_on
from ui.imported.opened_file import OpenedRun
from ui.imported.opening import save
from ui.received import store
from ui.received.store import ReceivedTrace
from ui.session import browser, workspace

_log = logging.getLogger(__name__)

SILENT = 600
"""Seconds without a span, after which nothing more is expected of a synthesis."""

RING = ":material/progress_activity:"
"""The sign of what goes on, as Streamlit's Markdown has it."""

_LOOK = 0.02  # seconds between two looks
_MOST = 100  # traces that are read: pages show the newest
_LETTERS = 300  # of a question


class State(NamedTuple):
    """How a synthesis stands: a sign and words."""

    sign: str
    words: str


class Listed(NamedTuple):
    """A synthesis in short. `id` names it among all; `began` and `last` are seconds since 1970.

    `calls` have come of `about` so many, if that is likely. `outcome` is how it stands beside ours
    once it has ended, `problem` why its trace can't be read.
    """

    id: str
    trace: ReceivedTrace
    service: str
    query_str: str
    mode: str | None
    began: float
    last: float
    calls: int
    about: int | None
    missing: int
    outcome: State | None
    problem: str = ""

    @property
    def verified(self) -> bool:
        """Whether synth sends the prompts that were recorded, of which there are some."""
        return self.outcome is not None and self.outcome.sign == "✓"

    @property
    def differs(self) -> bool:
        """Whether one of its prompts is not ours."""
        return self.outcome is not None and self.outcome.words.startswith("differs")

    def state(self, now: float) -> State:
        """How it stands, `now` being seconds since 1970."""
        if self.problem:
            return State("✕", "can't be read")
        if self.outcome is not None:
            return self.outcome
        if now - self.last > SILENT:
            return State("…", f"{counted(max(self.missing, 1), 'span')} missing")
        if self.about is None:
            so_far = f"{counted(self.calls, 'call')} so far"
            return State(RING, so_far if self.calls else "before its first call")
        if self.calls >= self.about:
            return State(RING, f"{counted(self.calls, 'call')}, its end is to come")
        return State(RING, f"call {self.calls + 1:,} of about {self.about:,}")

    def goes_on(self, now: float) -> bool:
        """Whether more of it is expected."""
        return self.state(now).sign == RING


_read_so_far: dict[str, Sequence[Listed]] = {}  # of each trace, until more of it is read


def _read() -> tuple[list[Listed], bool]:
    """The syntheses as far as they are read, and whether those are all."""
    traces, whole = store.traces()[:_MOST], True
    for gone in _read_so_far.keys() - {trace.trace_id for trace in traces}:
        _read_so_far.pop(gone, None)
        behind().forget(("listed", gone))
    for trace in reversed(traces):  # what is asked for last is made first
        whole = _is_read(trace) and whole
    every = [one for trace in traces for one in reversed(_read_so_far.get(trace.trace_id, ()))]
    return every, whole


def _is_read(trace: ReceivedTrace) -> bool:
    """Whether all of a trace is read.

    It is read by one thread at a time, however fast it grows: else what is out of date by then
    would be read as well, one after the other.
    """
    key = ("listed", trace.trace_id)
    made = behind().result(key, lambda: (trace, _listed(trace)))
    if made is None:
        return False
    of, _read_so_far[trace.trace_id] = made
    if of == trace:
        return True
    behind().forget(key)
    return _is_read(trace)


def delete_all() -> None:
    """Delete all that was received, in the database and in this server's memory. HistoryError."""
    store.clear()
    behind().clear()
    _read_so_far.clear()


def arrived(seconds: float) -> list[Listed]:
    """The syntheses of the latest traces, newest first, once they are read and kept; HistoryError.

    After so many seconds it is those that are read by then.
    """
    end = monotonic() + seconds
    while True:
        found, whole = _read()
        kept = _kept(found) == sum(one.verified for one in found)
        if (whole and kept) or monotonic() > end:
            return found
        sleep(_LOOK)


def _listed(trace: ReceivedTrace) -> Sequence[Listed]:
    try:
        read = store.syntheses(trace)
        if not isinstance(read, SynthError):
            return [_in_short(trace, growing) for growing in read]
        problem = str(read)
    except HistoryError:
        raise
    except Exception as defect:  # the other traces can be read
        _log.exception("A received trace can't be read.")
        problem = f"This app fails to read it ({type(defect).__name__}): its log says more."
    nothing = Listed(trace.trace_id, trace, "", "", None, 0.0, 0.0, 0, None, 0, None)
    return [nothing._replace(problem=problem)]


def _id_of(growing: Growing) -> str:
    """The name of a synthesis among all."""
    return f"{growing.trace_id} {growing.key}"


def _in_short(trace: ReceivedTrace, growing: Growing) -> Listed:
    outcome, run = _outcome(growing), growing.run
    going = going_on(run) if run is not None and outcome is None else None
    return Listed(
        id=_id_of(growing),
        trace=trace,
        service=growing.service,
        query_str=growing.query_str[:_LETTERS],
        mode=growing.mode,
        began=growing.began,
        last=growing.last,
        calls=len(growing.calls),
        about=None if going is None or going.plan.problem else going.plan.call_count,
        missing=growing.missing,
        outcome=outcome,
    )


def _outcome(growing: Growing) -> State | None:
    if not growing.ended or growing.missing or growing.run is None:
        return None
    if not growing.calls:
        return State("–", "no call was made" if growing.chunks else "no chunks were found")
    return outcome_of(OpenedRun(growing.run))


def outcome_of(opened: OpenedRun) -> State:
    """How a run that has ended stands beside ours."""
    found = opened.beside.verification
    if found is None:
        return State("–", "its mode is not known here")
    if found.equal:
        return State("✓", f"same {counted(found.calls, 'prompt')}")
    if found.first_difference is None:
        return State("✕", "not compared")
    return State("✕", f"differs at call {found.first_difference.number:,}")


class LookedAt(NamedTuple):
    """A synthesis with all that has come of it.

    `opened` is its run beside ours once it has ended, `going` what is likely while it goes on.
    """

    growing: Growing
    opened: OpenedRun | None
    going: GoingOn | None


def looked_at(one: Listed) -> LookedAt | None:
    """All of a synthesis; None until it is read. It may be large, so it is not remembered here."""
    found = behind().result(_look(one), lambda: _looked_at(one))
    if found is not None:
        stop_looking_at(one)
    return found


def stop_looking_at(one: Listed) -> None:
    """Forget what is read of a synthesis to look at it: nobody will ask for it."""
    behind().forget(_look(one))


def _look(one: Listed) -> Hashable:
    return "looked at", one.id, one.trace


def _looked_at(one: Listed) -> LookedAt | None:
    if one.problem:
        return None
    read = store.syntheses(one.trace)
    found = (
        [] if isinstance(read, SynthError) else [each for each in read if _id_of(each) == one.id]
    )
    if not found:  # the list is older than what has come since, and is made anew
        return None
    [growing] = found
    if growing.run is None:
        return LookedAt(growing, None, None)
    if one.outcome is None:
        return LookedAt(growing, None, going_on(growing.run))
    opened = OpenedRun(growing.run)
    _ = opened.beside, opened.why_not_opened
    return LookedAt(growing, opened, None)


def tried(opened: OpenedRun) -> bool:
    """Whether other settings were tried on a run that differs; they are tried from now on."""
    return behind().result(("tried", opened.form), lambda: len(opened.search)) is not None


def _kept(found: Sequence[Listed]) -> int:
    """Have what is verified saved as runs of this workspace; how many of them that is done for."""
    space, shared = workspace.current().id, browser.is_own_machine()
    owner = "" if shared else space
    kept = [
        behind().result(("kept", owner, one.id), partial(_keep, one, space, shared))
        for one in found
        if one.verified
    ]
    return sum(one is not None for one in kept)


def _keep(one: Listed, space: str, shared: bool) -> bool:
    look = _looked_at(one)
    return look is not None and look.opened is not None and save(look.opened, space, shared)
