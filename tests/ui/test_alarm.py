"""The alarm: a server that reads less than it was sent, without a word."""

from datetime import datetime
from math import ceil

import pytest

from synth.llms import OpenAILLM
from synth.modes.factory import get_response_synthesizer
from synth.quality import Fact, follow
from synth.words.coverage_words import alarm_words
from tests.fake_openai import FakeOpenAI, Reader
from tests.ui.page import endpoint
from tests.ui.report.reported import Read
from tests.ui.test_compare import Compare, at
from ui.export.report_pages import run_html
from ui.session import keys
from ui.store.run_json import Run
from ui.store.tables import RunInfo

pytestmark = pytest.mark.slow

CHUNKS = ("The root cause is a pool of eight.", *(f"word{n} " * 60 for n in range(20)))


@pytest.mark.parametrize(("halves", "kept"), [(False, 1_024), (True, 514)])
def test_a_cut_is_said_with_its_numbers_and_two_ways_out(halves, kept):
    with FakeOpenAI(Reader(1_024, halves=halves)) as server:
        page = endpoint(server, mode="compact", chunks=CHUNKS, context_window=8_192).finish()
    sent = page.job.trace.counts.cut.sent_tokens[0]
    text = page.text
    assert f"Your server read {kept:,} of about {sent:,} tokens sent. Chunks 1 to" in text
    assert "never reached the model." in text
    assert f"{sent:,}: estimated with o200k_base" in text
    assert "No chunk was cut off" not in text
    needed = -(-(sent + page.job.trace.setup.num_output) // 1_024) * 1_024
    assert [one.value for one in page.at.code] == [f"OLLAMA_CONTEXT_LENGTH={needed} ollama serve"]
    page.set(view="coverage")
    assert " cut by the server" in page.text
    page.set(view="answer").press("Set the window to 1,024")
    assert page.settings.context_window == 1_024


def test_the_alarm_is_said_of_a_fact_and_in_files():
    with FakeOpenAI(Reader(1_024)) as server:
        page = endpoint(server, mode="compact", chunks=CHUNKS, context_window=8_192).finish()
    assert "could not name it" not in page.text
    page.enter(keys.EXPECTED, "a pool of eight")
    assert "“a pool of eight” stands in chunk 1, so this answer could not name it." in page.text
    assert "could not name it" not in page.enter(keys.EXPECTED, "It is so").text
    trace, request = page.job.trace, page.job.request
    head, _ = alarm_words(trace)
    run = Run(RunInfo(), request, trace)
    assert head in Read(run_html(run, datetime(2026, 1, 2))).text


def test_the_alarm_is_said_in_a_column_of_compare():
    with FakeOpenAI(Reader(1_024)) as server:
        limits = {"context_window": 8_192, "chunks": CHUNKS}
        page = Compare(at(server, model_name="m"), {"mode": "no_text"}, **limits).finish()
    head, _ = alarm_words(page.trace("A"))
    assert page.text.count(head) == 1


def test_an_answer_that_was_cut_off_is_in_no_later_prompt():
    """Refine reads the answer so far first, which is where a server cuts."""
    long = " ".join(f"word{n}" for n in range(2_000))
    with FakeOpenAI(Reader(1_024, lambda text: "eight" if "pool of eight" in text else "no")) as it:
        llm = OpenAILLM("m", "key", it.base_url, context_window=32_000, num_output=64)
        trace = get_response_synthesizer("refine", llm).run("Which?", ["pool of eight", long, long])
    path = follow(Fact("eight"), trace)
    assert (path.stage, path.why, path.call) == ("dropped", "server", 2)


def test_both_counts_stand_in_the_calls_and_a_plan_can_take_their_difference():
    with FakeOpenAI(Reader(100_000, frame=100)) as server:
        page = endpoint(server, mode="refine", context_window=8_192).finish()
        page.set(view="calls")
        counts = page.job.trace.counts
        percent = round(100 * (counts.server_tokens / counts.prompt_tokens - 1))
        assert f"The server counts {percent} % more" in page.text
        assert f"where the estimate said {counts.prompt_tokens:,}." in page.text
        first = counts.calls[0]
        assert f"prompt <b>{first.tokens:,}</b>" in page.text
        assert f"prompt by the server <b>{first.server_tokens:,}</b>" in page.text
        planned = page.job.trace.setup.tokenizer
        factor = ceil(100 * counts.server_tokens / counts.prompt_tokens) / 100
        page.press(f"Plan with {factor:g} times the count")
        assert page.settings.count_factor == factor
        page.finish()
        scaled = page.job.trace.setup.tokenizer
        assert scaled.count("a pool of eight") == ceil(factor * planned.count("a pool of eight"))
        assert (scaled.sure, scaled.name) == (False, planned.name)
        assert page.job.trace.counts.prompt_tokens >= counts.server_tokens
        assert "times the count" not in page.set(view="calls").text
