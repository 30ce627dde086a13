"""The measures of an answer that cost nothing."""

import dataclasses

import pytest

from synth.errors import BadResponse, ModelError
from synth.quality.citations import citations
from synth.quality.flags import flags
from synth.quality.support import find_unfounded, mentions
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
    assert [mention.text for mention in mentions(trace)] == ["Bo", "09:30"]


def test_chinese_numbers_are_looked_for():
    run = response("连接池有9个连接，不是8个。", CHINESE)
    assert [mention.text for mention in find_unfounded(run)] == ["9"]
    assert len(mentions(run)) == 2


@pytest.mark.parametrize(
    ("answer", "kinds"),
    [
        ("The pool was 8.", []),
        ("", ["empty"]),
        ("I don't know.", ["abstained"]),
        ("The context does not mention the cause. It is not stated anywhere.", ["abstained"]),
        ("The cause is the pool, set to 8. The text does not say who did it.", []),
        ("The text does not say who. But the pool was set to 8 on 3 May, which broke it all.", []),
        ("根据提供的内容，无法确定原因。", ["abstained"]),
        ('{"cause": "pool"', ["broken form"]),
        ('{"cause": "pool"}', []),
        ("[1] says that it was 8.", []),
        ("```json\n{}", ["broken form"]),
    ],
)
def test_a_flag(answer, kinds):
    assert [flag.kind for flag in flags(answered(answer))] == kinds


LONG = "The pool of connections was set to 8 instead of 80 when somebody edited the settings."
STANDS = "The new context does not mention it, so the original answer remains unchanged."


@pytest.mark.parametrize(
    ("answers", "kinds"),
    [
        ([LONG, STANDS], ["answer lost"]),
        ([LONG, f"{STANDS} {LONG}"], []),
        ([LONG, f"{LONG} Ada mended it."], []),
        (["Eight.", "The original answer, eight, stands."], []),
        ([STANDS, LONG], []),
    ],
)
@pytest.mark.parametrize("mode", ["refine", "compact"])
def test_an_answer_that_a_sentence_about_it_replaced_is_lost(mode, answers, kinds):
    given = iter(answers)
    chunks = ("one " * 200, "two " * 200)
    trace = answered(lambda prompt: next(given), chunks, mode, window=400)
    assert len(trace.calls) == 2
    assert [flag.kind for flag in flags(trace)] == kinds


def test_a_later_answer_does_not_bring_a_lost_one_back():
    given = iter([LONG, "No refinement needed.", "Ada mended it."])
    trace = answered(lambda prompt: next(given), ("one", "two", "three"), "refine")
    assert [flag.reason for flag in flags(trace)] == [
        "Call 2 only says that the answer before it stands."
    ]
    given = iter([LONG, "No refinement needed."])
    listed = answered(lambda prompt: next(given), ("one", "two"), "accumulate")
    assert not flags(listed)


def test_a_run_that_failed_or_was_stopped_is_unfinished():
    def fail(prompt):
        raise RuntimeError("gone")

    with pytest.raises(ModelError) as caught:
        answered(fail)
    assert [flag.kind for flag in flags(caught.value.trace)] == ["unfinished"]
    stopped = dataclasses.replace(BASE, response=None, stopped=True)
    assert [flag.kind for flag in flags(stopped)] == ["unfinished"]
    broken = dataclasses.replace(BASE, response=None, error="no", error_kind=BadResponse.__name__)
    assert [flag.kind for flag in flags(broken)] == ["broken form"]


def cut(trace, number):
    calls = list(trace.calls)
    calls[number - 1] = dataclasses.replace(calls[number - 1], finish_reason="length")
    return dataclasses.replace(trace, calls=tuple(calls))


def test_an_answer_that_was_cut_off_counts_if_it_is_in_the_response():
    answers = iter(["first", "second"])
    refined = answered(lambda prompt: next(answers), mode="refine")
    assert [flag.kind for flag in flags(cut(refined, 2))] == ["cut off"]
    assert not flags(cut(refined, 1))
    answers = iter(["first", "second"])
    listed = answered(lambda prompt: next(answers), mode="accumulate")
    assert [flag.reason for flag in flags(cut(listed, 1))] == [
        "The answer of call 1 reached its limit."
    ]


def test_a_citation_says_whether_its_chunk_was_sent():
    text = "The pool was set to 8 [1]. [2] is about lunch [3]. 也见【2】 [1, 2] [2024]."
    found = citations(response(text))
    assert [each.number for each in found] == [1, 2, 3, 2, 1, 2]
    problems = [None, None, "[3] names no chunk of this run", None, None, None]
    assert [each.problem for each in found] == problems
    unsent = response("[1]", ("one " * 400, "The pool was set to 8."))
    cited = citations(dataclasses.replace(unsent, calls=()))
    assert [each.problem for each in cited] == ["[1] names a chunk that no call carried"]
