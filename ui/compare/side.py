"""One of the columns that stand side by side."""

from __future__ import annotations

from dataclasses import dataclass

from ui.compare.columns import Column
from ui.compare.lineup import Lineup
from ui.compare.run_slots import RunSlot
from ui.look.theme import Look


@dataclass(frozen=True)
class Side:
    """A column to draw, for one question; `reference` is the column it is compared with."""

    shown: Lineup
    column: Column
    question: int
    reference: str
    look: Look

    @property
    def slot(self) -> RunSlot:
        """Where its first run stands."""
        return RunSlot(self.column.name, self.question)

    @property
    def is_reference(self) -> bool:
        """Whether the others are compared with this one."""
        return self.column.name == self.reference
