"""`synth verify`: whether recorded runs sent the prompts that are computed here."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from synth.errors import SynthError
from synth.modes.registry import MODES
from synth.terminal.streams import QUESTION, REASON, format_foreign, read_runs, show_results
from synth.text.wording import listed
from synth.traces import ImportedRun, Verification, fits
from synth.traces.fitting import lost_templates, say_unexplained
from synth.traces.imported_run import NOTES

_SEARCHED = 30_000  # characters of chunks, with which a search for reasons takes about 3 seconds
State = Literal["same", "differs", "not compared", "no synthesis", "failed", "incomplete"]


@dataclass(frozen=True)
class VerifyResult:
    """What a comparison came to, as `--json` has it; `explained_by` lists settings, each alone."""

    question: str
    mode: str
    calls: int
    state: State
    first_difference: int | None = None
    explained_by: Sequence[Sequence[str]] = ()
    problem: str | None = None


def _judge(run: ImportedRun) -> VerifyResult:
    verdict = _compare(run)
    if run.is_incomplete:
        return replace(verdict, state="incomplete", problem="spans of it are missing")
    if run.failure is not None:
        compared = "the same" if verdict.state == "same" else verdict.state
        return replace(verdict, state="failed", problem=f"{run.failure} (prompts: {compared})")
    if verdict.state == "same" and run.losses:
        return replace(verdict, problem=run.losses[0])
    return verdict


def _compare(run: ImportedRun) -> VerifyResult:
    about = run.query, run.mode, len(run.calls)
    if run.mode not in MODES:
        problem = "no synthesis known here"
        if NOTES["unended"] in run.notes:
            problem += ", or a stream that was not read to its end"
        return VerifyResult(*about, "no synthesis", problem=problem)
    if not run.calls:
        return VerifyResult(*about, "no synthesis", problem="no call was made")
    try:
        found = run.verify()
    except SynthError as problem:
        found = Verification(0, problem=str(problem))
    if found.equal:
        return VerifyResult(*about, "same", explained_by=[run.rules] if run.rules else ())
    if found.first_difference is None:
        return VerifyResult(*about, "not compared", problem=found.problem)
    changes, why = _explain(run)
    return VerifyResult(*about, "differs", found.first_difference.number, changes, why)


def _explain(run: ImportedRun) -> tuple[Sequence[Sequence[str]], str | None]:
    if (length := sum(map(len, run.texts))) > _SEARCHED and not lost_templates(run):
        return (), f"its {length:,} characters of chunks are too many to look for the reason here"
    try:
        found = [fit.changes for fit in fits(run)]
    except SynthError as problem:
        return (), str(problem)
    return found, None if found else say_unexplained(run)


def run(arguments: Namespace) -> int:
    """Print a line for each run of a file; return 0 where all syntheses are verified, if any."""
    verdicts = [_judge(each) for each in read_runs(arguments.file, arguments.project)]
    rows = [["question", "mode", "prompts", "state", "reason"], *map(_list_cells, verdicts)]
    show_results(verdicts, rows, arguments.json)
    states = {each.state for each in verdicts} - {"no synthesis"}
    return int(states != {"same"})


def _list_cells(each: VerifyResult) -> list[str]:
    reason = each.problem or ""
    if each.explained_by:
        reason = f"explained by {' or as well by '.join(map(listed, each.explained_by))}"
    if each.first_difference is not None:
        reason = f"at call {each.first_difference:,}: {reason}"
    return [
        format_foreign(each.question, QUESTION) or "(no question)",
        each.mode if each.mode in MODES else "-",
        f"{each.calls:,}",
        each.state,
        format_foreign(reason, REASON),
    ]
