"""The alarm: a server that reads less than it was sent, without a word."""

import pytest

from tests.fake_openai import FakeOpenAI, Reader
from tests.ui.page import endpoint

CHUNKS = ("The root cause is a pool of eight.", *(f"word{n} " * 60 for n in range(20)))


@pytest.mark.parametrize(("halves", "kept"), [(False, 1_024), (True, 514)])
def test_a_cut_is_said_with_its_numbers_and_two_ways_out(halves, kept):
    with FakeOpenAI(Reader(1_024, halves=halves)) as server:
        page = endpoint(server, mode="compact", chunks=CHUNKS, context_window=8_192).finish()
    sent = page.job.trace.counts.cut.sent[0]
    text = page.text
    assert f"Your server read {kept:,} of about {sent:,} tokens sent. Chunks 1 to" in text
    assert "never reached the model." in text
    assert f"{sent:,}: estimated with o200k_base" in text
    assert "Nothing was cut off" not in text
    assert f"Or give the server a window of {sent + page.job.trace.setup.num_output:,}" in text
    page.set(view="coverage")
    assert "Your server never read" in page.text
    assert "Nothing is cut off" not in page.text
    page.set(view="answer").press("Set the window to 1,024")
    assert page.settings.context_window == 1_024


def test_where_nothing_was_cut_no_alarm_is_raised():
    with FakeOpenAI(Reader(8_192)) as server:
        page = endpoint(server, mode="compact", chunks=CHUNKS, context_window=8_192).finish()
    assert "never reached the model" not in page.text
    assert "Nothing was cut off." in page.text
