"""Miniatures: the proportions of a flow, as an image of its own."""

import pytest

from synth.pictures.miniature import miniature
from synth.pictures.shapes import Path


def lines(picture, kind):
    return sum(len(shape.lines) for shape in picture.shapes if shape.kind == kind)


@pytest.mark.parametrize(
    ("levels", "unsent", "sends", "boxes"),
    [
        ([1, 1, 1], 0, True, {"k-context": 5 + 3, "k-answer": 3, "edge": 3}),
        ([3, 1], 0, True, {"k-context": 5 + 3, "k-answer": 1, "edge": 3 + 3}),
        ([1], 0.5, True, {"k-context": 3 + 1, "edge unsent": 3, "edge": 1}),
        ([1], 0, False, {"k-query": 1, "edge unsent": 5, "k-context": 0}),
        ([], 0, True, {"k-context": 5, "edge": 0}),
    ],
)
def test_the_boxes_of_a_miniature(levels, unsent, sends, boxes):
    picture = miniature([10] * 5, levels, unsent, sends)
    assert {kind: lines(picture, kind) for kind in boxes} == boxes


def test_of_many_boxes_a_few_are_drawn_within_the_miniature():
    picture = miniature([10] * 2_000, [900, 60, 1], 0.3, True)
    paths = [shape for shape in picture.shapes if isinstance(shape, Path)]
    points = [point for path in paths for line in path.lines for point in line]
    assert all(0 <= x <= picture.width and 0 <= y <= picture.height for x, y in points)
    assert sum(len(path.lines) for path in paths) < 150
