"""A row of the list of runs: where the run was made, what came of it; what applications sent."""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal, NamedTuple

from synth.errors import ImportedRunError, SynthError
from synth.quality.facts import Words
from synth.quality.follow import find_stretches
from synth.text.wording import Bold, counted, short
from synth.traces import IMPORTED, ImportedRun
from synth.words.plan_words import Headline
from ui.imported.opened_file import OpenedRun
from ui.received import store
from ui.received.store import ReceivedTrace
from ui.settings.expected import facts_of
from ui.store.database import StoreError
from ui.store.tables import RunInfo, State

_log = logging.getLogger(__name__)

RunKind = Literal["made here", "from a file", "received"]

LONGEST_TITLE, _LONGEST = 80, 60  # characters of a title, and of a problem
SAME, DIFFERENT = "✓", "≠"  # the signs of a recorded run whose prompts were compared


class RunOutcome(NamedTuple):
    """A few words with a sign before them; what needs a look stands out."""

    words: str = ""
    sign: str = ""
    needs_look: bool = False


class ListRow(NamedTuple):
    """A run of the list; one that is not saved is of a file, and has a `recording`, or received."""

    info: RunInfo
    kind: RunKind
    outcome: RunOutcome
    recording: OpenedRun | None = None
    is_saved: bool = False


def write_title(run: RunInfo) -> str:
    """Return the name that a person gave the run, else its question."""
    return run.name or run.question or "(no question)"


def describe_failure(problem: str | None) -> RunOutcome:
    """Say that a run failed, and why."""
    why = f": {short(problem, _LONGEST)}" if problem else ""
    return RunOutcome(f"failed{why}", "✕", True)


def compare_prompts(run: OpenedRun) -> RunOutcome:
    """Say whether the prompts of a recorded run are the same here; this steps through its mode."""
    if not run.run.calls:
        return RunOutcome("no call was made")
    if run.verification is None:
        return RunOutcome("its mode is not known here")
    if run.verified:
        prompts = f"the same {counted(len(run.run.calls), 'prompt')}"
        if run.run.losses:
            return RunOutcome(f"{prompts}, but the trace is not whole")
        return RunOutcome(f"verified: {prompts}", SAME)
    if run.difference is not None:
        return RunOutcome(f"differs from call {run.difference.number:,} on", DIFFERENT, True)
    return RunOutcome("can't be compared", "?", True)


def make_row(run: OpenedRun, kind: RunKind, id: str, *, compares: bool = True) -> ListRow:
    """Make the row of a run that its trace alone has; `compares` its prompts, if asked to."""
    recorded = run.run
    failure = recorded.failure
    if failure is None and recorded.response is None and recorded.mode != IMPORTED:
        failure = "without an answer"
    state: State = "done"
    if recorded.is_incomplete:
        state, outcome = "incomplete", _STATES["incomplete"]
    elif failure is not None:
        state, outcome = "failed", describe_failure(failure)
    elif compares or "verification" in vars(run):
        outcome = compare_prompts(run)
    else:
        outcome = RunOutcome("not compared yet")
    info = RunInfo(
        behaviour="llama_index",
        id=id,
        page=run.source,
        state=state,
        started=recorded.started,
        seconds=recorded.seconds,
        mode=recorded.mode,
        model=recorded.model or "",
        calls=len(recorded.calls),
        requests=len(recorded.calls),
        prompt_tokens=recorded.prompt_tokens,
        output_tokens=recorded.output_tokens,
        question=recorded.query,
        answer=recorded.response or "",
    )
    return ListRow(info, kind, outcome, run if kind == "from a file" else None)


_STATES: dict[State, RunOutcome] = {
    "running": RunOutcome("running", "…"),
    "interrupted": RunOutcome("interrupted", "‖", True),
    "stopped": RunOutcome("stopped", "□", True),
    "incomplete": RunOutcome("incomplete", "…"),
}


def find_outcome(run: RunInfo) -> RunOutcome:
    """Say how a saved run ended: what failed, else the facts that its answer holds."""
    if run.state == "failed":
        return describe_failure(run.problem)
    if run.state != "done":
        return _STATES[run.state]
    if run.unpriced:  # a recording opens as a run only where all prompts are equal
        return RunOutcome("verified", SAME)
    facts, _ = facts_of(run.question)
    needed = [fact for fact in facts if fact.must] or facts
    if not needed:
        return RunOutcome()
    answer = Words(run.answer)
    count = sum(bool(find_stretches(fact, answer)) for fact in needed)
    return RunOutcome(f"{count} of {counted(len(needed), 'fact')}", needs_look=count < len(needed))


def say_headline(rows: Sequence[ListRow], count: int) -> Headline:
    """Say how many recorded runs are the same here, if all rows are known, and count all runs."""
    signs = [row.outcome.sign for row in rows if row.kind != "made here"]
    verified, differing = signs.count(SAME), signs.count(DIFFERENT)
    if not verified or len(rows) < count:
        return Headline([Bold(counted(count, "run"))], [])
    are = "is" if verified == 1 else "are"
    line = f"{counted(count, 'run')} in all."
    if differing:
        line = f"{differing:,} {'differs' if differing == 1 else 'differ'}. {line}"
    words = f"{counted(verified, 'recorded run')} {are} the same here, prompt for prompt."
    return Headline([Bold(words)], [line])


_MOST = 100  # traces that are read: the list has the newest


_rows: dict[tuple[ReceivedTrace, bool], Sequence[ListRow]] = {}
"""The rows of each trace; it is read again when more comes, or once it is silent."""


def read_received() -> list[ListRow]:
    """Read the syntheses of the newest traces, those that came since it was called; StoreError."""
    traces = [(trace, trace.silent) for trace in store.read_traces()[:_MOST]]
    for gone in _rows.keys() - set(traces):
        _rows.pop(gone, None)
    for known in traces:
        if known not in _rows:
            _rows[known] = _read(known[0])
    return [row for known in traces for row in _rows[known]]


def _read(trace: ReceivedTrace) -> Sequence[ListRow]:
    try:
        return [_row(run) for run in store.read_syntheses(trace)]
    except StoreError:
        raise
    except SynthError as problem:
        return [_unreadable_row(trace, str(problem))]
    except Exception as defect:  # the other traces can be read
        _log.exception("A received trace can't be read.")
        words = f"This app fails to read it ({type(defect).__name__}): its log says more."
        return [_unreadable_row(trace, words)]


def _row(run: ImportedRun) -> ListRow:
    return make_row(OpenedRun(run, run.service or "an application"), "received", run.identity)


def _unreadable_row(trace: ReceivedTrace, problem: str) -> ListRow:
    info = RunInfo(
        id=trace.trace_id,
        state="failed",
        started=datetime.fromtimestamp(trace.came, UTC),
        question="A trace that can't be read",
        problem=problem,
    )
    return ListRow(info, "received", describe_failure(problem))


def read_again(info: RunInfo) -> OpenedRun:
    """Read the run of a row again; ImportedRunError or StoreError that says why it can't be."""
    trace_id, _, _ = info.id.partition("-")
    traces = [trace for trace in store.read_traces() if trace.trace_id == trace_id]
    for run in (each for trace in traces for each in store.read_syntheses(trace)):
        if run.identity == info.id:
            return OpenedRun(run, f"{info.page}, {info.started:%d %B %Y, %H:%M} UTC")
    raise ImportedRunError(
        "Its spans are gone: newer ones needed their room, or they were deleted."
    )


def delete_received() -> None:
    """Delete all that was received, in the database and in this server's memory. StoreError."""
    store.delete_all()
    _rows.clear()
