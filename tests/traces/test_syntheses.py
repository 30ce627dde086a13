"""A trace whose spans come one by one: what stands of it when, and what it becomes."""

import pytest

from synth.traces import IMPORTED, read
from synth.traces.containers import read_spans
from synth.traces.reading import find_syntheses
from tests.traces.applications import QUESTION, of_mode
from tests.traces.recordings import in_order, told
from tests.traces.test_other_traces import CHAIN, llm, text


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
