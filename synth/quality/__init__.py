"""What answers are worth: the facts that they should hold, and where a fact was lost."""

from synth.quality.facts import Fact, read_facts
from synth.quality.follow import FactPath, Follower, Stage, Why, follow

__all__ = ["Fact", "FactPath", "Follower", "Stage", "Why", "follow", "read_facts"]
