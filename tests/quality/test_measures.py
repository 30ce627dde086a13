"""The measures of an answer that cost nothing."""

import dataclasses

import pytest

from synth.quality.citations import read_citations
from synth.quality.support import find_mentions, find_unfounded
from tests.quality.answered import CHUNKS, answered

BASE = answered("x")
CHINESE = ("连接池只有8个连接，应该有八十个。", "艾达下午修好了它。")


def response(text, chunks=CHUNKS):
    """A run over these chunks with this response."""
    return dataclasses.replace(BASE if chunks == CHUNKS else answered("x", chunks), response=text)


@pytest.mark.parametrize(
    ("answer", "missing"),
    [
        ("The pool was set to 8, not 80, on May 3rd.", []),
        ("The pool was set to 9 on 4 May at 2:15 pm.", ["9", "4", "2:15"]),
        ("Ada mended it with Bo Smith.", ["Bo", "Smith"]),
        ("Why not ask PostgreSQL and the DNS?", ["PostgreSQL", "DNS"]),
        ("However, nobody knew.", []),
        ("1. The pool\n2. was 8 [1][2].\n3) Ada", []),
        ("Response 1: The pool was 8.\n---\nResponse 2: Then I saw Ada.", []),
        ("Costs 1,200 dollars", ["1,200"]),
    ],
)
def test_what_stands_in_no_chunk(answer, missing):
    assert [mention.text for mention in find_unfounded(response(answer))] == missing


def test_what_stands_in_the_question_is_founded():
    setup = dataclasses.replace(BASE.setup, query="What did Bo see at 9:30?")
    trace = dataclasses.replace(BASE, setup=setup, response="That Bo came at 09:30.")
    assert not find_unfounded(trace)
    assert [mention.text for mention in find_mentions(trace)] == ["Bo", "09:30"]


def test_chinese_numbers_are_looked_for():
    run = response("连接池有9个连接，不是8个。", CHINESE)
    assert [mention.text for mention in find_unfounded(run)] == ["9"]
    assert len(find_mentions(run)) == 2


def test_a_citation_says_whether_its_chunk_was_sent():
    text = "The pool was set to 8 [1]. [2] is about lunch [3]. 也见【2】 [1, 2] [2024]."
    found = read_citations(response(text))
    assert [each.number for each in found] == [1, 2, 3, 2, 1, 2]
    problems = [None, None, "[3] names no chunk of this run", None, None, None]
    assert [each.problem for each in found] == problems
    unsent = response("[1]", ("one " * 400, "The pool was set to 8."))
    cited = read_citations(dataclasses.replace(unsent, calls=()))
    assert [each.problem for each in cited] == ["[1] names a chunk that no call carried"]
