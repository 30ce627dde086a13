"""The bars of a prompt that its server cut: what was sent and read, on one scale."""

import pytest

from synth.pictures.sent_and_read import Cutting, sent_and_read
from synth.runs.budget import Budget
from tests.pictures.reading import boxes, collisions, space, words

PARTS = {"frame": 0, "template": 40, "query": 10, "context": 3_950, "answer": 0}
BUDGET = Budget(PARTS, 256, 0, 0, 0, 8_192)
CUTTING = Cutting(1, BUDGET, 4_400, 1_024, 1_024, {"template": 30, "context": 3_000})


def test_what_was_read_is_the_end_of_what_was_sent_by_the_servers_count():
    picture = sent_and_read(CUTTING, 540)
    sent, read = boxes(picture, "k-context")
    assert (sent.start, sent.end) == (pytest.approx(50 * 1.1), pytest.approx(4_400))
    [unread] = boxes(picture, "k-unread")
    assert (unread.start, unread.end) == (0, 4_400 - 1_024)
    assert read.end - read.start == pytest.approx(950 * 1.1)
    assert "4,400 tokens\n▲ 3,376 over" in words(picture)


@pytest.mark.parametrize("window", [2_048, 2_300, 3_000])
def test_no_words_stand_under_the_line_of_the_window(window):
    picture = sent_and_read(CUTTING._replace(kept=window, window=window), 540)
    line = picture.left + window / picture.pixel
    [words] = [text for text in picture.texts if text.plain == "chunks 4,345"]
    place = space(picture, words)
    assert place.right < line or place.left > line


@pytest.mark.parametrize("width", [540, 330])
@pytest.mark.parametrize("window", [1_024, 4_096])
@pytest.mark.parametrize("planned", [1_400, 4_096, 8_192])
def test_words_are_apart(width, window, planned):
    budget = Budget(PARTS, 256, 0, 0, 0, planned)
    cutting = CUTTING._replace(budget=budget, kept=window, window=window)
    assert collisions(sent_and_read(cutting, width)) == []
