"""A first answer that stays: a real model reads the cause last, and does not tell it."""

from itertools import pairwise, permutations
from random import Random

from synth.text.diff import word_diff
from synth.text.wording import numbered
from ui.pages.learn.lessons import exercises, lesson, recording, sums
from ui.settings.request import Request

_CAUSE = "8 instead of 80"
_HELD = 0.9  # the share of its words that the first answer keeps to the end
[_ROOT] = [chunk for chunk in exercises.POST_MORTEM.chunks if _CAUSE in chunk]
*_OTHERS, _WEAKEST = exercises.POST_MORTEM.chunks[4:8]

INPUTS = tuple(
    exercises.request_of(
        "refine",
        "Which setting was wrong?",
        (*others, *last, _ROOT),
        context_window=512,
        num_output=recording.NUM_OUTPUT,
    )
    for others in permutations(_OTHERS)
    for last in ((), (_WEAKEST,))
)
"""The exercises: chunks of a report in some order, and the one that tells the cause as the last."""


def _request(chance: Random, seed: int) -> Request:
    return chance.choice(INPUTS)


def _answers(facts: lesson.LessonFacts) -> list[str]:
    return [call.answer or "" for call in facts.trace.calls]


def _root(facts: lesson.LessonFacts) -> int:
    """The number of the chunk that tells the cause, and of the call that reads it."""
    return facts.request.text_chunks.index(_ROOT) + 1


def _claim(facts: lesson.LessonFacts) -> bool:
    answers, chunks = _answers(facts), facts.chunks
    if len(answers) != chunks or _root(facts) != chunks:
        return False
    silent = not any(_CAUSE in answer for answer in answers)
    held = word_diff(answers[0], answers[-1]).share > _HELD
    return silent and held and answers[-1] == answers[-2]


def _task(facts: lesson.LessonFacts) -> lesson.Task:
    chunks, later = facts.chunks, facts.chunks - 1
    pairs = enumerate(pairwise(_answers(facts)), 2)
    changing = [number for number, (before, after) in pairs if before != after]
    verb = "changes" if len(changing) == 1 else "change"
    found = f"{numbered('call', changing)} {verb} it" if changing else "no call changes it"
    return lesson.Task(
        text=f"refine reads these {chunks} chunks one after the other, and chunk {_root(facts)}"
        f" tells which setting was wrong. How many of the {later} calls after the first"
        " change the answer?",
        choices=tuple(range(chunks)),
        answer=len(changing),
        hint="Each later call may write a better answer, or give the answer so far again, word for"
        " word. Which of the two is easier for a very small model?",
        head=f"{len(changing)} of {later}.",
        miss=found,
        sums=(
            sums.difference(
                ("calls after the first", later),
                ("those that give the answer so far again, word for word", later - len(changing)),
                "calls that change the answer",
            ),
        ),
        remark=_remark(facts),
    )


def _remark(facts: lesson.LessonFacts) -> str:
    answers, root = _answers(facts), _root(facts)
    told = [number for number, answer in enumerate(answers, 1) if _CAUSE in answer]
    if told:
        tells = "tells" if len(told) == 1 else "tell"
        kept = " to the end" if told[-1] == len(answers) else f", and call {told[-1] + 1} drops it"
        return (
            f"{numbered('Call', told)} {tells} the cause, “{_CAUSE}”{kept}. What refine says last"
            " need not be the best that it said: look at the steps."
        )
    changes = word_diff(answers[0], answers[-1]).changes
    return (
        f"Call {root} was sent the words “{_CAUSE}”, and no answer has them: the model holds on to"
        f" its first answer. From that one to the last: {changes}. Coverage tells what was sent,"
        " not what was heeded: for that, look at the steps."
    )


ANCHORS = lesson.Lesson(
    key="anchors",
    title="A first answer that stays",
    aim="why a chunk that was sent may change nothing, and how to find that out.",
    text="refine asks each later call for a better answer. The answer so far stands in the prompt,"
    " and a model may hold on to it, though the new chunk says otherwise. Then the first chunk"
    " decides, and it need not be the one that knows.",
    request=_request,
    claim=_claim,
    task=_task,
    control=lesson.Control("order", "Order of the chunks", ("as given", "reversed")),
    pictures=("steps", "compare"),
    llm=recording.recorded,
    answers_from=recording.TOLD,
)
