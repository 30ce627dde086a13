"""A run as steps to walk through.

Of refine and compact a step is a call: the answer so far, the chunk text that goes in, the
new answer. Of accumulate it is a call too, and the list of answers grows. Of a tree it is a
level: all the calls that went out together.
"""

from ui.steps.data import Said, Shape, Step
from ui.steps.lost import Lost
from ui.steps.taken import Taken
from ui.steps.walk import call_states, steps_of
from ui.steps.words import step_sentence

__all__ = [
    "Lost",
    "Said",
    "Shape",
    "Step",
    "Taken",
    "call_states",
    "step_sentence",
    "steps_of",
]
