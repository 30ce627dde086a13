"""The headlines of plans, runs and facts: few forms, few words, and an end at a limit in each."""

import re
from dataclasses import replace

import pytest

from benchmarks.facts import MODES, ran
from synth import PromptHelper, get_response_synthesizer
from synth.errors import SynthError
from synth.export.files import whole_from_json, whole_to_json
from synth.quality import Fact, Follower, follow, shipped_questions
from synth.quality.samples import SAMPLES
from synth.runs.llm import _CUT, _WHOLE
from synth.words.fact_words import fact_headline
from synth.words.plan_words import PLAN_HEADS, plan_headline
from synth.words.run_words import RUN_HEADS, run_headline
from tests.invariants.world import ALL
from tests.plans import short_and_long
from tests.quality.answered import answered

LONG_CHUNKS = (" ".join(f"word{number}" for number in range(400)),) * 3
ASKED = shipped_questions()[::20]
LONG = Fact("a fact of very many words, of which no chunk says a single one in this order at all")
WORDED = Fact("set to 8 instead of 80", ("8 where it had been 80 until then",))


def form_of(head, forms=RUN_HEADS):
    """The first form that a head has."""
    said = "".join(head)
    for form, template in forms.items():
        parts = re.split(r"\{\w+\}", template.replace("**", ""))
        if re.fullmatch(".*".join(map(re.escape, parts)), said):
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
            for fact in (*asked.facts, LONG, WORDED):
                for is_cause in (True, False):
                    yield run_headline(run, path=follower.path(fact), is_cause=is_cause)


LIMITS = [
    (300, 120, 0.5, None),
    (300, 60, 0.0, None),
    (300, 60, 0.1, 30),  # tokens of a chunk at most: even short answers are as long as that
    (1_024, 128, 0.1, None),
    (9_000, 128, 0.1, None),
]


def plan_headlines():
    """What is said of plans of all modes in narrow windows and wide ones, with their bounds."""
    for mode in ALL:
        for limits in LIMITS:
            synthesizer = get_response_synthesizer(mode, None, PromptHelper(*limits))
            for chunks in (SAMPLES[0].chunks, LONG_CHUNKS, ()):
                try:
                    plans = short_and_long(synthesizer, "What failed?", chunks, (20, limits[1]))
                except SynthError:
                    continue
                yield plans, plan_headline(*plans)


@pytest.mark.slow
def test_each_plan_has_one_of_five_heads_whose_numbers_no_line_corrects():
    found = set()
    for (low, high, bounds), (head, line) in plan_headlines():
        said, below = "".join(head), "".join(line)
        found.add(form_of(head, dict(reversed(PLAN_HEADS.items()))))  # "calls" is the most general
        assert len(said.split()) <= 14, said
        spread = re.search(r"(\d+)(?: to (\d+))? calls?", said)
        calls = [int(number) for number in spread.groups() if number] if spread else []
        if "stop early" not in said:
            assert " call" not in below
            assert "about" in said or not calls or (min(calls), max(calls)) == bounds.calls
        assert set(calls) <= {low.call_count, high.call_count}
    assert found == PLAN_HEADS.keys()
    assert len(PLAN_HEADS) <= 5


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


CUT = sorted({*_CUT, "MAX_TOKENS", "Length"})
WHOLE = [*sorted(_WHOLE), "STOP", None]
FACT = Fact("Ada mended it")


def ended(word, mode="compact"):
    """A run whose answers leave out the fact, and end so."""
    trace = answered("The pool was set", mode=mode)
    return replace(trace, calls=tuple(replace(call, finish_reason=word) for call in trace.calls))


def told(trace):
    """What headline and facts say of a cut answer."""
    said = "".join(run_headline(trace).sentence)
    return {
        "headline": "was cut off: raise the answer length" in said,
        "facts": "; the answer of call" in "".join(fact_headline(follow(FACT, trace), trace).line),
    }


@pytest.mark.parametrize("word", CUT)
def test_each_word_for_a_limit_is_told_everywhere(word):
    trace = ended(word)
    assert all(told(trace).values())
    assert told(whole_from_json(whole_to_json(trace))) == told(trace)


@pytest.mark.parametrize("word", WHOLE)
def test_no_word_for_a_whole_answer_is_told_anywhere(word):
    assert not any(told(ended(word)).values())


def test_a_fact_in_one_of_its_wordings_is_named_by_the_first():
    trace = answered("Ada mended it")
    [head, _] = fact_headline(follow(Fact("240 cups", ("Ada mended it",)), trace), trace)
    assert "".join(head) == "“240 cups” or another wording is in the answer."


@pytest.mark.parametrize(("first", "words"), [("No.", "calls 2 and 3"), ("8", "Call 1 said it")])
def test_a_call_that_says_a_fact_without_reading_it_is_named(first, words):
    replies = iter([first, "8", "8"])
    trace = answered(lambda _: next(replies), ("One.", "It was 8.", "Two."), "refine")
    assert words in "".join(fact_headline(follow(Fact("8"), trace), trace).line)
