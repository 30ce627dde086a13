"""Both counts of a prompt: the line between them, and what a run says of its server."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.errors import SynthError
from synth.llms import OpenAILLM
from synth.modes.factory import get_response_synthesizer
from synth.prompts.prompt import Prompt
from synth.quality import Fact, follow
from synth.quality.samples import SAMPLES
from synth.runs.counts import Line, line_through
from synth.runs.cuts import CallCounts, find_cut
from synth.text import tokens
from synth.text.specs import Correction, Spec
from synth.text.tokenizer import Tokenizer
from synth.text.tokens import get_tokenizer
from tests.fake_openai import FakeOpenAI, Reader


@given(
    per_call=st.integers(0, 200),
    percent=st.integers(50, 240),
    ours=st.lists(st.integers(50, 8_000), min_size=3, max_size=20, unique=True).filter(
        lambda ours: max(ours) - min(ours) > max(ours) // 4
    ),
)
def test_a_line_that_is_there_is_found_within_what_rounding_adds(per_call, percent, ours):
    pairs = [(tokens, per_call + -(-tokens * percent // 100)) for tokens in ours]
    line = line_through(pairs)
    assert abs(line.correction.percent - percent) <= 1
    assert abs(line.correction.per_call - per_call) <= 2 + max(ours) / 100
    assert line.miss <= 2 + max(ours) / 100
    assert line.correction.calls == len(ours)


@given(st.lists(st.tuples(st.integers(0, 9_000), st.integers(0, 9_000)), max_size=9))
def test_the_miss_of_any_line_is_its_largest(pairs):
    line = line_through(pairs)
    if line is not None:
        assert line.correction.per_call >= 0
        assert line.miss == max(abs(line.of(ours) - theirs) for ours, theirs in pairs)


def test_calls_of_one_length_give_a_share_alone():
    assert line_through([(1_000, 1_190), (1_010, 1_210), (1_005, 1_200)]).correction[:2] == (0, 120)
    assert line_through([(1_000, 1_190)]).correction[:2] == (0, 119)


def test_the_line_of_a_run_whose_texts_are_english():
    """The estimates by cl100k_base of twelve prompts, and what llama.cpp counted of them."""
    ours = [150, 293, 295, 282, 308, 287, 285, 284, 278, 294, 273, 295]
    theirs = [194, 352, 351, 336, 359, 334, 341, 338, 330, 355, 319, 344]
    assert line_through(list(zip(ours, theirs, strict=True))) == ((31, 108, 12), 7)


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
    calls = [CallCounts(at, ours, theirs, f"text {at}") for at, (ours, theirs) in enumerate(pairs)]
    assert find_cut(calls, sure, 8_192) is None


def test_one_prompt_of_a_window_that_is_known_needs_no_other():
    [call] = [CallCounts(1, 7_932, 4_096, "text")]
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


@pytest.mark.slow
def test_a_server_whose_window_holds_it_all_is_not_suspected():
    with FakeOpenAI(Reader(4_096, frame=30)) as server:
        trace = run(server, mode="refine")
    assert trace.counts.cut is None
    assert trace.cut_by_server_tokens == 0
    assert not trace.counts.equal
    assert trace.counts.line.correction.calls == len(CHUNKS)


@pytest.mark.parametrize("says", [None, 11], ids=["nothing", "what is no count"])
def test_a_server_that_does_not_count_is_not_suspected(says):
    with FakeOpenAI(Reader(1_024, says=lambda tokens: says)) as server:
        trace = run(server)
    assert trace.counts.cut is None
    assert trace.counts.line is None
    assert trace.counts.silent == (says is None)


@given(
    st.text(max_size=300),
    st.integers(0, 99),
    st.integers(40, 260),
    st.sampled_from(["estimate o200k_base", "cl100k_base", "model gpt-4.1"]),
)
def test_a_measured_tokenizer_counts_what_its_line_says(text, per_call, percent, spec):
    base = get_tokenizer(spec)
    tokenizer = get_tokenizer(f"measured {per_call} {percent} 12 {spec}")
    prompt = Prompt.of(text)
    line = Line(Correction(per_call, percent, 12))
    assert 0 <= prompt.tokens(tokenizer) - line.of(prompt.tokens(base)) <= 2
    assert prompt.fits(tokenizer, prompt.tokens(tokenizer))
    assert not prompt.fits(tokenizer, prompt.tokens(tokenizer) - 1)
    assert (tokenizer.counting, tokenizer.sure) == ("measured on 12 calls", False)
    assert get_tokenizer(tokenizer.name).name == tokenizer.name
    assert tokenizer.text_only.name == base.text_only.name  # the encoding, which scripts count with
    assert pickle.loads(pickle.dumps(tokenizer)).count(text) == tokenizer.count(text)


@pytest.mark.parametrize(
    "spec",
    [
        "measured",
        "measured 1 2",
        "measured -1 100 3 cl100k_base",
        "measured 1 0 3 cl100k_base",
        "measured 1 100 0 cl100k_base",
        "measured 1 2 3 nothing",
        "measured 1 100 3 measured 1 100 3 cl100k_base",
        "packed",
        "packed cl100k_base",
        "packed none o200k_base",
        "packed cl100k_base none",
        "packed cl100k_base packed cl100k_base o200k_base",
    ],
)
def test_a_spec_that_names_no_tokenizer_is_refused(spec):
    with pytest.raises(SynthError, match="There is no encoding"):
        get_tokenizer(spec)


def test_what_was_measured_asks_no_server(monkeypatch):
    """Whoever makes a link can write a server into a spec, and nobody chose it here."""
    asked = []
    server = Tokenizer("server host m", lambda text: asked.append(text) or [0])
    monkeypatch.setitem(tokens._registered, server.name, server)
    assert get_tokenizer(server.name) is server
    assert get_tokenizer(f"measured 1 100 3 {server.name}").count("a b c") == 3
    assert not asked


def test_what_is_planned_as_measured_fits_the_server():
    """Words are fewer than tokens: a correction from one run makes the plan of the next."""
    chunks = next(sample.chunks for sample in SAMPLES if sample.name == "post_mortem")
    with FakeOpenAI(Reader(100_000, frame=30)) as server:
        first = run(server, "estimate cl100k_base", mode="refine", chunks=chunks)
        counted_by, line = first.setup.tokenizer.name, first.counts.line
        spec = str(Spec.of(counted_by)._replace(correction=line.correction))
        second = run(server, spec, window=800, chunks=chunks)
    assert second.call_count > 1
    for call in second.calls:
        assert call.prompt_tokens == pytest.approx(call.reported_prompt_tokens, rel=0.05)
