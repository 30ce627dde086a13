"""What a reply means where JSON was asked for."""

from dataclasses import replace

import pytest
from pydantic import BaseModel

from synth import FunctionLLM, get_response_synthesizer
from synth.errors import BadResponse
from synth.prompts.templates import PromptTemplate
from synth.runs.meaning import read_meaning
from synth.runs.steps import Call, Completion

JSON = '{"query_satisfied": true, "answer": "yes"}'


class Verdict(BaseModel):
    query_satisfied: bool
    answer: str


CALL = Call("t", PromptTemplate("Say").fill(), schema=Verdict, filtered=True, takes_cut=True)


@pytest.mark.parametrize("before", ["", "```json\n", "<think>Hm.</think>\n"])
@pytest.mark.parametrize(
    ("text", "answer", "satisfied"),
    [
        (JSON[:-3], "ye", True),
        (JSON[:-1], "yes", True),
        (r'{"query_satisfied": true, "answer": "\ud83d', "", None),
        (r'{"query_satisfied": true, "answer": "the \u00', "the ", True),
        ('{"query_satisfied": true, "answer": " ', "", None),
        ('{"query_satisfied": false, "ans', "", False),
        ('{"query_satisfied": "tr', "", None),
    ],
)
def test_a_filtered_reply_that_was_cut_off_after_its_verdict_counts_as_far_as_it_came(
    before, text, answer, satisfied
):
    completion = Completion(before + text, finish_reason="length")
    if satisfied is None:
        with pytest.raises(BadResponse, match=r"Raise the answer length \(num_output\)"):
            read_meaning(CALL, completion)
        return
    found = read_meaning(CALL, completion)
    assert found[:2] == (answer, satisfied)
    assert found.notes == (
        "The reply was cut off at num_output: its answer is taken as far as it came.",
    )
    with pytest.raises(BadResponse):
        read_meaning(replace(CALL, takes_cut=False), completion)


@pytest.mark.parametrize("before", ["", "```json\n", "<think>Hm.</think>\n"])
def test_json_that_was_cut_off_is_told_as_that_with_what_helps_if_a_longer_answer_does_not(before):
    said = r"cut off after \d+ characters.*Raise the answer length \(num_output\).*If a reply fills"
    with pytest.raises(BadResponse, match=said):
        read_meaning(CALL, Completion(before + JSON[:20], finish_reason="length"))


@pytest.mark.parametrize(
    "text",
    [
        '{"query_satisfied": false}',
        '{"query_satisfied": "no", "answer": null}',
        'No.\n```json\n{"query_satisfied": false, "answer": []}\n```',
    ],
)
def test_a_no_needs_no_answer_and_refine_goes_on(text):
    assert read_meaning(CALL, Completion(text)) == ("", False, ())
    said = iter([JSON, text, text])
    llm = FunctionLLM(lambda prompt: next(said))
    trace = get_response_synthesizer("refine", llm, structured_answer_filtering=True).run(
        "Who?", ["Ada did.", "Bob did not.", "Lunch was late."]
    )
    assert trace.response == "yes"
    assert [call.satisfied for call in trace.calls] == [True, False, False]


def test_json_of_another_form_is_told_with_its_first_problem():
    with pytest.raises(BadResponse, match=r"problems: 1; answer: Field required.*switch the form"):
        read_meaning(CALL, Completion('{"query_satisfied": true}', finish_reason="stop"))


def test_text_is_what_it_is():
    call = Call("t", PromptTemplate("Say").fill())
    assert read_meaning(call, Completion(f"```{JSON}```")) == (f"```{JSON}```", True, ())


@pytest.mark.parametrize(
    "completion",
    [
        Completion("<think>Hm"),
        Completion("<think></think>\n"),
        Completion("Hm.\n</think>\n"),
        Completion(" ", reasoning="Hm."),
        Completion('<think>{"query_satisfied": true, "answer": "draft"}</think>'),
    ],
)
@pytest.mark.parametrize("call", [CALL, Call("t", PromptTemplate("Say").fill())])
def test_reasoning_alone_is_no_answer_whatever_is_in_it(call, completion):
    with pytest.raises(BadResponse, match="no answer yet"):
        read_meaning(call, completion)


def test_an_empty_reply_is_what_it_is():
    assert read_meaning(Call("t", PromptTemplate("Say").fill()), Completion("")) == ("", True, ())
