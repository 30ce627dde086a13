"""A server behind the page: what is sent and said, and that it may read less than it was sent."""

from datetime import datetime
from math import ceil

import pytest

from synth.llms import OpenAILLM
from synth.modes.registry import get_response_synthesizer
from synth.quality import Fact, follow
from synth.runs.calls import Spent
from synth.words.plan_words import alarm_words
from tests.eventually import eventually
from tests.fake_openai import Answer, Failure, FakeOpenAI, Reader, Words
from tests.llms.faults import SOON
from tests.ui.page import endpoint
from tests.ui.report.reported import Read
from ui.export.report_pages import run_html
from ui.export.run_files import run_downloads
from ui.session import keys
from ui.store.rows import Run, RunInfo
from ui.store.runs import load_run
from ui.store.store import current_store

pytestmark = pytest.mark.slow

LOADING = Failure(503, "Loading model", SOON)


def test_a_test_sends_what_a_run_sends():
    with FakeOpenAI(Answer("ok then", usage_choice=True)) as server:
        page = endpoint(server, temperature=0.5, seed=3, reasoning_effort="low", num_output=200)
        assert "It answers." in page.press("Test").said_of_model
        page.finish()
    calls = [one for one in server.requests if one.path.endswith("/chat/completions")]
    tested, *ran = (request.body for request in calls)
    assert tested["stream"] is True
    assert {**tested, "messages": ran[0]["messages"]} == ran[0]


def test_a_run_without_a_key_says_so_where_one_is_wanted():
    with FakeOpenAI(Failure(401, "No connected db.")) as server:
        page = endpoint(server, mode="generation")
        assert "No key was sent" in page.finish().text
        page.type_key("sk-mine")
        assert "Check the API key" in page.finish().text
    assert [one.authorization for one in server.requests] == ["Bearer none", "Bearer sk-mine"]


def test_a_run_says_what_was_sent_again():
    with FakeOpenAI(Answer("first"), LOADING, Answer("second")) as server:
        page = endpoint(server, mode="refine", chunks=("One.", "Two.", "Three.")).finish()
        assert page.job.spent.calls == len(server.requests) == 4
        page.set(view="calls", call=2)
        assert "Note: Try 1 failed." in page.text
        assert "sent 2 times" in page.text
    assert any("Loading model" in note for call in page.job.trace.calls for note in call.retried)
    for file in run_downloads(page.job, page.job.trace):
        made = file.make()
        text = made if isinstance(made, str) else made.decode()
        assert "Loading model" not in text, file.file_name
        assert "127.0.0.1" not in text, file.file_name


def test_a_run_that_waits_to_send_again_says_why():
    with FakeOpenAI(Failure(503, "Loading model", {"Retry-After": "30"})) as server:
        page = endpoint(server, mode="generation").press("run_button")
        eventually(
            lambda: any(call.tries > 1 for call in page.job.unanswered),
            "a request that is to be sent again",
        )
        assert "Call 1, try 2: Try 1 failed." in page.draw().text
        assert "wait 30 seconds" in page.text
        page.press("stop_button")
        assert "The run was stopped." in page.text
    assert len(server.requests) == 1


def test_the_history_has_what_the_server_counted():
    with FakeOpenAI(Words(300, obeys="nothing", prompt_tokens=5000)) as server:
        page = endpoint(server, mode="generation").finish()
    assert page.job.spent == Spent(1, 5000, 300)
    assert "gave more than the 128 tokens asked for" in page.text
    found = load_run(current_store(), page.space.id, page.job.run).info
    assert (found.requests, found.prompt_tokens, found.output_tokens) == (1, 5000, 300)


GONE = "The API key ended with its session."


def test_a_refresh_says_that_no_key_would_be_sent():
    with FakeOpenAI(Answer("first"), Failure(400, "odd"), Answer("last")) as server:
        page = endpoint(server, mode="refine").type_key("sk-mine").finish()
        assert "1 answer is kept." in page.text
        assert GONE not in page.text
        page.open()
        assert GONE in page.text
        assert GONE not in page.type_key("sk-mine").text
        page.open().finish("resume")
    assert [one.authorization for one in server.requests][:3] == ["Bearer sk-mine"] * 2 + [
        "Bearer none"
    ]


CHUNKS = ("The root cause is a pool of eight.", *(f"word{n} " * 60 for n in range(20)))


@pytest.mark.parametrize(("halves", "kept"), [(False, 1_024), (True, 514)])
def test_a_cut_is_said_with_its_numbers_and_two_ways_out(halves, kept):
    with FakeOpenAI(Reader(1_024, halves=halves)) as server:
        page = endpoint(server, mode="compact", chunks=CHUNKS, context_window=8_192).finish()
    sent = page.job.trace.counts.cut.sent_tokens[0]
    text = page.text
    assert f"Your server read {kept:,} of about {sent:,} tokens sent. Text of chunks 1 to" in text
    assert "never reached the model." in text
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
    page.enter(keys.EXPECTED, "a pool of eight")
    assert "The server cut it off: it read only the end of <b>call 1</b>." in page.text
    trace, request = page.job.trace, page.job.request
    run = Run(RunInfo(), request, trace)
    assert alarm_words(trace) in Read(run_html(run, datetime(2026, 1, 2))).text


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
        assert f"{counts.server_tokens:,}</b> counted by the server" in page.text
        assert f"{counts.prompt_tokens:,}</b> estimated here." in page.text
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
