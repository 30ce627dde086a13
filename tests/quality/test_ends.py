"""An answer that ended at its limit is told as one wherever it is read, by any word for it."""

from dataclasses import replace

import pytest

from synth.export.calls import whole_from_json, whole_to_json
from synth.quality import Fact, follow
from synth.quality.flags import flags
from synth.runs import ends
from synth.words.coverage_words import coverage_sentence
from synth.words.fact_words import fact_headline
from synth.words.sentences import run_headline
from tests.quality.answered import answered

CUT = sorted({*ends._CUT, "MAX_TOKENS", "Length"})
WHOLE = [*sorted(ends._WHOLE), "STOP", None]
FACT = Fact("Ada mended it")


def ended(word, mode="compact"):
    """A run whose answers leave out the fact, and end so."""
    trace = answered("The pool was set", mode=mode)
    return replace(trace, calls=tuple(replace(call, finish_reason=word) for call in trace.calls))


def told(trace):
    """What headline, flags, coverage and facts say of a cut answer, and the file of the run."""
    said = "".join(run_headline(trace).sentence)
    return {
        "headline": "was cut off: raise the answer length" in said
        and "Nothing was cut" not in said,
        "flags": [flag.kind for flag in flags(trace)] == ["cut off"],
        "coverage": "No chunk is cut off:" in "".join(coverage_sentence(trace)),
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


def test_a_fact_that_a_cut_answer_dropped_says_so():
    answers = iter(["Ada mended it.", "The pool was"])
    trace = answered(lambda prompt: next(answers), mode="refine")
    calls = trace.calls[0], replace(trace.calls[1], finish_reason="max_tokens")
    trace = replace(trace, calls=calls)
    path = follow(FACT, trace)
    assert (path.stage, path.call) == ("dropped", 2)
    assert "".join(fact_headline(path, trace).line).endswith("; the answer of call 2 was cut off.")


def test_a_fact_in_one_of_its_wordings_has_both_in_its_name():
    trace = answered("Ada mended it")
    [head, _] = fact_headline(follow(Fact("240 cups", ("Ada mended it",)), trace), trace)
    assert "".join(head) == "“240 cups” or “Ada mended it” is in the answer."
