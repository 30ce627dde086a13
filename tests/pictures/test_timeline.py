"""The timeline: times as they were, the path that decided them, what could have been better."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth import get_response_synthesizer
from synth.llms import ExtractiveLLM
from synth.pictures.shapes import Path
from synth.pictures.timeline import timeline
from synth.pictures.times import timeline_facts
from synth.runs.trace import Trace
from tests.pictures.reading import boxes, collisions, words
from tests.ui.sample_calls import answer, chunk, chunks_of, made, setup_of

SETUP = setup_of(chunks_of(5, 5, 5, 5))


def call(number, depth, started, seconds, **changes):
    text = answer(1) if depth else chunk(SETUP.chunks[0], 1)
    return replace(made(number, depth, text), started=started, seconds=seconds, **changes)


def trace_of(*calls):
    return Trace(
        SETUP, calls, "end", seconds=max((c.started + c.seconds for c in calls), default=0)
    )


def tree():
    """Two at once: 1 and 2, then 3 in the place of 2; 4 reads them all."""
    return trace_of(
        call(1, 0, 0.0, 3.0), call(2, 0, 0.0, 1.0), call(3, 0, 1.0, 4.0), call(4, 1, 5.0, 2.0)
    )


def spoken(trace):
    return "".join(timeline_facts(trace).sentence)


def test_the_key_says_when_the_first_call_was_sent_and_what_a_dotted_line_is():
    late = trace_of(call(1, 0, 0.5, 1.0), call(2, 1, 1.5, 1.0))
    assert timeline_facts(late).key == (
        "Run is at the left; the first call was sent 0.5 s later, once its prompt was packed and"
        " counted. Dotted (┊): the call waited for the one before."
    )
    assert timeline_facts(trace_of(call(1, 0, 0.0, 1.0))).key == "Run is at the left."


def drawn(*calls, width=880):
    trace = trace_of(*calls)
    return timeline(trace, timeline_facts(trace), width)


def test_the_critical_path_is_what_the_end_waited_for():
    facts = timeline_facts(tree())
    assert facts.critical == (2, 3, 4)
    assert (facts.seconds, facts.parallel) == (7.0, 6.0)


@pytest.mark.parametrize(
    ("trace", "sentence"),
    [
        (tree(), "Took 7.0 s; with every parallelizable call in parallel, 6.0 s."),
        (trace_of(call(1, 0, 0, 1.25)), "Took 1.2 s."),
        (
            trace_of(call(1, 0, 0, 2.0), call(2, 1, 2.0, 0.5)),
            "Took 2.5 s: each call waits for the one before, so nothing can be parallel.",
        ),
        (
            trace_of(call(1, 0, 0, 2.0), call(2, 0, 0, 1.0)),
            "Took 2.0 s with every parallelizable call in parallel.",
        ),
        (
            trace_of(call(1, 0, 0, 8.0, replayed=True), call(2, 1, 0, 0.02)),
            "Took 20 ms. 1 answer was reused (originally 8.0 s).",
        ),
        (
            trace_of(call(1, 0, 0, 8.0, replayed=True), call(2, 0, 0, 2.0, replayed=True)),
            "No call was sent. 2 answers were reused (originally 10.0 s).",
        ),
        (trace_of(), "No call was sent."),
    ],
)
def test_the_times_are_told_in_a_sentence(trace, sentence):
    if trace.calls and all(one.replayed for one in trace.calls):
        trace = replace(trace, seconds=0.0)
    elif trace.calls and trace.calls[0].replayed:
        trace = replace(trace, seconds=0.02)
    assert spoken(trace) == sentence


def test_an_answer_that_a_person_wrote_is_not_called_reused():
    calls = call(1, 0, 0, 8.0, replayed=True), call(2, 1, 0, 2.0, replayed=True), call(3, 2, 0, 1.0)
    trace = trace_of(*calls)
    facts = timeline_facts(trace, edited={2})
    assert "".join(facts.sentence).endswith("1 answer was reused (originally 8.0 s).")
    picture = timeline(trace, facts, 880)
    assert {"↺ 8.0 s", "by hand", "1.0 s"} <= set(words(picture))
    assert boxes(picture, "k-free")[1].says == "call 2, started at 0 ms\nby hand"


times = st.lists(
    st.tuples(st.integers(0, 3), st.floats(0, 10), st.floats(0, 10), st.booleans()), max_size=25
)


@given(times)
def test_the_critical_path_never_overlaps_and_reaches_the_end(found):
    calls = [
        call(number, depth, started, seconds, replayed=replayed)
        for number, (depth, started, seconds, replayed) in enumerate(sorted(found), 1)
    ]
    facts = timeline_facts(trace_of(*calls))
    path = [calls[number - 1] for number in facts.critical]
    for one, two in pairwise(path):
        assert one.started + one.seconds <= two.started
    sent = [one for one in calls if not one.replayed]
    assert bool(path) == bool(sent)
    if sent:
        assert path[-1].started + path[-1].seconds == max(c.started + c.seconds for c in sent)
    assert facts.parallel <= sum(one.seconds for one in sent) + 1e-9
    timeline(trace_of(*calls), facts, 880)


def test_bars_begin_and_end_when_the_calls_did():
    picture = drawn(*tree().calls)
    found = [(box.kind, box.start, box.end) for box in picture.boxes]
    assert found == [*(("k-template", 0, 3), ("k-ink", 0, 1), ("k-ink", 1, 5), ("k-ink", 5, 7))]
    said = words(picture)
    assert {"1 · level 0", "4 · level 1", "1.0 s", "4.0 s", "seconds since Run"} <= set(said)
    assert "strong colour: the longest chain" in said
    assert picture.boxes[2].says == "call 3, started at 1.0 s\n4.0 s, on the longest chain"
    assert picture.alt.startswith("Timeline of 4 calls. Took 7.0 s; with every")


def test_the_path_is_one_dotted_line():
    [path] = [
        one for one in drawn(*tree().calls).shapes if isinstance(one, Path) and one.kind == "dots"
    ]
    assert [[x for x, _ in line] for line in path.lines] == [[1, 1], [5, 5]]


def test_replayed_and_failed_calls_have_signs():
    picture = drawn(
        call(1, 0, 0.0, 9.0, replayed=True),
        call(2, 1, 0.0, 2.0),
        call(3, 2, 2.0, 1.0, answer=None, error="down"),
    )
    assert {"↺ 9.0 s", "✕ 1.0 s", "↺ reused · ✕ no answer"} <= set(words(picture))
    [first] = boxes(picture, "k-free")
    assert first.end - first.start < 0.1  # it took no time in this run
    assert len(boxes(picture, "failed")) == 1


def test_a_quick_run_is_shown_in_milliseconds():
    picture = drawn(call(1, 0, 0.0, 0.02), call(2, 1, 0.02, 0.03))
    assert [round(box.end - box.start) for box in picture.boxes] == [20, 30]
    assert "milliseconds since Run" in words(picture)


def test_many_calls_stay_small():
    picture = drawn(*(call(at, 0, at / 10, 0.5) for at in range(1, 600)))
    assert picture.height < 2_000
    assert [word for word in words(picture) if "·" in word][:2] == ["1 · text_qa", "10 · text_qa"]
    assert "0.5 s" not in words(picture)


@pytest.mark.parametrize("width", [340, 880])
@pytest.mark.parametrize("mode", ["refine", "tree_summarize", "accumulate"])
def test_words_of_real_runs_are_apart(mode, width):
    llm = ExtractiveLLM(context_window=400, num_output=40)
    texts = ["The pool was too small for all of them. " * 6] * 6
    trace = get_response_synthesizer(mode, llm=llm).run("What was small?", texts)
    picture = timeline(trace, timeline_facts(trace), width)
    assert timeline_facts(trace).parallel <= trace.seconds
    assert len(picture.boxes) == len(trace.calls)
    assert collisions(picture) == []
