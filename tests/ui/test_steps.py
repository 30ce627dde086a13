"""Steps of runs: what went in, and what came out."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth import get_response_synthesizer
from synth.errors import ModelError, Stopped
from synth.llms import ExtractiveLLM, FunctionLLM
from synth.modes.registry import MODES
from tests.ui.sample_calls import scripted
from ui.views.steps_view import call_states, list_read, step_words, steps_of

CHUNKS = [
    "The pool was too small.",
    "It had eight connections.",
    "A zero was lost in an edit.",
    "It was rolled back at noon.",
]


def run(replies, mode="refine", chunks=CHUNKS, window=400, **options):
    """The trace of a run whose replies are these, one after the other; None fails."""
    llm = scripted(replies, window)
    asked = get_response_synthesizer(response_mode=mode, llm=llm, **options)
    try:
        return asked.run("What happened?", chunks)
    except ModelError as failure:
        return failure.trace


def read_by(trace):
    """The texts of the answers that each call reads."""
    return [[read.answer for read in list_read(trace, call)] for call in trace.calls]


def sentences(trace):
    return ["".join(step_words(trace, at)) for at in range(1, len(steps_of(trace)) + 1)]


def test_a_filtered_chunk_leaves_the_answer_as_it_was():
    trace = run(
        [
            '{"query_satisfied": true, "answer": "one two"}',
            '{"query_satisfied": false, "answer": "no idea"}',
            '{"query_satisfied": true, "answer": "one two three"}',
        ],
        chunks=CHUNKS[:3],
        structured_answer_filtering=True,
    )
    assert read_by(trace) == [[], ["one two"], ["one two"]]
    assert sentences(trace)[1] == "Step 2 of 3 · chunk 2 · filtered"


def test_a_failed_call_ends_the_steps():
    trace = run(["one two", None])
    assert sentences(trace)[1] == "Step 2 of 2 · chunk 2 · failed"
    last = replace(trace.calls[1], error_kind=Stopped.__name__)
    stopped = replace(trace, calls=(trace.calls[0], last))
    assert sentences(stopped)[1] == "Step 2 of 2 · chunk 2 · stopped"


def test_states_tell_failed_and_replayed_calls():
    first = run(["one two", None])
    assert call_states(steps_of(first), 2) == {1: "done", 2: "failed"}
    again = get_response_synthesizer(
        response_mode="refine",
        llm=FunctionLLM(lambda prompt: "x", context_window=400, num_output=40),
    )
    *_, end = again.stream("What happened?", CHUNKS, first.log())
    assert call_states(steps_of(end.trace), 4) == {1: "cached", 2: "done", 3: "done", 4: "done"}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("behaviour", ["documented", "llama_index"])
def test_every_mode_can_be_walked_through(mode, behaviour):
    llm = ExtractiveLLM(context_window=900, num_output=60)
    asked = get_response_synthesizer(response_mode=mode, llm=llm, behaviour=behaviour)
    trace = asked.run("What was too small?", [f"{text} " * 20 for text in CHUNKS])
    numbers = sorted(call.number for step in steps_of(trace) for call in step)
    assert numbers == [call.number for call in trace.calls]
    assert all(sentences(trace))


@given(st.lists(st.text(max_size=30), min_size=4, max_size=4))
def test_a_call_of_a_chain_reads_the_last_answer_that_says_something(replies):
    for number, read in enumerate(read_by(run(replies, window=2_000)), 1):
        before = [answer for answer in replies[: number - 1] if answer.strip()]
        assert [text.strip() for text in read] == [text.strip() for text in before[-1:]]
