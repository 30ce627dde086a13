"""Runs of the real llama-index-core, recorded live: synth sends every prompt of them."""

import json

import pytest
from opentelemetry.sdk.trace import SpanLimits

from synth.traces import IMPORTED, read
from synth.traces.containers import read_spans
from synth.traces.reading import find_syntheses
from tests.traces.application import (
    CHUNKS,
    Application,
    ask,
    chunk,
    nodes,
    recording,
    says,
)
from tests.traces.applications import QUESTION, of_mode
from tests.traces.recordings import in_order, told
from tests.traces.test_other_traces import CHAIN, llm, text


def record(mode, rule=says, chunks=CHUNKS, limits=None, query=QUESTION, system=None, **options):
    """The recorded run of a mode, and the prompts that the model was sent."""
    llm = Application(
        rule,
        system,
        context_window=options.pop("window", 1400),
        is_chat_model=options.pop("chat", False),
    )
    found = nodes(chunks, options.pop("metadata", True))
    with recording(limits) as lines:
        ask(llm, mode, query, found, **options)
    [run] = read(lines.getvalue())
    return run, llm.prompts


def check(run, prompts):
    """Every prompt is ours, and the same text that the model was sent."""
    found = run.verify()
    assert found.equal, found
    assert found.calls == len(prompts) == len(run.calls)


def test_the_chat_that_was_sent_is_recovered_and_the_text_beside_it():
    run, _ = record("compact", chat=True)
    refine = run.templates["refine_template"]
    assert "two modes" in refine.message_templates[0][1]
    assert refine.default_template.template.startswith("The original query is as follows")
    text_model, _ = record("compact", chat=False)
    assert text_model.templates["refine_template"].message_templates == (
        ("user", refine.default_template.template),
    )


def fails(prompt, number):
    if number == 2:
        raise ValueError("the line went dead")
    return f"answer {number}"


def test_a_failure_that_refine_took_for_no_answer():
    run, prompts = record("refine", fails)
    check(run, prompts)
    assert not run.calls[1].satisfied
    assert run.calls[1].notes == ("ValueError taken for no answer: the line went dead",)


MANY = [chunk(number, 12) for number in range(40)]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["refine", "compact"])
def test_documents_that_the_recorder_lost_are_counted_and_the_chunks_are_whole(mode):
    run, prompts = record(mode, chunks=MANY, limits=SpanLimits())
    check(run, prompts)
    [note] = [note for note in run.notes if "lost" in note]
    assert "lost 9 of 40 documents" in note
    assert "128 attributes" in note
    assert run.chunks[0].score is None
    assert run.chunks[-1].node.id_ == "node-39"


def test_values_that_were_cut_off_are_named_and_nothing_is_claimed():
    run, _ = record("compact", limits=SpanLimits(max_attribute_length=300))
    assert any("cut off after 300 characters" in note for note in run.notes)
    found = run.verify()
    assert not found.equal
    assert "prompts are cut off after 300 characters" in found.problem


@pytest.mark.parametrize("mode", ["refine", "compact", "tree_summarize", "simple_summarize"])
def test_prompts_are_rebuilt_from_what_python_shows_of_the_messages(mode):
    """Langfuse keeps no messages as attributes."""
    llm = Application(is_chat_model=True)
    chunks = ['it\'s "both" \\ and\n\t🚀\u200b ' * 20, *CHUNKS]
    with recording() as lines:
        ask(llm, mode, QUESTION, nodes(chunks))
    spans = [json.loads(line) for line in lines.getvalue().splitlines()]
    for span in spans:
        for name in list(span["attributes"]):
            if name.startswith(("llm.input_messages", "llm.output_messages")):
                del span["attributes"][name]
    [run] = read(json.dumps(spans))
    check(run, llm.prompts)
    assert any("were rebuilt" in note for note in run.notes)


@pytest.mark.parametrize("mode", ["refine", "compact", "tree_summarize", "accumulate"])
def test_a_synthesis_stands_once_its_own_span_has_come_as_the_run_of_the_file(mode):
    data = of_mode(mode)
    spans = in_order(data)
    own = [span.name.endswith("synthesize") for span in spans].index(True)
    for end in range(len(spans) + 1):
        found = find_syntheses(spans[:end], silent=False)
        assert len(found) == (end > own)
    [one], [run] = found, read(data)
    assert told(one) == told(run)
    assert not one.is_incomplete


@pytest.mark.parametrize("missing", ["synthesize", "get_response"])
def test_what_lacks_a_span_is_incomplete_once_it_is_silent_and_nothing_is_claimed(missing):
    spans = in_order(of_mode("compact"))
    lost = next(span for span in spans if span.name.endswith(missing))
    came = [span for span in spans if span is not lost]
    assert not find_syntheses(came, silent=False)
    [one] = find_syntheses(came, silent=True)
    assert (one.is_incomplete, one.mode, one.query) == (True, IMPORTED, QUESTION)


def test_calls_alone_are_a_synthesis_if_a_synthesizer_asked_for_them():
    spans = in_order(of_mode("refine"))
    came = [span for span in spans if not span.name.endswith(("synthesize", "get_response"))]
    assert not find_syntheses(came, silent=False)
    [one] = find_syntheses(came, silent=True)
    assert (one.is_incomplete, one.mode, one.query) == (True, IMPORTED, QUESTION)
    assert len(one.calls) == 4
    of_a_chat = read_spans(text(CHAIN, llm(3, "It rained. Why?", "So.", 1)))[0]
    assert not find_syntheses(of_a_chat, silent=True)
