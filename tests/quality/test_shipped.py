"""The questions that are shipped: each fact can be found, and no document fits its window."""

import pytest

from benchmarks.facts import MODES, ran
from synth import ExtractiveLLM, get_response_synthesizer
from synth.quality import Follower, shipped_questions
from synth.quality.facts import Words
from synth.quality.samples import SAMPLES

QUESTIONS = shipped_questions()
each = pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked.question)


def test_there_are_twenty_questions_on_each_sample_its_own_among_them():
    texts = [asked.question for asked in QUESTIONS]
    assert len(set(texts)) == len(texts) == 50
    for sample in SAMPLES:
        on_it = [asked.question for asked in QUESTIONS if asked.chunks == sample.chunks]
        assert len(on_it) == 20
        assert sample.question in on_it


@each
def test_every_fact_stands_in_the_chunks(asked):
    assert any(fact.must for fact in asked.facts)
    for fact in asked.facts:
        assert any(Words(chunk).ranges(fact.text) for chunk in asked.chunks), fact.text


@each
def test_a_document_is_larger_than_its_window(asked):
    synthesizer = get_response_synthesizer(
        "simple_summarize", ExtractiveLLM(asked.window, asked.num_output)
    )
    assert synthesizer.plan(asked.question, list(asked.chunks)).lost_tokens > 0


@pytest.mark.parametrize("asked", QUESTIONS[::20], ids=lambda asked: asked.question)
@pytest.mark.parametrize("mode", MODES)
def test_a_fact_counts_as_sent_exactly_where_a_prompt_has_it(asked, mode):
    trace = ran(asked, mode)
    follower = Follower(trace)
    for fact in asked.facts:
        texts = {call.number: _chunk_text(call) for call in trace.calls}
        having = [number for number, text in texts.items() if any(map(text.ranges, fact.accepted))]
        assert list(follower.path(fact).sent) == having


def _chunk_text(call):
    texts = [span.text for span in call.prompt.spans]
    read = [text for text in texts if {origin.kind for origin in text.origins} == {"chunk"}]
    return Words("".join(map(str, read)))
