"""The chain of steps: what stands below the line, what above it, and what fits on it."""

import pytest

from synth import get_response_synthesizer
from synth.errors import ModelError
from synth.pictures.steps import step_columns, steps_picture
from synth.pictures.walk import steps_of
from tests.pictures.reading import boxes, collisions, words
from tests.ui.sample_calls import scripted

ANSWERS = [
    "one two three",
    "one two three four five",
    "one two six",
    "The original answer remains.",
]


def chain(replies=ANSWERS, size=20, **options):
    """The steps of refine, with these replies; None fails."""
    llm = scripted(replies, 4_000)
    asked = get_response_synthesizer(response_mode="refine", llm=llm, **options)
    chunks = [" ".join([f"word{at}"] * size) for at in range(len(replies))]
    try:
        return steps_of(asked.run("What happened?", chunks))
    except ModelError as failure:
        return steps_of(failure.trace)


def long_chain(count):
    return chain([f"one two {'three ' * (at % 7)}" for at in range(count)], size=3)


def above(picture):
    """The words above each answer, by the number of the step."""
    return {text.x: text.plain for text in picture.texts if text.side == "above"}


def test_answers_stand_on_the_line_and_chunks_below_it():
    steps = chain()
    picture = steps_picture(steps, 880)
    columns = step_columns(steps, 880)
    line = columns.y(0)
    for step in steps:
        own = [box for box in picture.boxes if box.click == ("step", step.number)]
        [chunk] = [box for box in own if "k-context" in box.kind]
        assert chunk.top == line
        answer = sum(box.high for box in own if "k-answer" in box.kind)
        words_ = step.diff.kept + step.diff.added
        assert answer * columns.pixel == pytest.approx(words_)
        assert min(box.top for box in own) == pytest.approx(columns.y(words_))
    heights = [box.high for box in boxes(picture, "k-context")]
    assert heights.index(max(heights)) == [step.tokens for step in steps].index(
        max(step.tokens for step in steps)
    )


def test_kept_words_are_hatched_and_added_ones_plain():
    picture = steps_picture(chain(), 880)
    added = boxes(picture, "k-answer plain")
    kept = [box for box in boxes(picture, "k-answer") if box not in added]
    assert (len(kept), len(added)) == (2, 4)
    assert kept[0].says == "step 2\n3 words kept, 2 added, 0 dropped"


def test_labels_say_what_was_added_dropped_and_lost():
    assert above(steps_picture(chain(), 880)) == {1: "+3", 2: "+2", 3: "+1\n−3", 4: "lost\n+4\n−3"}
    assert above(steps_picture(chain(["one two", "one two"]), 880))[2] == "="


def test_filtered_and_failed_steps_are_told_without_colour():
    replies = [
        '{"query_satisfied": true, "answer": "one two"}',
        '{"query_satisfied": false, "answer": ""}',
    ]
    picture = steps_picture(chain([*replies, None], structured_answer_filtering=True), 880)
    assert (above(picture)[2], above(picture)[3]) == ("filtered", "failed")
    assert len(boxes(picture, "k-context assumed")) == 2


def test_the_current_step_has_a_frame_and_later_ones_are_pale():
    picture = steps_picture(chain(), 880, current=2)
    [frame] = boxes(picture, "frame")
    assert frame.start < 2 < frame.end
    assert {box.click for box in boxes(picture, "pale")} == {("step", 3), ("step", 4)}
    assert not boxes(steps_picture(chain(), 880), "frame")


@pytest.mark.parametrize("width", [340, 620, 880])
@pytest.mark.parametrize("count", [1, 9, 14, 30, 60])
def test_words_are_apart(count, width):
    assert collisions(steps_picture(long_chain(count), width, current=count)) == []


def test_a_chunk_without_room_for_its_tokens_still_has_its_name():
    asked = get_response_synthesizer("refine", llm=scripted(["one two", "one two"], 4_000))
    steps = steps_of(asked.run("Why?", ["word " * 60, "word " * 40]))
    found = words(steps_picture(steps, 880, height=210))
    assert "2" in found
    assert [word for word in found if word.startswith("1\n")]


def test_words_that_do_not_fit_are_signs_with_a_key():
    picture = steps_picture(chain(["one two three four", ""] * 20), 880)
    assert above(picture)[2] == "↓"
    assert "answer, words\nplain: added\nhatched: kept\n↓ lost" in words(picture)
    assert not [word for word in words(steps_picture(chain(), 880)) if "↓" in word]
