"""What a question is taken to ask for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.llms.relevance import split_question


def parts(query):
    return split_question(query).parts


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What broke?", ["What broke"]),
        ("What broke and how was it mended?", ["What broke", "how was it mended"]),
        ("What broke, when, and who mended it?", ["What broke", "when", "who mended it"]),
        ("Who said that salt and pepper were out?", ["Who said that salt and pepper were out"]),
        ("Why? And how?", ["Why", "how"]),
        ("原因是什么，如何修复？", ["原因是什么", "如何修复"]),
        ("cause of the outage, and its fix", ["cause of the outage, and its fix"]),
        ("", [""]),
    ],
)
def test_a_question_is_cut_where_the_next_thing_is_asked(query, expected):
    assert parts(query) == expected


def test_a_clause_that_asks_nothing_is_the_topic():
    assert split_question("After the storm, what was closed?").topic == "After the storm"
    assert split_question("车辆被淹后，哪些损失可以理赔？").topic == "车辆被淹后"
    assert split_question("What was closed?").topic == ""


def test_a_list_of_questions_is_cut_short():
    assert parts("Why? " * 5_000) == ["Why"] * 8


@given(st.text())
def test_any_text_is_at_least_one_part(query):
    assert len(split_question(query).parts) > 0


@pytest.mark.parametrize("character", [" ", ",", ", ", "? ", "and ", "，", "\n", "what "])
def test_a_paste_of_one_thing_is_cut(character):
    assert split_question("a" + character * (200_000 // len(character)) + "b").parts
