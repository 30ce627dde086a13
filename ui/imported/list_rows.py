"""A row of the list of runs: where the run was made, and what came of it."""

from typing import Literal, NamedTuple

from synth.text.wording import counted, short
from synth.traces import IMPORTED
from ui.imported.opened_file import OpenedRun
from ui.store.tables import RunInfo, State

RunKind = Literal["made here", "from a file", "received"]

_LONGEST = 60  # characters of a problem
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
        return RunOutcome(f"verified: the same {counted(len(run.run.calls), 'prompt')}", SAME)
    if run.difference is not None:
        return RunOutcome(f"differs from call {run.difference.number:,} on", DIFFERENT, True)
    return RunOutcome("can't be compared", "?", True)


def make_row(
    run: OpenedRun, kind: RunKind, id: str, *, is_incomplete: bool = False, compares: bool = True
) -> ListRow:
    """Make the row of a run that its trace alone has; `compares` its prompts, if asked to."""
    recorded = run.run
    errors = [call.error for call in recorded.calls if call.error]
    state: State = "done" if recorded.response is not None else "failed"
    if is_incomplete:
        state, outcome = "incomplete", RunOutcome("incomplete", "…")
    elif errors or (state == "failed" and recorded.mode != IMPORTED):
        outcome = describe_failure(errors[0] if errors else "without an answer")
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
