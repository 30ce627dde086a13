"""The answer length reaches the server, and what a call cost is what the server counted."""

from dataclasses import replace

import pytest

from synth import get_response_synthesizer
from synth.errors import BadResponse, CapReached
from synth.llms import FunctionLLM
from synth.llms.chat_completions import CallRequest, write_body
from synth.runs.calls import Spent
from synth.runs.events import Cap
from synth.runs.prices import Price
from synth.runs.steps import Completion
from tests.fake_openai import Answer, Failure, FakeOpenAI, Words
from tests.llms.ways import DRIVES, PLAIN, WAYS, Way, llm_of, run, trace_of
from tests.plans import answers


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("api.openai.com", "max_completion_tokens"),
        ("eu.api.openai.com", "max_completion_tokens"),
        ("mine.openai.azure.com", "max_tokens"),
        ("api.mistral.ai", "max_tokens"),
        ("localhost:11434", "max_tokens"),
    ],
)
def test_each_host_is_sent_the_name_that_it_reads(host, name):
    wanted = CallRequest("m", PLAIN.messages, 64, {}, None, streamed=False)
    assert write_body(wanted, host, set())[name] == 64


@pytest.mark.parametrize("ask", WAYS)
def test_a_server_that_refuses_both_names_is_never_asked_without_one(ask: Way):
    names = ("max_tokens", "max_completion_tokens")
    refuses = {name: f"Extra inputs are not permitted: {' and '.join(names)}" for name in names}
    server = FakeOpenAI(Answer("hello"), refuses=refuses)
    with server, pytest.raises(BadResponse, match="not permitted"):
        ask(llm_of(server))
    assert [set(names) & request.body.keys() for request in server.requests] == [
        {"max_tokens"},
        {"max_completion_tokens"},
    ]


TOO_LONG = "The answer has 100 tokens, more than the 64 that were asked for"


@pytest.mark.parametrize("drive", DRIVES)
def test_an_answer_that_is_longer_than_asked_is_said_by_the_servers_count(drive):
    with FakeOpenAI(Words(100, obeys="nothing")) as server:
        trace = trace_of(drive, llm_of(server), "generation")
    [call] = trace.calls
    assert TOO_LONG in call.notes[-1]
    assert trace.too_long == (call,)


class Uncounted(FunctionLLM):
    """A server that cuts at num_output by its own tokens, and counts none."""

    def complete(self, prompt, schema=None):
        return replace(super().complete(prompt, schema), finish_reason="length")


def test_an_answer_that_the_server_cut_is_not_said_to_be_too_long_by_our_count():
    trace = trace_of(run, Uncounted(lambda prompt: "word " * 70, num_output=64), "generation")
    assert trace.calls[0].notes == ()
    assert trace.too_long == ()


USAGE = {"prompt_tokens": 700, "completion_tokens": 40}


@pytest.mark.parametrize("drive", DRIVES)
@pytest.mark.parametrize(
    ("reply", "filtering"),
    [
        (Answer("no JSON", usage=USAGE), True),
        (Answer("", "length", usage=USAGE), False),
        (Answer(None, refusal="No.", usage=USAGE), False),
        (Answer("so", "content_filter", usage=USAGE), False),
    ],
    ids=["no JSON", "no word", "refusal", "content filter"],
)
def test_a_reply_that_is_no_answer_was_paid_for(drive, reply, filtering):
    with FakeOpenAI(reply) as server:
        trace = trace_of(drive, llm_of(server), structured_answer_filtering=filtering)
    [call] = trace.calls
    assert (call.answer, call.error_kind) == (None, "BadResponse")
    assert (call.reply, call.finish_reason) == (reply.text or "", reply.finish_reason)
    assert call.spent == trace.spent == Spent(1, 700, 40)


@pytest.mark.parametrize("drive", DRIVES)
def test_a_failure_that_is_taken_for_no_answer_was_paid_for(drive):
    with FakeOpenAI(Words(40, prompt_tokens=700)) as server:
        trace = trace_of(
            drive, llm_of(server), structured_answer_filtering=True, behaviour="llama_index"
        )
    assert answers(trace) == ["", "", ""]
    assert [call.spent for call in trace.calls] == [Spent(1, 700, 40)] * 3
    assert {call.reply for call in trace.calls} == {" ".join(["word"] * 40)}
    assert "BadResponse taken for no answer" in trace.calls[0].notes[0]


@pytest.mark.parametrize("drive", DRIVES)
def test_a_refused_request_got_no_reply(drive):
    with FakeOpenAI(Words(3), Failure(400, "no such tool")) as server:
        trace = trace_of(drive, llm_of(server))
    assert [call.received for call in trace.calls] == [True, False]


class Stuttering(FunctionLLM):
    """A model whose reply breaks off after its first words."""

    def stream(self, prompt, schema=None):
        yield "one two three"
        raise RuntimeError("the line is dead")


def test_what_arrived_before_a_break_is_counted():
    synthesizer = get_response_synthesizer("generation", Stuttering(str))
    *_, end = synthesizer.stream("why", [])
    assert end.trace.calls[0].reply == "one two three"
    assert end.trace.spent.output_tokens == 3


@pytest.mark.parametrize("drive", DRIVES)
def test_each_request_of_a_call_costs_the_prompt_as_the_server_counts_it(drive):
    loading = Failure(503, "Loading model", {"retry-after-ms": "1"})
    with FakeOpenAI(loading, Words(5, prompt_tokens=700)) as server:
        trace = trace_of(drive, llm_of(server), "generation")
    assert trace.spent == Spent(2, 1400, 5)
    assert trace.prompt_tokens < 700


@pytest.mark.parametrize("drive", DRIVES)
@pytest.mark.parametrize(
    "cap", [Cap(tokens=1500), Cap(dollars=0.0015, price=Price(1.0, 1.0))], ids=["tokens", "dollars"]
)
def test_a_cap_counts_what_the_server_counted(drive, cap):
    with FakeOpenAI(Words(5, prompt_tokens=700)) as server:
        trace = trace_of(drive, llm_of(server), cap=cap)
        assert len(server.requests) == 2
    assert trace.error_kind == CapReached.__name__


def test_what_the_server_counted_is_known_of_a_reused_answer_too():
    llm = FunctionLLM(str)
    llm.complete = lambda prompt, schema=None: Completion("yes", 700, 1)
    synthesizer = get_response_synthesizer("generation", llm)
    trace = synthesizer.run("why", [])
    assert synthesizer.replay("why", [], trace.log()).spent == trace.spent == Spent(1, 700, 1)
