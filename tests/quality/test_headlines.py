"""The headlines of runs and of facts: few forms, each at most fourteen words."""

import re
from dataclasses import replace

import pytest

from benchmarks.facts import MODES, ran
from synth.quality import Fact, Follower, shipped_questions
from synth.words.sentences import RUN_HEADS, run_headline

ASKED = shipped_questions()[::20]
LONG = Fact("a fact of very many words, of which no chunk says a single one in this order at all")


def form_of(head):
    """The first form that a head has."""
    said = "".join(head)
    for form, template in RUN_HEADS.items():
        parts = re.split(r"\{\w+\}", template.replace("**", ""))
        if re.fullmatch(".+".join(map(re.escape, parts)), said):
            return form
    raise AssertionError(said)


def headlines(asked):
    """What is said of runs to their end, and of runs that failed and were stopped before."""
    for mode in MODES:
        trace = ran(asked, mode)
        failed = replace(trace.calls[-1], answer=None, reply=None, error="no", error_kind="X")
        short = replace(trace, calls=(*trace.calls[:-1], failed), response=None)
        for run in (trace, replace(short, error="no"), replace(short, stopped=True)):
            yield run_headline(run)
            follower = Follower(run)
            for fact in (*asked.facts, LONG):
                for is_cause in (True, False):
                    yield run_headline(run, path=follower.path(fact), is_cause=is_cause)


@pytest.mark.slow
def test_each_run_has_one_of_at_most_five_heads_of_at_most_fourteen_words():
    found = [said for asked in ASKED for said in headlines(asked)]
    assert {form_of(said.head) for said in found} == RUN_HEADS.keys()
    assert len(RUN_HEADS) <= 5
    for head, _ in found:
        assert len("".join(head).split()) <= 14, head


def test_a_fact_that_was_cut_off_is_quoted_in_at_most_twenty_words():
    asked = ASKED[0]
    trace = ran(asked, "simple_summarize")
    [cause] = [fact for fact in asked.facts if fact.text == "8 instead of 80"]
    line = "".join(run_headline(trace, path=Follower(trace).path(cause)).line)
    assert line == (
        "Chunk 9 says “…max_pool_size of the checkout service to 8 instead of 80”. It was cut off"
        " before the call."
    )
    assert len(line.split()) <= 20
