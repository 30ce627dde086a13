"""What a question asks for, which sentences the offline model prefers, and what it doubts."""

import pytest

from synth.llms.relevance import split_question
from tests.llms.test_extractive import answer

CAUSE = "The outage was caused by a pool of 8 connections."
WHY = "What caused the outage?"
SUSPECT = "The team suspected that the outage was caused by the name server."
REJECTED = "The name server was ruled out at noon."
LUNCH = "Lunch was served at noon in the garden behind the house."


@pytest.mark.parametrize(
    ("query", "best", "other"),
    [
        (
            "When was the bridge closed?",
            "The bridge was closed on 3 May.",
            "The bridge was closed.",
        ),
        ("When is it open?", "It is open on 3 May.", "It is open to all who may come."),
        ("How many boats came?", "Eleven boats came in.", "The boats came in with the tide."),
        ("Who built the mill?", "Ana Holm built the mill.", "Masons built the mill in stone."),
        ("How many boats came?", "Eleven boats came in.", "Of the many boats a few came in."),
        ("Why was it late?", "It was late because of snow.", "The train was late on that day."),
        ("何时报案？", "应当在四十八小时内报案。", "报案应当通过热线电话。"),
        ("多少户报案？", "共有三百户报案。", "各户都可以报案。"),
    ],
)
def test_a_sentence_that_looks_like_the_answer_comes_first(query, best, other):
    for text in (f"{best}\n\n{other}", f"{other}\n\n{best}"):
        assert answer(text, query).startswith(best)


GRAPH = "The graph looked healthy all morning. It shows a mean over all pods."
FEES = "The fees of the library are low, and children under ten pay nothing."
ARTICLE = "第三条　水淹损失。车辆被水淹没的，本公司赔偿清洗费用。其他费用由车主承担。"


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        # A word of the topic of a question is a match.
        (f"{LUNCH} The storm took it.", "After the storm, what was shut?", "The storm took it."),
        # A suspicion is quoted while nothing better is known.
        (f"{LUNCH} {SUSPECT}", WHY, SUSPECT),
        # A sentence about "it" is read with the one before it.
        (f"{GRAPH} {LUNCH}", "Why did the graph look healthy?", GRAPH),
        # The article of a contract is quoted with its title.
        (ARTICLE, "车辆被水淹没怎么办？", "第三条 水淹损失。车辆被水淹没的，本公司赔偿清洗费用。"),
    ],
)
def test_the_answer_is(text, query, expected):
    assert answer(text, query) == expected


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        # A statement comes before a suspicion, and before what is not so.
        (f"{SUSPECT} {CAUSE}", WHY, CAUSE),
        (f"{SUSPECT} {REJECTED} {CAUSE}", WHY, CAUSE),
        (f"{REJECTED} {SUSPECT} {CAUSE}", "What did the team suspect?", SUSPECT),
        # A heading is no answer.
        (f"# Fees\n\n{FEES}\n\n{LUNCH}", "Which fees?", "The fees of the library"),
        # Other languages are matched by their words.
        ("Der Damm brach im Mai. Das Brot war frisch.", "Wann brach der Damm?", "Der Damm"),
        ("La presa se rompió. El pan era bueno.", "¿Por qué se rompió la presa?", "La presa"),
        ("انهار السد في مايو. كان الخبز طازجا.", "متى انهار السد؟", "انهار السد"),
        ("ダムは五月に壊れました。パンは新鮮でした。", "ダムはいつ壊れましたか", "ダムは五月"),
    ],
)
def test_the_answer_begins_with(text, query, expected):
    assert answer(text, query).startswith(expected)


# An existing answer


@pytest.mark.parametrize("character", [" ", ",", ", ", "? ", "and ", "，", "\n", "what "])
def test_a_paste_of_one_thing_is_cut(character):
    assert split_question("a" + character * (200_000 // len(character)) + "b").parts
