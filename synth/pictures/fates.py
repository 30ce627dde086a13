"""How far facts came in the columns of a comparison, as data and in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from synth.text.wording import counted

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

    @property
    def lost(self) -> str:
        """Why it reached no mode, if it did not."""
        return "" if self.retrieved else "not retrieved" if self.chunks else "in no chunk"


@dataclass(frozen=True)
class Fate:
    """The stations that a fact passed in one column, where it ended, and a sentence about it.

    `end` is "" where the fact was not lost, or nothing is known yet; an `unread` one was sent, and
    cut off by the server.
    """

    passed: tuple[bool, bool, bool]
    end: str
    sentence: str
    unread: bool = False


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


def funnel_alt(funnel: Funnel) -> str:
    """The funnel in words, for those who can't see it."""
    parts = []
    for panel in funnel.panels:
        sent, held, final = panel.counts()
        known = "" if panel.planned else f", {held:,} in an answer, {final:,} in the final answer"
        parts.append(f"{panel.name}: {sent:,} sent{known}")
    return f"Where {counted(len(funnel.facts), 'fact')} went. {'; '.join(parts)}."
