"""Counting by the model's server: every count is the server's, and it is asked seldom."""

import pytest

from synth.errors import CountingFailed
from synth.llms import OpenAILLM
from synth.llms.counting_server import server_tokenizer
from synth.modes.registry import ResponseMode, get_response_synthesizer
from synth.prompts.templates import ChatPromptTemplate
from synth.quality.samples import SAMPLES
from tests.fake_counting import CountingServer
from tests.fake_openai import Answer, FakeOpenAI

CHUNKS = [chunk for sample in SAMPLES for chunk in sample.chunks]
CHAT = ChatPromptTemplate.from_messages(
    [("system", " Answer briefly.\n"), ("user", "{context_str}\n\n{query_str} ")]
)
MOST_ASKED = 9  # requests for each planned call


@pytest.mark.slow
def test_every_call_has_the_tokens_that_the_server_reports():
    with CountingServer(window=2_000, hidden=3) as server:
        llm = OpenAILLM("m", base_url=server.base_url, tokenizer="server", num_output=64)
        assert llm.metadata.context_window == 2_000
        for mode in ("refine", "tree_summarize"):
            synthesizer = get_response_synthesizer(mode, llm=llm, text_qa_template=CHAT)
            trace = synthesizer.run("What was the pool set to?", CHUNKS[:6])
            plan = synthesizer.plan("What was the pool set to?", CHUNKS[:6])
            assert trace.calls[0].prompt_tokens == plan.calls[0].prompt_tokens
            for call in trace.calls:
                parts = trace.budget(call).parts
                assert call.prompt_tokens == call.reported_prompt_tokens == sum(parts.values())
                assert parts["frame"] > 3


@pytest.mark.slow
@pytest.mark.parametrize("mode", ResponseMode)
def test_a_plan_asks_a_few_times_for_each_of_its_calls(mode):
    with CountingServer() as server:
        tokenizer = server_tokenizer("m", None, server.base_url)
        before = server.asked.total()
        llm = OpenAILLM("m", base_url=server.base_url, tokenizer=tokenizer, context_window=2_048)
        plan = get_response_synthesizer(str(mode), llm=llm).plan("What was it set to?", CHUNKS)
        assert plan.problem is None
        assert server.asked.total() - before <= MOST_ASKED * max(1, plan.call_count)


@pytest.mark.parametrize(
    "reply",
    [b"no JSON", b"[1]", b'{"tokens": 1}', b'{"tokens": []}', b" " * 40_000_000],
    ids=["text", "no object", "no list", "none", "huge"],
)
def test_a_lying_server_is_not_believed(reply):
    with CountingServer() as server:
        tokenizer = server_tokenizer("m", "sk-secret-1234", server.base_url)
        server.instead["/tokenize"] = reply
        with pytest.raises(CountingFailed, match="count with an encoding such as") as failure:
            tokenizer.count("never asked before")
    assert "sk-secret" not in str(failure.value)


def test_a_server_that_cannot_count_is_refused_as_a_tokenizer():
    with FakeOpenAI(Answer("x")) as server, pytest.raises(CountingFailed, match="did not count"):
        OpenAILLM("m", base_url=server.base_url, tokenizer="server")
