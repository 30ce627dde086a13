"""What the offline model makes of the two samples, at their own window and num_output."""

from functools import cache

import pytest

from synth import ExtractiveLLM, get_response_synthesizer
from synth.quality.samples import SAMPLES

SAMPLE = {sample.name: sample for sample in SAMPLES}
SUSPECT = "suspected the cluster's DNS resolver"
WITHDRAWN = "The DNS hypothesis was withdrawn"
CAUSE = "set max_pool_size of the checkout service to 8 instead of 80"
FIX = "the configuration change was rolled back"
COVERED = "清洗、烘干"
DEADLINE = "四十八小时"


@cache
def run(name, mode):
    sample = SAMPLE[name]
    llm = ExtractiveLLM(sample.window, sample.num_output)
    return get_response_synthesizer(mode, llm).run(sample.question, list(sample.chunks))


def steps(name, mode, text):
    """The calls, counted from 1, whose answers hold the text."""
    return [call.number for call in run(name, mode).calls if text in call.answer]


def lost(name, mode):
    """The chunks, counted from 1, of which something is never sent."""
    return [chunk.number for chunk in run(name, mode).coverage if chunk.lost_tokens]


def test_refine_goes_from_the_suspect_to_the_cause():
    assert steps("post_mortem", "refine", SUSPECT) == [3]
    assert steps("post_mortem", "refine", WITHDRAWN) == [4]
    assert steps("post_mortem", "refine", CAUSE) == [9, 10, 11, 12]
    assert steps("post_mortem", "refine", FIX) == [10, 11, 12]


@pytest.mark.parametrize("mode", ["compact", "tree_summarize"])
def test_compact_and_tree_summarize_say_the_cause_and_the_fix(mode):
    assert lost("post_mortem", mode) == []
    response = run("post_mortem", mode).response
    assert response.startswith("Root cause.")
    assert CAUSE in response
    assert FIX in response
    assert SUSPECT not in response


@pytest.mark.parametrize("mode", ["refine", "compact"])
def test_the_policy_gives_what_is_covered_and_the_deadline(mode):
    response = run("policy", mode).response
    assert COVERED in response
    assert DEADLINE in response


def test_a_tree_of_the_policy_loses_the_deadline_at_a_leaf():
    trace = run("policy", "tree_summarize")
    assert COVERED in trace.response
    assert DEADLINE in trace.calls[1].prompt.text
    assert steps("policy", "tree_summarize", DEADLINE) == []


def test_the_deadline_comes_with_its_chunk_or_is_cut_off():
    assert steps("policy", "refine", COVERED) == [3, 4, 5, 6, 7, 8]
    assert steps("policy", "refine", DEADLINE) == [5, 6, 7, 8]
    assert 5 in lost("policy", "simple_summarize")
    assert DEADLINE not in run("policy", "simple_summarize").response
