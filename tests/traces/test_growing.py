"""A trace whose spans still come: what is likely, and what it becomes."""

import random
from dataclasses import replace
from itertools import groupby

import pytest

from synth.traces import read
from synth.traces.growing import growing
from synth.traces.notes import NO_SYNTHESIS
from tests.traces.grown import in_order, of_app, of_mode, told
from tests.traces.query_engines import QUESTION
from tests.traces.test_live import CHUNKS

SURE = ["refine", "compact", "tree_summarize", "simple_summarize", "accumulate"]
"""The modes that their first prompts tell; what compact_accumulate sends may be of others."""

ASYNCHRONOUS = {"entry": "aquery"}


@pytest.mark.parametrize(
    ("mode", "options"),
    [
        *((mode, {}) for mode in SURE),
        *((mode, {"streaming": True}) for mode in SURE[1:3]),
        *((mode, ASYNCHRONOUS) for mode in SURE[2:]),
    ],
)
def test_a_synthesis_grows_call_by_call_and_becomes_the_run_of_the_file(mode, options):
    data = of_mode(mode, **options)
    spans = in_order(data)
    steps = [found[0] for end in range(1, len(spans) + 1) if (found := growing(spans[:end]))]
    [run] = read(data)
    assert told(steps[-1].run) == told(run)
    own = [span.name.endswith("synthesize") for span in spans].index(True)
    assert [step.ended for step in steps] == [at >= own for at in range(len(spans))][-len(steps) :]
    assert {step.query_str for step in steps} == {QUESTION}
    with_calls = [step for step in steps if step.calls]
    assert len({step.key for step in with_calls}) == 1
    numbers = [len(step.calls) for step in with_calls]
    assert numbers == sorted(numbers)
    latest = [list(each)[-2:] for _, each in groupby(with_calls, lambda step: len(step.calls))]
    for step in (each[-1] for each in latest):
        # Of one asynchronous call nothing says whether an answer is refined after it.
        assert step.mode == mode or (options == ASYNCHRONOUS and len(step.calls) == 1)
        assert len(step.chunks) == len(CHUNKS)


def test_what_was_found_is_told_before_any_call():
    spans = in_order(of_mode("compact"))
    [found] = growing(spans[:2])
    assert (found.query_str, found.mode, found.calls, len(found.chunks)) == (QUESTION, None, (), 4)
    assert not growing(spans[:1])
    bundle = {**spans[1].attributes, "input.value": '{"query_str": "Which?", "image_path": null}'}
    [found] = growing([replace(spans[1], attributes=bundle)])
    assert found.query_str == "Which?"
    step = replace(
        spans[1], span_id="step", name="Flow.find", attributes={"input.value": '{"ctx": "<C>"}'}
    )
    [found] = growing([replace(spans[1], parent_id="step"), step])
    assert found.query_str == QUESTION


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "syntheses"),
    [
        ("sub questions", 3),
        ("router", 1),
        ("chat engine that streams", 2),
        ("three questions at once", 3),
        ("reranked by a model and reordered", 1),
    ],
)
def test_engines_have_their_syntheses_in_whatever_order_spans_come(name, syntheses):
    data = of_app(name)
    spans = in_order(data)
    random.Random(name).shuffle(spans)
    traces = {span.trace_id for span in spans}
    ended = []
    for trace in traces:
        own = [span for span in spans if span.trace_id == trace]
        for end in range(0, len(own) + 1, 3):
            growing(own[:end])
        ended += growing(own)
    assert all(one.ended and not one.missing for one in ended)
    runs = [run for run in read(data) if NO_SYNTHESIS not in run.notes]
    assert len(ended) == len(runs) == syntheses
    grown = {one.run.identity: told(one.run) for one in ended}
    assert grown == {run.identity: told(run) for run in runs}


@pytest.mark.slow
def test_sub_questions_are_kept_apart_while_they_go_on():
    spans = in_order(of_app("sub questions"))
    most = max((growing(spans[:end]) for end in range(len(spans))), key=len)
    assert len({one.key for one in most}) == len(most) == 3
    assert len({one.query_str for one in most}) == 3


def test_a_span_that_never_came_is_counted_as_missing():
    spans = in_order(of_mode("compact"))
    [inner] = [span for span in spans if span.name.endswith("get_response")][:1]
    [found] = growing([span for span in spans if span is not inner])
    assert (found.ended, found.missing) == (True, 1)
    [own] = [span for span in spans if span.name.endswith("synthesize")]
    [found] = growing([span for span in spans if span is not own])
    assert (found.ended, found.mode, found.missing) == (False, "compact", 1)
