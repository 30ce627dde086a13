"""The view Answer: which chunks it quotes, and what is unfounded."""

import re

import pytest

from tests.fake_openai import Answer, FakeOpenAI
from tests.ui.page import Playground, endpoint
from tests.ui.test_compare import Compare, at

pytestmark = pytest.mark.slow

ROW = re.compile(r'<details class="([^"]*)">(.*?)</details>', re.DOTALL)


def rows(page):
    """The classes and the words of the rows of chunks."""
    found = ROW.findall(page.text)
    words = [(classes, re.sub(r"<[^>]+>", " ", body)) for classes, body in found]
    return [(classes, body) for classes, body in words if "row-context" in classes]


def test_the_sources_say_which_of_them_are_quoted():
    chunks = ("Pumps fail often in winter.", "Valves were shut by hand.", "Nobody was told at all.")
    quoting = "Valves were shut by hand, and so it froze."
    with FakeOpenAI(Answer(quoting)) as server:
        page = endpoint(server, chunks=chunks).finish()
    assert "9 words · 5 of them word for word in a chunk" in page.text
    assert "Sources · 1 of 3 chunks is quoted" in page.text
    (first, one), (second, two), (_, three) = rows(page)
    assert "dim" in first
    assert "not quoted" in one
    assert second == "row row-context from-2"
    assert "5 words" in two
    assert "not quoted" in three
    assert '<span class="q-2">' in page.text
    assert "<style>.st-key-two_answer:has(.from-2:is(" in page.text
    assert ".from-1:is(" not in page.text


def test_a_chunk_that_no_call_carried_is_said_to_be_cut_off():
    page = Playground(mode="simple_summarize").finish()
    notes = [body for _, body in rows(page)]
    assert all("cut off" not in note for note in notes[:7])
    assert " are cut off" in notes[7]
    assert all(" are cut off" in note for note in notes[8:])
    assert "tokens of the chunks were cut off." in page.text


@pytest.mark.parametrize(
    ("settings", "reached"),
    [({"mode": "context_only"}, 12), ({"mode": "refine", "cap_calls": 3}, 3)],
)
def test_what_is_given_back_or_not_reached_is_not_cut_off(settings, reached):
    page = Playground(**settings).finish()
    notes = [body for _, body in rows(page)]
    assert ["are not sent" in note for note in notes] == [at >= reached for at in range(12)]
    assert not any("cut off" in note for note in notes)


def test_the_playground_underlines_what_is_unfounded():
    with FakeOpenAI(Answer("The pump failed at 9:30, Bo said.")) as server:
        page = endpoint(server, query_str="Why?", chunks=("The pump failed at noon.",)).finish()
    assert '<span class="unfounded">9:30</span>' in page.text
    assert "A wavy line is below" in page.text


def test_compare_names_what_of_an_answer_stands_in_no_chunk():
    with FakeOpenAI(Answer("The pump failed at 9:30, it said.")) as server:
        columns = [at(server, model_name="m"), {"mode": "refine"}]
        page = Compare(*columns, query_str="Why?", chunks=("The pump failed at noon.",)).finish()
    assert re.findall(r"in no chunk: ([^<]*)<", page.text) == ["9:30"]
