"""The fact funnel as data: the facts, and how far each came in each column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

STATIONS = ("sent", "an answer", "final")
"""What a fact passes in every mode: a prompt, the answer of a call, the final answer."""


@dataclass(frozen=True)
class FunnelFact:
    """A fact, the numbers of the chunks that have it, and whether they were given to the modes.

    `chunks` are numbers in the list where the fact was not retrieved.
    """

    text: str
    must: bool
    chunks: tuple[int, ...]
    retrieved: bool


@dataclass(frozen=True)
class Fate:
    """The stations that a fact passed in one column, where it ended, and a sentence about it.

    `end` is "" where the fact was not lost, or nothing is known yet.
    """

    passed: tuple[bool, bool, bool]
    end: str
    sentence: str


@dataclass(frozen=True)
class Panel:
    """A column of the comparison: its name and the fate of each fact; `planned` without a run."""

    name: str
    planned: bool
    fates: tuple[Fate, ...]

    def counts(self) -> tuple[int, ...]:
        """How many facts passed each station."""
        return tuple(sum(fate.passed[at] for fate in self.fates) for at in range(len(STATIONS)))

    def arrived(self, facts: Sequence[FunnelFact]) -> tuple[int, int]:
        """How many of the facts that must be in the answer are there, and how many must."""
        musts = [fate for fact, fate in zip(facts, self.fates, strict=True) if fact.must]
        return sum(fate.passed[-1] for fate in musts), len(musts)


@dataclass(frozen=True)
class Funnel:
    """Facts and the columns through which they went."""

    facts: tuple[FunnelFact, ...]
    panels: tuple[Panel, ...]

    def before(self) -> dict[str, list[bool]]:
        """The stations before any call by name, with whether each fact passed them."""
        return {
            "in chunks": [bool(fact.chunks) for fact in self.facts],
            "retrieved": [fact.retrieved for fact in self.facts],
        }
