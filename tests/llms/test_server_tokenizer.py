"""Counting by the model's server: every count is the server's, and it is asked seldom."""

import random

import pytest
from hypothesis import given

from synth.errors import CountingFailed
from synth.llms import OpenAILLM
from synth.llms.counting_server import CountingServer, server_tokenizer
from synth.modes.factory import ResponseMode, get_response_synthesizer
from synth.prompts.prompt import Prompt
from synth.prompts.templates import ChatPromptTemplate
from synth.quality.samples import SAMPLES
from synth.text.wording import make_utf8
from tests.examples import examples
from tests.fake_counting import FakeServer, tokens_of
from tests.fake_openai import Answer, FakeOpenAI
from tests.text.hard import HARD

CHUNKS = (
    "The pool was set to 8 instead of 80.",
    "A chunk with <|im_end|> and <end_of_turn>in it.",
    "车险条款，本公司负责赔偿。水位超过仪表台的，按推定全损处理。" * 4,
    "| a | b |\n|---|---|\n" + "| 12.5 | 1,048 |\n" * 20,
    "x" * 700,
    "🎉👩‍👧 naïve Å é\u0301 pool\ud800",
    "  white space at both ends \n",
)
_DICE = random.Random(3)
_WORDS = [word for sample in SAMPLES for chunk in sample.chunks for word in chunk.split()]
LONG = " ".join(_DICE.choices(_WORDS, k=3_000))


def counting_server(server: FakeServer, key: str | None = None) -> CountingServer:
    return server_tokenizer(server.model, key, server.base_url).server


@pytest.fixture(scope="module")
def known():
    """A server that counts."""
    with FakeServer() as server:
        known = counting_server(server)
        known.count("The connection is opened here.")
        yield known


@pytest.mark.slow
@examples(30)
@given(HARD)
def test_counts_are_those_of_the_server(known: CountingServer, text: str) -> None:
    assert known.count(text) == len(tokens_of(make_utf8(text)))


@pytest.mark.slow
@pytest.mark.parametrize(("hidden", "strips"), [(0, False), (1, True)])
def test_every_call_has_the_tokens_that_the_server_reports(hidden: int, strips: bool) -> None:
    chat = ChatPromptTemplate.from_messages(
        [("system", " Answer briefly.\n"), ("user", "{context_str}\n\n{query_str} ")]
    )
    with FakeServer(hidden=hidden, strips=strips, window=1_000) as server:
        llm = OpenAILLM("m", base_url=server.base_url, tokenizer="server", num_output=64)
        assert llm.metadata.context_window == 1_000
        for mode in ("refine", "tree_summarize"):
            synthesizer = get_response_synthesizer(mode, llm=llm, text_qa_template=chat)
            trace = synthesizer.run("What was the pool set to?", CHUNKS)
            counted = [(call.prompt_tokens, call.reported_prompt_tokens) for call in trace.calls]
            assert counted
            assert all(ours == its for ours, its in counted), counted
            plan = synthesizer.plan("What was the pool set to?", CHUNKS)
            assert plan.calls[0].prompt_tokens == counted[0][0]
            for call in trace.calls:
                parts = trace.budget(call).parts
                assert sum(parts.values()) == call.prompt_tokens
                assert parts["frame"] > 0


MOST_ASKED = 9  # requests for each planned call


@pytest.mark.slow
def test_a_plan_asks_a_few_times_for_each_of_its_calls() -> None:
    chunks = [LONG[start : start + 500] for start in range(0, 16 * 450, 450)]  # which overlap
    with FakeServer() as server:
        tokenizer = server_tokenizer("m", None, server.base_url)
        for mode in ResponseMode:
            before = server.asked.total()
            llm = OpenAILLM(
                "m", base_url=server.base_url, tokenizer=tokenizer, context_window=1_024
            )
            plan = get_response_synthesizer(str(mode), llm=llm).plan("What was it set to?", chunks)
            assert plan.problem is None
            asked = server.asked.total() - before
            assert asked <= MOST_ASKED * plan.call_count, (mode, asked, plan.call_count)


def test_what_a_chat_template_adds_is_known_as_a_number() -> None:
    with FakeServer(hidden=3) as server:
        tokenizer = server_tokenizer("m", None, server.base_url)
        prompt = Prompt.of("The pool was set to 8.")
        chat = server.chat([{"role": "user", "content": str(prompt)}])
        assert prompt.tokens(tokenizer) == len(tokens_of(chat)) + 3
        frame = tokenizer.frame(("user",))
        assert frame is not None
        alone = tokenizer.count(str(prompt))
        assert frame.extra_tokens + alone == prompt.tokens(tokenizer)


def test_a_server_that_ends_says_so_with_what_to_do_and_without_the_key() -> None:
    with FakeServer(key="sk-secret-1234") as server:
        known = counting_server(server, "sk-secret-1234")
        known.count("The pool was set to 8.")
        server.stop()
        assert known.count("The pool was set to 8.") == 8
        with pytest.raises(CountingFailed, match="count with an encoding such as") as failure:
            known.count("never asked before")
    assert "sk-secret" not in str(failure.value)


@pytest.mark.parametrize(
    "reply",
    [b"no JSON", b"[1]", b'{"tokens": 1}', b'{"tokens": []}', b" " * 40_000_000],
    ids=["text", "no object", "no list", "none", "huge"],
)
def test_a_lying_server_is_not_believed(reply: bytes) -> None:
    with FakeServer() as server:
        known = counting_server(server)
        server.instead["/tokenize"] = reply
        with pytest.raises(CountingFailed):
            known.count("never asked before")


def test_a_server_that_cannot_count_is_refused_as_a_tokenizer() -> None:
    with FakeOpenAI(Answer("x")) as server, pytest.raises(CountingFailed, match="did not count"):
        OpenAILLM("m", base_url=server.base_url, tokenizer="server")
