"""The questions of the facts benchmark: each fact can be found, and no document fits its window."""

import pytest

from benchmarks.facts import cases
from synth import ExtractiveLLM, get_response_synthesizer

CASES = list(cases())


def test_there_are_twenty_questions():
    assert len({case.question for case in CASES}) == 20


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.question)
def test_every_fact_stands_in_the_chunks_in_all_its_wordings(case):
    assert case.facts
    for fact in case.facts:
        for wording in fact:
            assert any(wording in chunk for chunk in case.chunks), wording


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.question)
def test_a_document_is_larger_than_its_window(case):
    synthesizer = get_response_synthesizer(
        "simple_summarize", ExtractiveLLM(case.window, case.num_output)
    )
    assert synthesizer.plan(case.question, list(case.chunks)).lost_tokens > 0


def test_a_fact_is_held_in_any_of_its_wordings():
    [case] = [case for case in CASES if case.question == "What was repaired, and what did it cost?"]
    sealed, cost = case.facts
    assert case.missed("The fuse box was moved.") == [cost]
    assert case.missed("THE GUTTER WAS SEALED for 2,300 euros") == []
    assert case.missed("") == [sealed, cost]
