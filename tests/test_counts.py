"""Both counts of a prompt: the line between them, and what a run says of its server."""

import pytest

from synth.llms import OpenAILLM
from synth.modes.factory import get_response_synthesizer
from synth.quality import Fact, follow
from synth.runs.counts import CallCounts, find_cut
from tests.fake_openai import FakeOpenAI, Reader


@pytest.mark.parametrize(
    "pairs",
    [
        pytest.param([(900, 11), (4_000, 11), (6_000, 11)], id="a number that is no count"),
        pytest.param([(100, 4_096), (900, 4_096), (6_000, 4_096)], id="always the same number"),
        pytest.param([(900, 700), (4_000, 1_100), (6_000, 2_300)], id="without what was cached"),
        pytest.param([(900, 900), (4_000, 3_990), (6_000, 6_010)], id="close enough"),
        pytest.param([(900, 1_100), (4_000, 4_900), (6_000, 7_300)], id="more than sent"),
        pytest.param([], id="nothing counted"),
    ],
)
@pytest.mark.parametrize("sure", [True, False], ids=["sure", "estimated"])
def test_what_is_no_cut(pairs, sure):
    calls = [CallCounts(at, ours, theirs) for at, (ours, theirs) in enumerate(pairs)]
    assert find_cut(calls, sure, 8_192) is None


def test_one_prompt_of_a_window_that_is_known_needs_no_other():
    [call] = [CallCounts(1, 7_932, 4_096)]
    assert find_cut([call], False, 8_192) == (4_096, 4_096, (1,), (7_932,))
    assert find_cut([call._replace(theirs=2_050)], False, 8_192)[:2] == (2_050, 4_096)
    assert find_cut([call._replace(theirs=5_003)], False, 8_192) is None
    assert find_cut([call._replace(theirs=5_003)], True, 8_192)[:2] == (5_003, 5_003)


CHUNKS = ["The root cause is a pool of eight."] + [f"word{n} " * 60 for n in range(20)]


def run(server, tokenizer="cl100k_base", mode="compact", window=8_192, chunks=CHUNKS):
    llm = OpenAILLM(
        "m", "key", server.base_url, context_window=window, num_output=64, tokenizer=tokenizer
    )
    return get_response_synthesizer(mode, llm).run("What was the root cause?", chunks)


@pytest.mark.parametrize("halves", [False, True], ids=["up to 0.29", "from 0.30"])
def test_a_fact_that_the_server_cut_off_was_sent_and_never_read(halves):
    def reply(text):
        return "a pool of eight" if "pool of eight" in text else "It is not said."

    with FakeOpenAI(Reader(1_024, reply, halves=halves)) as server:
        trace = run(server)
    cut = trace.counts.cut
    assert (cut.window, cut.calls) == (1_024, (1,))
    path = follow(Fact("pool of eight"), trace)
    assert (path.stage, path.why, path.sent) == ("not_read", "server", (1,))
    assert trace.response == "It is not said."
    first, last = trace.coverage[0], trace.coverage[-1]
    assert first.cut_by_server_tokens == first.tokens
    assert (last.cut_by_server_tokens, trace.lost_tokens) == (0, 0)


@pytest.mark.parametrize("says", [None, 11], ids=["nothing", "what is no count"])
def test_a_server_that_does_not_count_is_not_suspected(says):
    with FakeOpenAI(Reader(1_024, says=lambda tokens: says)) as server:
        trace = run(server)
    assert trace.counts.cut is None
    assert len(trace.counts.calls) == (says is not None)
    assert trace.counts.factor_beside(1.2) == 1.2
