"""The sentence about a run says what was made, what was not, and what came in its way."""

from dataclasses import replace

import pytest

from synth.errors import ModelError
from synth.runs.calls import Spent
from synth.words.sentences import run_headline
from tests.fake_openai import FakeOpenAI, Words
from tests.ui.compare_columns import chain_of, trace_of
from tests.ui.page import endpoint
from tests.ui.sample_calls import made
from ui.store.runs import load_run
from ui.store.store import current_store

CALLS = chain_of(made, [0], [1], [2])


def said(trace):
    return "".join(run_headline(trace).sentence)


def refused(call):
    """The call without any reply."""
    kind = ModelError.__name__
    return replace(call, answer=None, output_tokens=0, error="refused", error_kind=kind)


def failed(*calls):
    return trace_of(calls, None, error="refused", error_kind="ModelError")


def test_a_run_to_its_end_made_all_its_calls():
    assert said(trace_of(CALLS)) == (
        "compact made 3 calls in 0 ms. 98 prompt tokens, 30 output tokens. No chunk was cut off."
    )


def test_a_call_without_a_reply_was_not_made_and_nothing_is_said_of_what_a_failed_run_cut_off():
    first, second, third = CALLS
    sentence = said(failed(first, second, refused(third)))
    assert sentence.startswith("Call 3 failed. 2 answers are kept.")
    assert f" {first.prompt_tokens + second.prompt_tokens} prompt tokens" in sentence
    again = replace(refused(first), tries=3)
    expected = "Call 1 failed. 0 answers are kept. 2 requests had to be sent again."
    assert said(failed(again)) == expected
    assert "not sent yet" in said(failed(first, refused(second)))


def test_a_reply_that_could_not_be_read_was_made_all_the_same():
    first, *_ = CALLS
    unread = replace(refused(first), reply="no JSON", output_tokens=2)
    assert f" {first.prompt_tokens} prompt tokens, 2 output tokens." in said(failed(unread))


LONG = [CALLS[0], *(replace(call, output_tokens=30) for call in CALLS[1:])]


def test_answers_longer_than_asked_are_said_with_their_calls():
    expected = "Calls 2 and 3 gave more than the 10 tokens asked for: the model or its server"
    assert expected in said(trace_of(LONG))


@pytest.mark.slow
def test_the_history_has_what_the_server_counted():
    with FakeOpenAI(Words(300, obeys="nothing", prompt_tokens=5000)) as server:
        page = endpoint(server, mode="generation").finish()
    assert page.job.spent == Spent(1, 5000, 300)
    assert "gave more than the 128 tokens asked for" in page.text
    found = load_run(current_store(), page.space.id, page.job.run).info
    assert (found.requests, found.prompt_tokens, found.output_tokens) == (1, 5000, 300)
