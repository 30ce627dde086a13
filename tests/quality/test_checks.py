"""Checks, measures and rubrics: what passes, what fails, what can't be read, and their bounds."""

import dataclasses
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth import FunctionLLM
from synth.errors import ModelError, QuestionSetError
from synth.quality.checks import Check, Outcome, do_all_pass, read_check
from synth.quality.facts import MOST_CHARACTERS, MOST_FACTS, MOST_WORDINGS, Fact, read_facts
from synth.quality.follow import follow
from synth.quality.questions import read_questions
from synth.quality.rubric import Ruling, judge_answers, read_ruling, rubric_prompt
from synth.quality.support import find_mentions, find_unfounded
from synth.runs import drivers
from synth.runs.calls import Setup
from synth.runs.events import RunOptions
from synth.runs.state import RunState
from synth.text.model_tokenizers import get_tokenizer
from tests.calls import calls_of
from tests.examples import examples
from tests.quality.answered import CHUNKS, answered


def state(text, answer):
    return read_check(text).outcome(answered(answer)).state


@pytest.mark.parametrize(
    ("text", "answer", "expected"),
    [
        (r"regex: a{2}", "aa", "pass"),
        (r"regex: [$]{1,2}", "$5", "pass"),
    ],
)
def test_an_outcome(text, answer, expected):
    assert state(text, answer) == expected


@pytest.mark.parametrize("kind", ["contains: x", "not-contains: x", "not-is-json"])
def test_a_run_without_an_answer_is_neither_passed_nor_failed(kind):
    def fail(prompt):
        raise RuntimeError("gone")

    with pytest.raises(ModelError) as caught:
        answered(fail)
    outcome = read_check(kind).outcome(caught.value.trace)
    assert outcome == Outcome("not judged", "The run failed, so it has no answer to check.")


@pytest.mark.slow
def test_a_pattern_that_never_ends_is_not_judged():
    outcome = Check("not-regex", r"(a|aa)+$(?<=b)").outcome(answered("a" * 60 + "c"))
    assert outcome.state == "not judged"
    assert "write a simpler one" in outcome.reason


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("contians: x", "write contains"),
        ("not-contians: x", "write contains"),
        ("python: is it good?", "no such kind"),
        ("similar(0.8): x", "no such kind"),
        ("contains:", "valid string, and not missing"),
        ("contains-any: ,,", "at least 1 item"),
        ('contains-any: "a', "can't be read"),
        ("regex: (", "missing"),
        ("regex: [^]", "can't be read"),
        ("word-count: many", "valid number"),
        ("word-count", "valid number, and not missing"),
        ("latency(9)", "no such kind"),
        ("contains(3): x", "write contains"),
        ("is-json: {type: 3}", "take it out"),
    ],
)
def test_a_check_that_cannot_be_read_is_an_error(text, message):
    with pytest.raises(QuestionSetError, match=message):
        read_check(text)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"min": 3, "max": 2}, "over its max"),
        ({"most": 2}, "most is not read here"),
        ({}, "min, max or both"),
        ({"min": "few"}, "valid number"),
    ],
)
def test_limits_of_words_that_cannot_be_met(value, message):
    with pytest.raises(QuestionSetError, match=message):
        Check("word-count", value)


def test_a_text_without_a_kind_must_be_equalled():
    assert read_check(" It was 42. ") == Check("equals", "It was 42.")


KINDS = st.sampled_from(["contains", "icontains", "starts-with", "equals", "contains-all"])


@examples(100)
@given(KINDS, st.text(min_size=1, max_size=20), st.text(max_size=40))
def test_not_before_a_kind_is_its_opposite(kind, value, answer):
    value = [value] if kind == "contains-all" else value
    trace = dataclasses.replace(answered("x"), response=answer)
    states = {Check(f"{no}{kind}", value).outcome(trace).state for no in ("", "not-")}
    assert states == {"pass", "fail"}


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
}


@pytest.mark.parametrize(("kind", "value", "answer"), [(k, *rest) for k, rest in CHECKS.items()])
def test_a_check_takes_twice_as_long_for_an_answer_twice_as_long(kind, value, answer):
    check = Check(kind, value)
    check.outcome(answered("1"))
    once, twice = answered(answer(200)), answered(answer(400))
    assert calls_of(check.outcome, twice) < DOUBLED * calls_of(check.outcome, once)


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


TEXTS = st.text(st.sampled_from('=\n {}"abc\\'), max_size=40)
SETUP = Setup("rubric", "documented", "", (), 4_000, 400, get_tokenizer("cl100k_base"))


@given(TEXTS, TEXTS, TEXTS)
def test_no_text_can_close_its_fence(question, answer, rubric):
    prompt = rubric_prompt(question, answer, rubric).text
    fence = max(re.findall("=+", prompt), key=len)
    assert len(fence) >= 5
    assert prompt.count(fence) == 7  # one is named
    parts = prompt.split(f"{fence}\n")
    assert [part.removesuffix("\n") for part in parts[1::2]] == [question, answer, rubric]


@given(st.booleans(), st.text(min_size=1), st.text(st.characters(exclude_characters="{}")))
def test_a_reply_is_read_whatever_stands_around_its_object(said, reason, around):
    ruling = read_ruling(f"{around}{json.dumps({'reason': reason, 'pass': said})}{around}", "m")
    assert ruling == Ruling(said, ruling.reason, "m")
    assert reason.startswith(ruling.reason.removesuffix("..."))


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "pass",
        '{"pass": "true", "reason": "so"}',
        '{"pass": 1}',
        '{"pass": null}',
        '{"reason": "so"}',
        '{"pass": true} and {"pass": false}',
        '<think>{"pass": true}</think>',
        '{"pass": tru',
        "{" * 100_000 + "}",
    ],
)
def test_what_cannot_be_read_is_no_pass_and_its_first_words_are_told(reply):
    ruling = read_ruling(reply, "m")
    assert ruling.passed is None
    words = reply.rpartition("</think>")[2][:20]
    assert ruling.reason.startswith(f"its reply can't be read: '{words}")
    outcome = Check("rubric", "is polite").outcome(answered("Yes."), {"is polite": ruling})
    assert outcome.state == "not judged"
    assert outcome.reason.startswith("Its reply can't be read: ")


def model(prompt):
    answer = prompt.partition("Answer:\n")[2]
    return json.dumps({"reason": "it says noon.", "pass": "noon" in answer.partition("\n=")[0]})


def test_a_model_is_asked_about_all_answers_together():
    llm = FunctionLLM(model, context_window=4_000, num_output=400)
    prompts = [rubric_prompt("When?", answer, "names noon") for answer in ("At noon.", "At one.")]
    trace = drivers.run(RunState(SETUP, judge_answers(prompts), RunOptions(), llm))
    rulings = [read_ruling(call.answer, "m") for call in trace.calls]
    assert [ruling.passed for ruling in rulings] == [True, False]
    for type, state in (("rubric", "pass"), ("not-rubric", "fail"), ("llm-rubric", "pass")):
        found = Check(type, "names noon").outcome(answered("At noon."), dict([RULED]))
        assert found == (state, "It says noon (judged by m).")


RULED = ("names noon", Ruling(True, "it says noon.", "m"))


def test_a_rubric_that_no_model_has_judged_neither_passes_nor_fails():
    outcome = read_check("rubric: is polite, and short").outcome(answered("Yes."), dict([RULED]))
    assert outcome == ("not judged", "No model has judged it by this rubric.")
    assert do_all_pass([outcome, read_check("contains: Yes").outcome(answered("Yes."))]) is None
    assert do_all_pass([outcome, read_check("contains: No").outcome(answered("Yes."))]) is False
