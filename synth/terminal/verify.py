"""`synth verify`: whether recorded runs sent the prompts that are computed here."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from synth.errors import SynthError
from synth.modes.registry import MODES
from synth.terminal.reading import read_runs
from synth.terminal.screen import Cell, Screen, foreign, show
from synth.text.wording import Bold, agreeing, counted, listed
from synth.traces import Fit, ImportedRun, Verification, fits
from synth.traces.settings import lost_templates, unused_templates

_QUESTION, _REASON = 44, 300  # characters that are shown
_SEARCHED = 30_000  # characters of chunks, with which a search for reasons takes about 3 seconds
State = Literal["same", "differs", "not compared", "no synthesis"]
_MARKS: dict[State, str] = {
    "same": "✓",
    "differs": "✕",
    "not compared": "✕",
    "no synthesis": "–",
}


@dataclass(frozen=True)
class Verdict:
    """What a comparison came to, and the first call that differs, if one does.

    `fits` are the settings, each by itself, with which all prompts are equal; `problem` says what
    stood in the way, or why nothing explains a difference.
    """

    run: ImportedRun
    state: State
    call: int | None = None
    fits: tuple[Fit, ...] = ()
    problem: str = ""

    @property
    def words(self) -> str:
        """What is said of it, on one line."""
        if self.state == "same":
            around = "; what a model puts around each is left out" if self.run.around else ""
            return f"same as synth's{around}"
        if self.state == "differs":
            explained = " or ".join(listed(fit.changes) for fit in self.fits)
            why = f"explained by {explained}" if explained else self.problem
            return f"differs at call {self.call:,}: {foreign(why, _REASON)}"
        head = "not compared: " * (self.state == "not compared")
        return head + foreign(self.problem, _REASON)


def verdict(run: ImportedRun) -> Verdict:
    """The recorded run beside the one that is computed here; a difference is looked into."""
    if run.mode not in MODES:
        return Verdict(run, "no synthesis", problem="no synthesis known here")
    if not run.calls:
        return Verdict(run, "no synthesis", problem="no call was made")
    try:
        found = run.verify()
    except SynthError as problem:
        found = Verification(0, problem=str(problem))
    if found.equal:
        return Verdict(run, "same")
    if found.first_difference is None:
        return Verdict(run, "not compared", problem=str(found.problem))
    explained, why = _explained(run)
    return Verdict(run, "differs", found.first_difference.number, explained, why)


def _explained(run: ImportedRun) -> tuple[tuple[Fit, ...], str]:
    """The settings that make all prompts equal; else why none was found."""
    if lost := lost_templates(run):
        return (), f"{listed(lost)} could not be recovered from the prompts"
    if (length := sum(map(len, run.texts))) > _SEARCHED:
        return (), f"its {length:,} characters of chunks are too many to look for the reason here"
    try:
        found = fits(run)
    except SynthError as problem:
        return (), str(problem)
    if found:
        return tuple([fit for fit in found if fit.is_likely] or found), ""
    if unused := unused_templates(run):
        return (), f"{listed(unused)} is not in the trace, since no call used it"
    return (), "no setting explains it"


def run(arguments: Namespace) -> int:
    """Print a line for each run of a file.

    0 where all syntheses of the file are verified, and there is one; else 1.
    """
    verdicts = [verdict(each) for each in read_runs(arguments.file)]
    if arguments.json:
        show(json.dumps([verdict_data(each) for each in verdicts], indent=2))
    else:
        screen = Screen.of(sys.stdout)
        rows = screen.table([_row(each) for each in verdicts])
        show(*rows, "", screen.sentence([*_summary(verdicts)]))
    states = {each.state for each in verdicts} - {"no synthesis"}
    return int(states != {"same"})


def _row(each: Verdict) -> list[Cell]:
    style = "bold" if each.state in ("differs", "not compared") else ""
    question = foreign(each.run.query, _QUESTION) or "(no question)"
    return [
        Cell(f"  {_MARKS[each.state]} {question}", style),
        Cell(each.run.mode if each.run.mode in MODES else "", "muted"),
        Cell(counted(len(each.run.calls), "prompt"), "muted", right=True),
        Cell(each.words, style),
    ]


def _summary(verdicts: Sequence[Verdict]) -> Iterator[str]:
    states: list[str] = [each.state for each in verdicts]
    same, differs, not_compared = map(states.count, ("same", "differs", "not compared"))
    of = same + differs + not_compared
    if not of:
        yield Bold("Nothing here can be verified.")
        yield " No synthesis of a known mode made a call: record LlamaIndex with OpenInference."
        return
    words = f"{same:,} of {of:,} synthes{'is' if of == 1 else 'es'} verified"
    words += f", {differs:,} {agreeing('differ', differs)}" if differs else ""
    words += f", {not_compared:,} not compared" if not_compared else ""
    yield Bold(f"{words}.")


def verdict_data(each: Verdict) -> dict[str, Any]:
    """A verdict as JSON has it."""
    return {
        "question": each.run.query,
        "mode": each.run.mode,
        "calls": len(each.run.calls),
        "state": each.state,
        "first_difference": each.call,
        "explained_by": [list(fit.changes) for fit in each.fits],
        "problem": each.problem or None,
    }
