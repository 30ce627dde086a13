"""The picture of a prediction: tokens on one scale, and nothing that tells the answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.pictures.budget import BudgetRow
from synth.pictures.prediction import different_calls, prediction, segment_words
from synth.runs.budget import Budget
from tests.pictures.reading import boxes, collisions, words


def parts(*tokens):
    return dict(zip(("template", "query", "variable", "context", "answer"), tokens, strict=True))


FIRST = Budget(parts(28, 10, 0, 690, 0), 128, 128, 0, 0, 984)
LATER = Budget(parts(71, 10, 0, 647, 128), 128, 0, 0, 0, 984)
CHUNKS = [107, 120, 98, 131]


def calls(count=2):
    rows = [BudgetRow("call 1", FIRST, False)]
    return rows + [BudgetRow(f"call {at}", LATER, True) for at in range(2, count + 1)]


def test_chunks_and_calls_stand_on_one_scale():
    picture = prediction(CHUNKS, calls(), 560)
    assert [(box.start, box.end) for box in boxes(picture, "k-context")] == [
        *((0, 107), (107, 227), (227, 325), (325, 456))
    ]
    first, later = boxes(picture, "k-room")
    assert (first.start, first.end) == (38, 38 + 690)
    assert (later.start, later.end) == (81, 81 + 647)
    assert picture.ends == (0, 984)
    assert prediction([900, 900], calls(), 560).ends == (0, 1800)


@given(st.integers(1, 40))
def test_the_room_is_never_told_as_a_number(count):
    picture = prediction(CHUNKS, calls(count), 560)
    told = [*words(picture), picture.alt, *(box.says for box in picture.boxes)]
    assert not [text for text in told if "690" in text or "647" in text]
    assert words(picture).count("?") == count


def test_every_segment_is_told_once_for_each_kind_of_call():
    assert [call.label for call in different_calls(calls(9))] == ["call 1", "call 2"]
    later = calls()[1]
    told = [" ".join(segment_words(later, *segment)) for segment in later.segments]
    assert told[:4] == ["template 71", "question 10", "room for chunks ?", "answer so far ≤ 128"]


@pytest.mark.parametrize("width", [760, 340])
def test_words_are_apart(width):
    assert collisions(prediction(CHUNKS, calls(6), width)) == []
    assert collisions(prediction([20] * 40, calls(1), width)) == []
