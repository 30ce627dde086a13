"""What answers are worth: the facts that they should hold, and where a fact was lost."""

from synth.quality.facts import Fact, read_facts

__all__ = ["Fact", "read_facts"]
