"""You are the LLM: calls wait for a person, and never for longer than the person stays."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import BaseModel

from synth import get_response_synthesizer
from synth.errors import ModelError, SynthError
from synth.llms import HumanLLM
from synth.prompts.templates import PromptTemplate
from tests.eventually import SECONDS, eventually

CHUNKS = ("The pool was too small.", "It was made larger.", "Nobody was hurt.")


def prompt(text):
    return PromptTemplate("Say it: {query_str}").fill(query_str=text)


def until(count, llm):
    """The questions, as soon as there are `count` of them."""
    pause = threading.Event()
    for _ in range(20_000):  # a call that never asks must not hang the tests
        if len(llm.waiting) >= count:
            return llm.waiting
        pause.wait(0.001)
    raise AssertionError(f"{len(llm.waiting)} questions wait, not {count}")


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


def test_questions_stand_in_the_order_in_which_they_were_asked(pool):
    llm = HumanLLM()
    replies = []
    for count, text in enumerate(("one", "two", "three"), 1):
        replies.append(pool.submit(llm.complete, prompt(text)))
        until(count, llm)
    assert [question.prompt.text[8:] for question in llm.waiting] == ["one", "two", "three"]
    llm.answer(llm.waiting[1].number, "second")
    assert replies[1].result().text == "second"
    assert [question.number for question in llm.waiting] == [1, 3]
    llm.close()


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


def test_many_threads_get_their_own_answers(pool):
    llm = HumanLLM()
    replies = {str(at): pool.submit(llm.complete, prompt(str(at))) for at in range(200)}
    answered = 0
    while answered < len(replies):
        eventually(lambda: llm.waiting, "another question")
        for question in llm.waiting:
            llm.answer(question.number, question.prompt.text.upper())
            answered += 1
    assert all(reply.result().text == f"SAY IT: {text}" for text, reply in replies.items())


async def test_asyncio_goes_on_while_a_call_waits():
    llm = HumanLLM()
    replies = [asyncio.create_task(llm.acomplete(prompt(text))) for text in ("one", "two")]
    async with asyncio.timeout(SECONDS):
        while len(llm.waiting) < 2:
            await asyncio.sleep(0)
    llm.answer(2, "second")
    assert (await replies[1]).text == "second"
    llm.close()
    with pytest.raises(ModelError, match="has left"):
        await replies[0]
    with pytest.raises(ModelError, match="has left"):
        await llm.acomplete(prompt("later"))


async def test_a_cancelled_call_asks_no_more():
    llm = HumanLLM()
    task = asyncio.create_task(llm.acomplete(prompt("one")))
    async with asyncio.timeout(SECONDS):
        while not llm.waiting:
            await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert llm.waiting == ()
    with pytest.raises(SynthError):
        llm.answer(1, "too late")
    llm.close()


@pytest.mark.parametrize(("mode", "batch"), [("refine", 1), ("accumulate", 3)])
def test_a_person_can_be_the_model_of_a_run(pool, mode, batch):
    llm = HumanLLM()
    synthesizer = get_response_synthesizer(response_mode=mode, llm=llm, use_async=True)
    response = pool.submit(synthesizer.get_response, "What happened?", CHUNKS)
    for number in (1, 2, 3):
        until(batch if number == 1 else 1, llm)
        llm.answer(number, f"answer {number}")
    assert "answer 3" in response.result()


def test_leaving_a_run_keeps_what_was_answered(pool):
    llm = HumanLLM()
    synthesizer = get_response_synthesizer(response_mode="refine", llm=llm)
    response = pool.submit(synthesizer.get_response, "What happened?", CHUNKS)
    llm.answer(until(1, llm)[0].number, "the pool")
    assert "the pool" in until(1, llm)[0].prompt.text
    llm.close()
    with pytest.raises(ModelError, match=r"Call 2 \(refine_template\): nobody answers") as failure:
        response.result()
    assert [call.answer for call in failure.value.trace.calls] == ["the pool", None]
