"""What this tab looks at: the synthesis that is chosen, as a run that opens on other pages."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import streamlit as st
from typing_extensions import override

from ui.controls.handover import LIVE
from ui.imported.opened_file import OpenedFile, OpenedRun
from ui.imported.received_runs import Received
from ui.session import keys, workspace


@dataclass
class LiveRuns(OpenedFile):
    """The run that is shown, and those for which other settings were taken.

    `taken` are these, by the ids of their syntheses, of which `id` is the one that is shown.
    """

    origin: ClassVar[str] = LIVE
    id: str = ""
    taken: dict[str, OpenedRun] = field(default_factory=dict)

    @property
    @override
    def comes_back(self) -> bool:
        """Always: what was received is in the database."""
        return True

    @override
    def replace(self, run: OpenedRun) -> None:
        """Show the run under other settings, also when it is chosen again."""
        super().replace(run)
        self.taken[self.id] = run

    def look_at(self, one: Received, name: str) -> None:
        """Show this synthesis, if it has a run that was compared."""
        self.name, self.id = name, one.id
        self.runs = [one.opened] if one.opened is not None else []


def live_runs() -> LiveRuns:
    """Those of this tab's workspace."""
    return workspace.current().holding(LiveRuns)


def with_taken(found: Sequence[Received]) -> list[Received]:
    """These syntheses, under the settings that were taken for them."""
    taken = live_runs().taken
    return [one._replace(opened=taken.get(one.id, one.opened)) for one in found]


def choose(id: str) -> None:
    """Look at the synthesis with this id."""
    st.session_state[keys.LIVE_CHOSEN] = id


def chosen(found: Sequence[Received]) -> Received:
    """The synthesis that was chosen, else the newest; `found` has one at least.

    The name of one changes once, when its first call comes: then it is the newest of its trace.
    """
    id = st.session_state.get(keys.LIVE_CHOSEN, "")
    same = [one for one in found if one.id == id]
    trace = [one for one in found if one.growing.trace_id == id.partition(" ")[0]]
    return (same or trace or found)[0]
