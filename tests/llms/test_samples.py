"""What the offline model makes of the two samples, at their own window and num_output."""

from functools import cache

from synth import ExtractiveLLM, get_response_synthesizer
from synth.quality.samples import SAMPLES

SAMPLE = {sample.name: sample for sample in SAMPLES}
SUSPECT = "suspected the cluster's DNS resolver"
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


def test_refine_adds_the_cause_and_the_fix_to_the_suspicion():
    assert steps("post_mortem", "refine", SUSPECT) == [*range(3, 13)]
    assert steps("post_mortem", "refine", CAUSE) == [9, 10, 11, 12]
    assert steps("post_mortem", "refine", FIX) == [10, 11, 12]


def test_the_deadline_of_the_policy_comes_with_its_chunk_and_a_tree_loses_it_at_a_leaf():
    assert steps("policy", "refine", DEADLINE) == [5, 6, 7, 8]
    assert DEADLINE in run("policy", "compact").response
    trace = run("policy", "tree_summarize")
    assert COVERED in trace.response
    assert DEADLINE in trace.calls[1].prompt.text
    assert steps("policy", "tree_summarize", DEADLINE) == []
