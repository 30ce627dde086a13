"""You are the LLM: calls wait for a person, and never for longer than the person stays."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import BaseModel

from synth.errors import ModelError, SynthError
from synth.llms import HumanLLM
from synth.prompts.templates import PromptTemplate
from tests.eventually import eventually


def prompt(text):
    return PromptTemplate("Say it: {query_str}").fill(query_str=text)


def until(count, llm):
    """Return the questions, as soon as there are `count` of them."""
    eventually(lambda: len(llm.waiting) >= count, f"{count} questions")
    return llm.waiting


@pytest.fixture
def pool():
    with ThreadPoolExecutor(8) as threads:
        yield threads


def test_a_call_waits_for_its_answer(pool):
    llm = HumanLLM()
    reply = pool.submit(llm.complete, prompt("one"), BaseModel)
    [question] = until(1, llm)
    assert (question.prompt.text, question.schema) == ("Say it: one", BaseModel)
    assert llm.identity is None  # answers of a person are never kept
    assert not reply.done()
    llm.answer(question.number, "yes")
    assert reply.result().text == "yes"
    assert llm.waiting == ()


@pytest.mark.parametrize("number", [0, 1, 99])
def test_an_answer_to_no_question_is_refused(number):
    with pytest.raises(SynthError, match=f"Question {number} does not wait"):
        HumanLLM().answer(number, "yes")


def test_the_first_of_two_answers_counts(pool):
    llm = HumanLLM()
    reply = pool.submit(llm.complete, prompt("one"))
    [question] = until(1, llm)
    llm.answer(question.number, "first")
    with pytest.raises(SynthError, match="answered already"):
        llm.answer(question.number, "second")
    assert reply.result().text == "first"


def test_leaving_ends_every_call_and_all_later_ones(pool):
    llm = HumanLLM()
    replies = [pool.submit(llm.complete, prompt(text)) for text in "abc"]
    until(3, llm)
    llm.close()
    llm.close()
    for reply in replies:
        with pytest.raises(ModelError, match="has left"):
            reply.result()
    with pytest.raises(ModelError, match="has left"):
        llm.complete(prompt("later"))
    assert llm.waiting == ()


def test_a_person_who_has_left_keeps_no_run_waiting(monkeypatch):
    monkeypatch.setattr("synth.llms.human._PATIENCE", 0.01)
    llm = HumanLLM()
    with pytest.raises(ModelError, match="nobody answers any more"):
        llm.complete("one")
    assert llm.waiting == ()
