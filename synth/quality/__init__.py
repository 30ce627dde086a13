"""What answers are worth: facts and where they were lost, checks, and verdicts.

A set of questions (`read_questions`) says what is expected of each answer. `follow` tells where
a fact was lost, `Check.outcome` whether an answer is as it should be, and `verdicts` which of
several columns is better, if any is.
"""

from synth.quality.checks import Check, Outcome, do_all_pass, read_check
from synth.quality.facts import Fact, read_facts
from synth.quality.follow import FactPath, Follower, follow
from synth.quality.questions import Question, read_questions, write_questions
from synth.quality.samples import ShippedQuestion, shipped_questions
from synth.quality.smallest_change import Change, Choice, smallest_changes
from synth.quality.support import Mention
from synth.quality.verdicts import Verdict, verdicts

__all__ = [
    "Change",
    "Check",
    "Choice",
    "Fact",
    "FactPath",
    "Follower",
    "Mention",
    "Outcome",
    "Question",
    "ShippedQuestion",
    "Verdict",
    "do_all_pass",
    "follow",
    "read_check",
    "read_facts",
    "read_questions",
    "shipped_questions",
    "smallest_changes",
    "verdicts",
    "write_questions",
]
