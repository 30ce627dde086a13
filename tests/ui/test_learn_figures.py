"""The picture of a prediction: tokens on one scale, and nothing that tells the answer."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.budget import Budget
from tests.examples import examples
from tests.ui.plotly_figures import checked, rectangles, texts, trace
from ui.figures import BudgetRow
from ui.learn import prediction_figure
from ui.learn.prediction_figure import predict_alt
from ui.look.theme import DARK, LIGHT

predict_figure = checked(prediction_figure.predict_figure)


def parts(*tokens):
    return dict(zip(("template", "query", "variable", "context", "answer"), tokens, strict=True))


FIRST = Budget(parts(28, 10, 0, 690, 0), 128, 128, 0, 0, 984)
LATER = Budget(parts(71, 10, 0, 647, 128), 128, 0, 0, 0, 984)
CHUNKS = [107, 120, 98, 131]


def calls(count=2):
    rows = [BudgetRow("call 1", FIRST, False)]
    return rows + [BudgetRow(f"call {at}", LATER, True) for at in range(2, count + 1)]


def test_the_chunks_lie_end_to_end():
    shown = trace(predict_figure(CHUNKS, calls(), LIGHT), "chunks")
    assert list(shown.x) == CHUNKS
    assert list(shown.base) == [0, 107, 227, 325]
    assert list(shown.text) == ["1", "2", "3", "4"]


def test_a_call_is_empty_and_its_parts_stand_where_they_would():
    figure = predict_figure(CHUNKS, calls(), LIGHT)
    assert {one.name: list(one.base) for one in figure.data if one.name != "chunks"} == {
        "template": [0, 0],
        "query": [28, 71],
        "answers": [728, 728],
        "room for the answer": [728, 856],
        "safety margin": [856, 984],
    }
    assert [(box.x0, box.x1) for box in rectangles(figure)] == [(38, 728), (81, 728)]


@examples(15)
@given(st.integers(1, 40), st.integers(200, 1200))
def test_the_room_is_never_told_as_a_number(count, width):
    figure = predict_figure(CHUNKS, calls(count), LIGHT, width)
    assert not [text for text in texts(figure) if "690" in text or "647" in text]
    assert sum("?" in text for text in texts(figure)) == count
    assert "690" not in predict_alt(CHUNKS, calls(count))


def test_the_scale_holds_the_chunks_and_the_window():
    for chunks in (CHUNKS, [900, 900], []):
        figure = predict_figure(chunks, calls(), LIGHT)
        assert figure.layout.xaxis.range[1] >= max(984, sum(chunks))


def test_many_chunks_have_no_numbers_and_many_calls_are_low():
    shown = trace(predict_figure([10] * 300, calls(), LIGHT), "chunks")
    assert set(shown.text) == {""}
    few, many = (predict_figure(CHUNKS, calls(count), DARK).layout.height for count in (4, 40))
    assert many < 4 * few


def test_a_call_without_room_is_drawn():
    full = BudgetRow("call 1", replace(FIRST, parts={**FIRST.parts, "context": 0}), False)
    assert rectangles(predict_figure(CHUNKS, [full], LIGHT))[0].x1 == 38


@pytest.mark.parametrize(
    ("chunks", "count", "words"),
    [
        ([5], 1, "1 chunk of 5 tokens in all, above 1 empty call in a window of 984 tokens,"),
        (CHUNKS, 3, "4 chunks of 456 tokens in all, above 3 empty calls in a window of 984"),
        ([], 1, "0 chunks of 0 tokens in all"),
    ],
)
def test_the_picture_in_words(chunks, count, words):
    assert predict_alt(chunks, calls(count)).startswith(words)
