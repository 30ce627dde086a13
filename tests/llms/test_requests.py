"""The requests of a call: how many go out, when they end, what the server says they cost."""

import asyncio
import gzip
import threading
import tracemalloc
from dataclasses import replace

import pytest

from synth import get_response_synthesizer
from synth.errors import BadResponse, CapReached, RateLimited, SynthError
from synth.export.files import trace_from_json, trace_to_json
from synth.llms import FunctionLLM
from synth.llms.chat_completions import CallRequest, write_body
from synth.llms.complaints import RequestFacts
from synth.llms.connection import follow_work
from synth.llms.endpoint import Endpoint
from synth.runs.calls import Spent
from synth.runs.events import Cap, Failed, Retrying
from synth.runs.llm import Completion, Retry
from synth.runs.prices import Price
from synth.words.run_words import without_servers_words
from tests.fake_openai import Answer, Failure, FakeOpenAI, Raw, Words
from tests.llms.faults import SOON
from tests.llms.reliability import COMMAND, rows
from tests.llms.ways import CHUNKS, DRIVES, PLAIN, WAYS, Way, llm_of, run, trace_of
from tests.plans import answers
from tests.tables import written

LOADING = Failure(503, "Loading model", SOON)


@pytest.mark.slow
def test_the_table_of_faults_is_what_comes_of_them():
    assert written(COMMAND) == rows()


@pytest.mark.parametrize("drive", DRIVES)
def test_a_run_tells_and_counts_what_was_sent_again(drive):
    with FakeOpenAI(Answer("one"), LOADING, LOADING, Answer("two")) as server:
        trace = trace_of(drive, llm_of(server))
    assert [call.tries for call in trace.calls] == [1, 3, 1]
    assert trace.calls[1].notes == ()
    first, second = trace.calls[1].all_notes
    assert first.startswith("Try 1 failed. ")
    assert "Loading model" in first
    assert second.startswith("Try 2 failed. ")
    assert without_servers_words(trace).calls[1].all_notes == ("Try 1 failed.", "Try 2 failed.")
    assert trace.response == "two"
    assert len(server.requests) == 5
    assert trace_from_json(trace_to_json(trace), trace.setup) == trace


@pytest.mark.parametrize("drive", DRIVES)
@pytest.mark.parametrize("use_async", [False, True])
def test_no_more_requests_are_sent_than_the_cap_has_calls(drive, use_async):
    options = {"cap": Cap(calls=2), "use_async": use_async}
    with FakeOpenAI(Answer("one"), LOADING) as server:
        trace = trace_of(drive, llm_of(server), **options)
        assert len(server.requests) == 2
        trace = trace_of(drive, llm_of(server), mode="accumulate", **options)
        assert len(server.requests) in (3, 4)  # the second may be held back by the first's failure
    assert trace.error_kind == "BadResponse"
    assert "Loading model" in trace.error
    assert "The cap of 2 calls is reached" in trace.error


@pytest.mark.parametrize("drive", DRIVES)
def test_a_request_that_an_argument_was_refused_in_counts_too(drive):
    refuses = {"max_tokens": "Unknown field: max_tokens"}
    with FakeOpenAI(Answer("one"), refuses=refuses) as server:
        trace = trace_of(drive, llm_of(server), cap=Cap(calls=2))
        assert len(server.requests) == 2
    assert [call.tries for call in trace.calls] == [2]
    assert trace.error_kind == "CapReached"


def test_each_request_brings_its_prompt_to_the_cap_on_tokens():
    with FakeOpenAI(Answer("one")) as server:
        [first, *_] = trace_of(run, llm_of(server)).calls
    most = 2 * first.prompt_tokens + 64 + 10
    with FakeOpenAI(LOADING) as server:
        trace = trace_of(run, llm_of(server), cap=Cap(tokens=most))
        assert len(server.requests) == 2
    assert f"The cap of {most} tokens is reached: call 1 was not sent again" in trace.error


def test_nothing_is_sent_again_once_the_run_was_stopped():
    stop = threading.Event()
    with FakeOpenAI(LOADING, Answer("hello")) as server:
        made = get_response_synthesizer("refine", llm_of(server))
        for event in made.stream("why", CHUNKS, stop=stop):
            if isinstance(event, Retrying):
                stop.set()
    assert len(server.requests) == 1
    assert event.trace.stopped


class Failing(FunctionLLM):
    """The first chunk's call fails; the second one's wants to be sent again after that."""

    def __init__(self):
        super().__init__(str)
        self.asked, self.ended = threading.Event(), threading.Event()
        self.sent_again = False

    def ask(self, prompt, schema=None, *, streamed=False):
        if "alpha" in prompt.text:
            self.asked.wait(10)
            raise RateLimited("no more")
        self.asked.set()
        self.ended.wait(10)
        yield Retry(BadResponse("loading"), 2)
        self.sent_again = True
        yield Completion("late")


def test_nothing_is_sent_again_once_another_call_has_failed():
    llm = Failing()
    made = get_response_synthesizer("accumulate", llm, use_async=True, max_concurrency=2)
    for event in made.stream("why", CHUNKS[:2]):
        if isinstance(event, Failed):
            llm.ended.set()
    assert [call.error_kind for call in event.trace.calls] == ["RateLimited", "BadResponse"]
    assert not llm.sent_again


def test_a_small_reply_that_opens_to_much_is_never_held_as_a_whole():
    bomb = Raw(gzip.compress(bytes(100_000_000), 1), headers={"Content-Encoding": "gzip"})
    with FakeOpenAI(bomb) as server:
        llm = llm_of(server)
        tracemalloc.start()
        try:
            with pytest.raises(BadResponse, match="more than 8,256,000 bytes"):
                llm.complete(PLAIN)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert peak < 30_000_000


def test_what_a_server_says_another_try_would_not_help_is_sent_once():
    full = Failure(503, "Full until tomorrow", {**SOON, "x-should-retry": "false"})
    with FakeOpenAI(full) as server, pytest.raises(SynthError):
        llm_of(server).complete(PLAIN)
    assert len(server.requests) == 1


def test_who_leaves_early_ends_the_work():
    ended = threading.Event()

    async def work(tell):
        tell("one")
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    pieces = follow_work(work)
    assert next(pieces) == "one"
    pieces.close()
    assert ended.wait(10)


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("api.openai.com", "max_completion_tokens"),
        ("mine.openai.azure.com", "max_tokens"),
        ("localhost:11434", "max_tokens"),
    ],
)
def test_each_host_is_sent_the_name_that_it_reads(host, name):
    facts = RequestFacts(Endpoint.of("key", f"https://{host}/v1"), 60, "m", num_output=64)
    wanted = CallRequest(facts, PLAIN.messages, {}, None, streamed=False)
    assert write_body(wanted, set())[name] == 64


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
    loading = Failure(503, "Loading model", {"retry-after": "0.001"})
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
