"""The next larger window that takes fewer calls, held against a look at every round window."""

from dataclasses import replace

import pytest

from synth.errors import SynthError
from synth.quality.samples import SAMPLES
from ui.plans.findings import next_window
from ui.settings.chunk_list import from_texts
from ui.settings.request import Request
from ui.settings.schema import DEFAULT


def plan_of(request):
    return request.synthesizer().plan(request.query_str, request.text_chunks)


def calls_of(request):
    try:
        return plan_of(request).call_count
    except SynthError:
        return 0


def request_of(sample, **values):
    given = {"query_str": sample.question, "chunks": from_texts(sample.chunks, "sample")}
    return Request.of(DEFAULT.with_(given | values))


@pytest.mark.parametrize("mode", ["compact", "tree_summarize", "compact_accumulate", "refine"])
@pytest.mark.parametrize("window", [420, 512, 700, 1024, 1500])
def test_no_smaller_round_window_takes_fewer_calls(mode, window):
    request = request_of(SAMPLES[0], mode=mode, context_window=window, num_output=96)
    calls = calls_of(request)
    multiples = range(window // 64 + 1, 8 * window // 64 + 2)
    fewer = (
        64 * one
        for one in multiples
        if 0 < calls_of(replace(request, context_window=64 * one)) < calls
    )
    wanted = next(fewer, None) if 1 < calls <= 8 else None
    cliff = next_window(request, plan_of(request))
    assert (cliff and cliff.x) == wanted
    if cliff is not None:
        assert cliff.before == calls
        assert cliff.after == calls_of(replace(request, context_window=cliff.x))


def test_a_plan_that_stops_early_has_no_number_of_calls_to_be_fewer_than():
    request = request_of(SAMPLES[0], mode="tree_summarize", context_window=512, num_output=256)
    plan = plan_of(request)
    assert plan.problem
    assert 1 < plan.call_count <= 8
    assert next_window(request, plan) is None
