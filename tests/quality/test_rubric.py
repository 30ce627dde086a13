"""A rubric: what a model is asked of an answer, what its reply means, and what a check finds."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth import FunctionLLM
from synth.quality import Check, read_check
from synth.quality.checks import do_all_pass
from synth.quality.rubric import Ruling, judge_answers, read_ruling, rubric_prompt
from synth.runs import drivers
from synth.runs.calls import Setup
from synth.runs.events import RunOptions
from synth.text.tokens import get_tokenizer
from tests.quality.answered import answered

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
    outcome = Check("rubric", "is polite").outcome(answered("Yes."), None, {"is polite": ruling})
    assert outcome.state == "not judged"
    assert outcome.reason.startswith("Its reply can't be read: ")


def model(prompt):
    answer = prompt.partition("Answer:\n")[2]
    return json.dumps({"reason": "it says noon.", "pass": "noon" in answer.partition("\n=")[0]})


def test_a_model_is_asked_about_all_answers_together():
    llm = FunctionLLM(model, context_window=4_000, num_output=400)
    prompts = [rubric_prompt("When?", answer, "names noon") for answer in ("At noon.", "At one.")]
    trace = drivers.run(SETUP, judge_answers(prompts), llm, RunOptions())
    rulings = [read_ruling(call.answer, "m") for call in trace.calls]
    assert [ruling.passed for ruling in rulings] == [True, False]
    for type, state in (("rubric", "pass"), ("not-rubric", "fail"), ("llm-rubric", "pass")):
        found = Check(type, "names noon").outcome(answered("At noon."), None, dict([RULED]))
        assert found == (state, "It says noon (judged by m).")


RULED = ("names noon", Ruling(True, "it says noon.", "m"))


def test_a_rubric_that_no_model_has_judged_neither_passes_nor_fails():
    outcome = read_check("rubric: is polite, and short").outcome(
        answered("Yes."), None, dict([RULED])
    )
    assert outcome == ("not judged", "No model has judged it by this rubric.")
    assert do_all_pass([outcome, read_check("contains: Yes").outcome(answered("Yes."))]) is None
    assert do_all_pass([outcome, read_check("contains: No").outcome(answered("Yes."))]) is False
