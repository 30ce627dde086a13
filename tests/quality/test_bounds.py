"""Question files and checks: work grows as the input does, and stops at bounds that are named."""

import json

import pytest

from synth.errors import QuestionSetError
from synth.quality.checks import Check
from synth.quality.citations import read_citations
from synth.quality.facts import MOST_CHARACTERS, MOST_FACTS, MOST_WORDINGS, Fact, read_facts
from synth.quality.follow import follow
from synth.quality.question_files import read_questions
from tests.calls import calls_of
from tests.quality.answered import answered

DOUBLED = 2.6
"""How many times the work of an input that of one twice as long may be."""

QUERY = {"query": "When?", "facts": ["noon"], "checks": ["contains: noon"]}
TEST = {"vars": {"query": "When?"}, "assert": [{"type": "contains", "value": "{{query}}"}]}


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.yaml"])
def test_reading_questions_takes_twice_as_long_for_twice_as_many(name):
    def read(count):
        whole = json.dumps({"defaultTest": TEST, "tests": [TEST] * count})
        lines = f"{json.dumps(QUERY)}\n" * count
        read_questions(name, lines if name == "a.jsonl" else whole)

    read(2)  # what is imported at first does not count
    assert calls_of(read, 400) < DOUBLED * calls_of(read, 200)


CHECKS = {
    "contains-all": (["a" * at for at in range(1, 50)], lambda n: "a" * n),
    "regex": ("(a|b)+c", lambda n: "ab" * n),
    "is-json": (None, lambda n: json.dumps([{"a": at} for at in range(n)])),
    "word-count": (3, lambda n: "a " * n),
    "cites": ("1", lambda n: "[1] " * n),
}


@pytest.mark.parametrize(("kind", "value", "answer"), [(k, *rest) for k, rest in CHECKS.items()])
def test_a_check_takes_twice_as_long_for_an_answer_twice_as_long(kind, value, answer):
    check = Check(kind, value)
    check.outcome(answered("1"))
    once, twice = answered(answer(200)), answered(answer(400))
    assert calls_of(check.outcome, twice) < DOUBLED * calls_of(check.outcome, once)


def test_citations_are_read_up_to_a_thousand():
    assert len(read_citations(answered("[1] " * 2_000))) == 1_000


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        ("regex", "a" * 10_001, "10,001 characters.*10,000 and"),
        ("regex", "(a{1000}){1000}", "100,000 are the limits"),
        ("regex", "(x{65535}){65535}", "100,000 are the limits"),
        ("regex", "[" * 10_000, "can't be read"),
        ("contains-any", ["a"] * 101, "at most 100 items"),
    ],
)
def test_a_check_has_bounds(kind, value, message):
    with pytest.raises(QuestionSetError, match=message):
        Check(kind, value)


def test_facts_have_bounds():
    with pytest.raises(ValueError, match="101 facts, and 100 is the limit"):
        read_facts("a\n" * (MOST_FACTS + 1))
    with pytest.raises(ValueError, match="51 wordings, and 50 is the limit"):
        Fact("a", ("b",) * MOST_WORDINGS)
    with pytest.raises(ValueError, match="1,001 characters, and 1,000 is the limit"):
        Fact("a" * (MOST_CHARACTERS + 1))


def test_a_fact_is_followed_in_work_that_grows_as_the_chunks_do():
    fact = Fact("a " * 100)
    runs = [answered("a " * n, ("a " * n,), window=20_000) for n in (500, 1_000)]
    once, twice = (calls_of(follow, fact, run) for run in runs)
    assert twice < DOUBLED * once
