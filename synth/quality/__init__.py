"""What answers are worth: the facts that they should hold, and where a fact was lost."""

from synth.quality.facts import Fact, read_facts
from synth.quality.follow import FactPath, Follower, Stage, Why, follow
from synth.quality.sending import Cut, Place, Sending, SentText
from synth.quality.shipped import ShippedQuestion, shipped_questions
from synth.quality.smallest_change import Change, Choice, smallest_changes

__all__ = [
    "Change",
    "Choice",
    "Cut",
    "Fact",
    "FactPath",
    "Follower",
    "Place",
    "Sending",
    "SentText",
    "ShippedQuestion",
    "Stage",
    "Why",
    "follow",
    "read_facts",
    "shipped_questions",
    "smallest_changes",
]
