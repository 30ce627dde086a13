"""One of the columns that stand side by side."""

from __future__ import annotations

from dataclasses import dataclass

from ui.compare.columns import Column
from ui.compare.lineup import Lineup
from ui.look.theme import Look
from ui.session.workspace import Place


@dataclass(frozen=True)
class Side:
    """A column to draw, for one question; `reference` is the column it is compared with."""

    shown: Lineup
    column: Column
    question: int
    reference: str
    look: Look

    @property
    def place(self) -> Place:
        """Where its first run stands."""
        return Place(self.column.name, self.question)

    @property
    def is_reference(self) -> bool:
        """Whether the others are compared with this one."""
        return self.column.name == self.reference
