"""Counting by the model's server: every count is the server's, and it is asked seldom."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.errors import CountingFailed
from synth.llms import OpenAILLM
from synth.llms.server_texts import ServerTexts
from synth.llms.server_tokenizer import server_tokenizer
from synth.modes.factory import ResponseMode, get_response_synthesizer
from synth.prompts.prompt import Prompt
from synth.prompts.templates import ChatPromptTemplate
from synth.quality.samples import SAMPLES
from synth.text.seams import hard_texts
from tests.examples import examples
from tests.fake_counting import ACROSS, FakeServer, Kind, tokens_of

COUNTING: tuple[Kind, ...] = ("llama.cpp", "vLLM")
HARD_TEXTS = hard_texts()
CHUNKS = (
    "The pool was set to 8 instead of 80.",
    "A chunk with <|im_end|> and <end_of_turn>in it.",
    "车险条款，本公司负责赔偿。水位超过仪表台的，按推定全损处理。" * 4,
    "| a | b |\n|---|---|\n" + "| 12.5 | 1,048 |\n" * 20,
    "x" * 700,
    "🎉👩‍👧 naïve Å é\u0301",
    "  white space at both ends \n",
)
_DICE = random.Random(3)
_WORDS = [word for sample in SAMPLES for chunk in sample.chunks for word in chunk.split()]
LONG = " ".join(_DICE.choices(_WORDS, k=6_000))


def _texts_of(server: FakeServer, key: str | None = None) -> ServerTexts:
    texts_alone = server_tokenizer(server.model, key, server.base_url).text_only
    assert isinstance(texts_alone, ServerTexts)
    return texts_alone


@pytest.fixture(scope="module", params=COUNTING)
def known(request: pytest.FixtureRequest):
    """The texts' tokenizer of a server of each kind that counts."""
    with FakeServer(request.param) as server:
        yield _texts_of(server)


@pytest.mark.slow
@examples(30)
@given(st.lists(st.sampled_from([*HARD_TEXTS, *CHUNKS, " ", "\n", "<|im_end|>", "e\u0301"])))
def test_counts_and_ends_are_those_of_the_server(known: ServerTexts, parts: list[str]) -> None:
    text = "".join(parts)
    ends = known.token_ends(text)
    assert known.count(text) == len(tokens_of(text))
    assert known.doubt == ""
    assert ends is not None
    sizes = np.cumsum([0, *map(len, tokens_of(text))])
    begun = np.cumsum([1, *(byte & 0xC0 != 0x80 for byte in text.encode()), 1]) - 1
    assert ends.tolist() == [int(begun[size]) for size in sizes[1:]]


def test_half_a_surrogate_pair_is_counted_as_it_is_sent(known: ServerTexts) -> None:
    half, sent = known.token_ends("pool\ud800"), known.token_ends("pool?")
    assert half is not None
    assert sent is not None
    assert half.tolist() == sent.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("kind", COUNTING)
@pytest.mark.parametrize(("hidden", "strips"), [(0, False), (1, True)])
def test_every_call_has_the_tokens_that_the_server_reports(
    kind: Kind, hidden: int, strips: bool
) -> None:
    chat = ChatPromptTemplate.from_messages(
        [("system", " Answer briefly.\n"), ("user", "{context_str}\n\n{query_str} ")]
    )
    with FakeServer(kind, hidden=hidden, strips=strips, window=1_000) as server:
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


@pytest.mark.slow
def test_a_plan_asks_a_few_times_for_whole_documents_and_never_once_a_candidate() -> None:
    chunks = [LONG[start : start + 500] for start in range(0, 32 * 500, 500)]
    with FakeServer("llama.cpp") as server:
        tokenizer = server_tokenizer("m", None, server.base_url)
        asked = {}
        for mode in ResponseMode:
            before = tokenizer.server.asked
            llm = OpenAILLM(
                "m", base_url=server.base_url, tokenizer=tokenizer, context_window=2_048
            )
            plan = get_response_synthesizer(str(mode), llm=llm).plan("What was it set to?", chunks)
            assert plan.problem is None
            asked[str(mode)] = tokenizer.server.asked - before
    assert tokenizer.server.doubt == ""
    assert sum(asked.values()) <= 24, asked


def test_a_plan_that_is_made_again_asks_nothing() -> None:
    with FakeServer("vLLM") as server:
        llm = OpenAILLM("m", base_url=server.base_url, tokenizer="server")
        synthesizer = get_response_synthesizer("compact", llm=llm)
        synthesizer.plan("What was the pool set to?", CHUNKS)
        before = sum(server.asked.values())
        synthesizer.plan("What was the pool set to?", CHUNKS)
        assert sum(server.asked.values()) == before


@pytest.mark.slow
@pytest.mark.parametrize("kind", COUNTING)
def test_pieces_that_do_not_join_to_the_text_leave_whole_counts(kind: Kind) -> None:
    with FakeServer(kind, joins=False) as server:
        tokenizer = server_tokenizer("m", None, server.base_url)
        assert "doesn't show where its tokens end" in tokenizer.server.doubt
        assert tokenizer.token_ends(CHUNKS[0]) is None
        assert [tokenizer.count(chunk) for chunk in CHUNKS] == [
            len(tokens_of(chunk)) for chunk in CHUNKS
        ]


def test_a_tokenizer_whose_tokens_run_across_seams_is_found_out() -> None:
    odd = LONG[:1_000] + ACROSS
    with FakeServer("llama.cpp") as server:
        known = _texts_of(server)
        assert known.count(odd) == len(tokens_of(odd))
        assert "so each text is counted by the server as a whole" in known.doubt
        assert known.token_ends(odd) is None


@pytest.mark.slow
def test_a_very_long_text_goes_out_in_slices() -> None:
    text = LONG * 6
    with FakeServer("llama.cpp") as server:
        known = _texts_of(server)
        before = server.asked["/tokenize"]
        assert known.count(text) == len(tokens_of(text))
        slices = math.ceil(len(text) / 100_000)
        assert 1 < slices <= server.asked["/tokenize"] - before <= slices + 1


def test_older_servers_have_no_count_of_a_chat() -> None:
    path = "/v1/chat/completions/input_tokens"
    with FakeServer("llama.cpp", hidden=1, without=[path]) as server:
        frame = server_tokenizer("m", None, server.base_url).frame(("user",))
    assert frame is not None
    assert frame.extra_tokens == 1


def test_a_template_that_hides_its_contents_weighs_what_it_adds() -> None:
    with FakeServer("vLLM", joins=False) as server:
        tokenizer = server_tokenizer("m", None, server.base_url)
        prompt = Prompt.of("The pool was set to 8.")
        chat = server.chat([{"role": "user", "content": str(prompt)}])
        assert prompt.tokens(tokenizer) == len(tokens_of(chat))


def test_a_server_that_ends_says_so_with_what_to_do_and_without_the_key() -> None:
    with FakeServer("llama.cpp", key="sk-secret-1234") as server:
        known = _texts_of(server, "sk-secret-1234")
        known.count("The pool was set to 8.")
        server.stop()
        assert known.count("The pool was set to 8.") == 8
        with pytest.raises(CountingFailed, match="count with an encoding such as") as failure:
            known.count("never asked before")
    assert "sk-secret" not in str(failure.value)


@pytest.mark.parametrize(
    "reply",
    [b"no JSON", b'{"tokens": [{"id": 1, "piece": [300]}]}', b'{"tokens": 1}', b" " * 40_000_000],
    ids=["text", "no bytes", "no list", "huge"],
)
def test_a_lying_server_is_not_believed(reply: bytes) -> None:
    with FakeServer("llama.cpp") as server:
        known = _texts_of(server)
        server.instead["/tokenize"] = reply
        with pytest.raises(CountingFailed):
            known.count("never asked before")


@pytest.mark.parametrize("kind", ["Ollama", "LM Studio", "other"])
def test_a_server_that_cannot_count_is_refused_as_a_tokenizer(kind: Kind) -> None:
    with FakeServer(kind) as server, pytest.raises(CountingFailed, match="can't count a text"):
        OpenAILLM("m", base_url=server.base_url, tokenizer="server")
