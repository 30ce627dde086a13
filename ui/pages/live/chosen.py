"""What this tab looks at: the synthesis that is chosen, as a run that opens on other pages."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import streamlit as st
from typing_extensions import override

from ui.controls.handover import LIVE
from ui.imported.opened_file import OpenedFile, OpenedRun
from ui.imported.opening import save
from ui.imported.received_runs import Listed, LookedAt, looked_at, outcome_of, stop_looking_at
from ui.session import browser, keys, workspace


@dataclass
class LiveRuns(OpenedFile):
    """The synthesis that this tab looks at, and its run, if it has ended.

    `asked` is the one that is read, to be looked at. `taken` are the runs, by the ids of their
    syntheses, for which other settings were taken.
    """

    origin: ClassVar[str] = LIVE
    of: Listed | None = None
    look: LookedAt | None = None
    asked: Listed | None = None
    taken: dict[str, OpenedRun] = field(default_factory=dict)

    @override
    def replace(self, run: OpenedRun) -> None:
        """Show the run under other settings, also when it is looked at again."""
        super().replace(run)
        if self.of is not None:
            self.taken[self.of.id] = run
            if run.verified:
                save(run, workspace.current().id, browser.is_own_machine())

    def look_at(self, one: Listed, name: str) -> LookedAt | None:
        """Look at this synthesis; None while it is read, unless less of it was read before."""
        if self.of is None or self.of.id != one.id:
            self.of, self.look, self.runs = one, None, []
        if self.look is None or self.of.trace != one.trace:
            found = self._asked_for(one)
            if found is not None:
                self.of, self.look = one, found
                run = self.taken.get(one.id, found.opened)
                self.runs = [] if run is None else [run]
        self.name = name
        return self.look

    def _asked_for(self, one: Listed) -> LookedAt | None:
        """All of this synthesis, in the place of what was asked for before, once it is read."""
        before, self.asked = self.asked, one
        if before is not None and (before.id, before.trace) != (one.id, one.trace):
            stop_looking_at(before)
        return looked_at(one)


def live_runs() -> LiveRuns:
    """Those of this tab."""
    runs: LiveRuns = st.session_state.setdefault(keys.LIVE_RUNS, LiveRuns())
    return runs


def with_taken(found: Sequence[Listed]) -> list[Listed]:
    """These syntheses, under the settings that were taken for them."""
    taken = live_runs().taken
    return [
        one._replace(outcome=outcome_of(taken[one.id])) if one.id in taken else one for one in found
    ]


def choose(id: str) -> None:
    """Look at the synthesis with this id."""
    st.session_state[keys.LIVE_CHOSEN] = id


def chosen(found: Sequence[Listed]) -> Listed:
    """The synthesis that was chosen, else the newest; `found` has one at least.

    The name of one changes when its first call comes: then it is the newest of its trace.
    """
    id = st.session_state.get(keys.LIVE_CHOSEN, "")
    same = [one for one in found if one.id == id]
    trace = [one for one in found if one.trace.trace_id == id.partition(" ")[0]]
    return (same or trace or found)[0]
