"""A comparison as a report tells it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ui.report.reported import ReportedRun


@dataclass(frozen=True)
class Compared:
    """Runs under their names, which are unique, with what the page Compare says of them.

    `without` has the reason for each column that has no run. `findings` are the parts of a
    sentence, `measures` a name and a value for each run. `reference` is the name of the run with
    which the answers of the others are compared.
    """

    question: str
    runs: Sequence[tuple[str, ReportedRun]]
    without: Sequence[tuple[str, str]]
    findings: Sequence[str]
    measures: Sequence[tuple[str, Sequence[str]]]
    reference: str = ""

    @property
    def answers(self) -> list[tuple[str, list[str]]]:
        """The different answers with the names of their runs, that of the reference first."""
        names: dict[str, list[str]] = {}
        for name, run in self.runs:
            if run.trace.response is not None:
                names.setdefault(run.trace.response, []).append(name)
        return sorted(names.items(), key=lambda answer: self.reference not in answer[1])

    @property
    def settings(self) -> list[tuple[str, list[str]]]:
        """The settings in which the runs differ, with the value of each."""
        values = [dict(run.settings) for _, run in self.runs]
        names = dict.fromkeys(name for one in values for name in one)
        rows = [(name, [one.get(name, "") for one in values]) for name in names]
        return [(name, cells) for name, cells in rows if len(set(cells)) > 1]

    @property
    def shared_settings(self) -> list[tuple[str, str]]:
        """The settings that all runs have in common."""
        differing = {name for name, _ in self.settings}
        return [
            (name, value)
            for name, value in (self.runs[0][1].settings if self.runs else ())
            if name not in differing
        ]
