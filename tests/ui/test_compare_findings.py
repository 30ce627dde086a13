"""Findings: every sentence is true of its plans or traces, and all fit on two lines."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.modes.registry import MODES
from synth.text.wording import Bold
from tests.examples import examples
from tests.invariants.world import worlds
from tests.ui.compare_columns import (
    CHUNKS,
    PRICE,
    after,
    before,
    chain_of,
    columns_in,
    fan_of,
    lasting,
    ran,
    refused,
)
from tests.ui.sample_calls import made
from ui.pages.compare.analysis.run_findings import FINDINGS_LENGTH, fitting, most_at_once
from ui.pages.compare.analysis.run_findings import run_findings as findings_of
from ui.pages.compare.cells import named

EACH = ([0], [1], [2])


def said(parts):
    return "".join(parts).replace("\u00a0", " ")


def run_findings(columns, reference=0):
    return findings_of(named(columns, {}), reference)


def compact(column="A", **more):
    return after(column, "compact", chain_of(made, [0, 1, 2]), **more)


def refine(column="B", **more):
    return after(column, "refine", chain_of(made, *EACH), **more)


# ---- how sentences are put


def test_a_sentence_too_long_leaves_room_for_the_next():
    assert fitting([["a" * 100], ["b" * 300], [], [Bold("c"), "d"]]) == ["a" * 100, " ", "c", "d"]


# ---- after a run


def test_the_reference_is_held_against_the_column_with_other_calls():
    simple = after("C", "simple_summarize", fan_of(made, [0, 1]), "cold spring")
    columns = [compact(response="the river is cold"), refine(response="the river is wide"), simple]
    assert said(run_findings(columns)) == (
        "simple_summarize never saw chunk 3: it was cut off."
        " compact made 1 call instead of refine's 3 and sent the same text; refine's answer keeps"
        " 75 % of the words of compact's."
    )
    assert "refine made 3 calls instead of compact's 1" in said(run_findings(columns, reference=1))


def test_columns_with_as_many_calls_and_without_any():
    silent = after("B", "no_text", [], "")
    assert said(run_findings([compact(), silent])) == (
        "compact made 1 call instead of no_text's none."
    )
    assert said(run_findings([silent, compact()])) == (
        "no_text made no call instead of compact's 1."
    )
    other = after("B", "tree_summarize", chain_of(made, [1, 2, 0]), "something else")
    assert said(run_findings([compact(), other])).startswith(
        "compact and tree_summarize made 1 call each and sent the same text;"
    )
    assert said(run_findings([compact()])) == "compact made 1 call."


SEEN_BY_ALL, ONLY_IN_THE_LAST = "w1 w2 w3 w4", "w25 w26 w27 w28"


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ((SEEN_BY_ALL, SEEN_BY_ALL, SEEN_BY_ALL), "never saw chunk 3: it was cut off."),
        (
            (ONLY_IN_THE_LAST, SEEN_BY_ALL, SEEN_BY_ALL),
            f"misses chunk 3, which compact quotes (“{ONLY_IN_THE_LAST}”): it was cut off.",
        ),
        (
            (f"So {ONLY_IN_THE_LAST}.", f"{ONLY_IN_THE_LAST}, yes", "nothing"),
            f"misses chunk 3, which compact and refine quote (“{ONLY_IN_THE_LAST}”): it was"
            " cut off.",
        ),
        # A model may know it all the same.
        ((ONLY_IN_THE_LAST,) * 3, "never saw chunk 3: it was cut off."),
    ],
)
def test_what_was_cut_off_is_told_by_who_quotes_it(answers, words):
    ours, theirs, own = answers
    simple = after("C", "simple_summarize", fan_of(made, [0, 1]), own)
    columns = [compact(response=ours), refine(response=theirs), simple]
    assert said(run_findings(columns)).startswith(f"simple_summarize {words}")


def test_a_part_of_a_chunk_that_was_cut_off_or_not_sent_by_design_is_no_chunk_missed():
    assert "cut off" not in said(run_findings([compact(), after("B", "no_text", [], "")]))
    two = [compact(), after("B", "generation", [made(1, 0)], ONLY_IN_THE_LAST)]
    assert "cut off" not in said(run_findings(two))


def test_a_long_quote_ends_at_a_word():
    simple = after("C", "simple_summarize", fan_of(made, [0, 1]), "nothing")
    text = said(run_findings([compact(response=CHUNKS[2]), simple]))
    [quoted] = re.findall("“(.+) …”", text)
    assert CHUNKS[2].startswith(f"{quoted} ")
    assert 40 < len(quoted) < 64


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (refine(response=None, error="no key"), "refine failed after 3 answers."),
        (refine(response=None, stopped=True), "refine was stopped after 3 answers."),
        (
            after("B", "refine", [replace(made(1, 0), answer=None, error="no")], None, error="no"),
            "refine failed before its first answer.",
        ),
        (ran(before("B", "refine"), None, "KeyError"), "refine failed."),
        (refused("B", "refine"), "refine was refused."),
    ],
)
def test_who_has_no_answer_is_said_first_and_compared_with_none(column, words):
    assert said(run_findings([compact(), column])) == f"{words} compact made 1 call."
    assert said(run_findings([compact(), column], reference=1)) == f"{words} compact made 1 call."
    assert said(run_findings([column])) == words


def test_many_without_an_answer_are_counted():
    columns = [refused(letter, mode) for letter, mode in zip("ABC", MODES, strict=False)]
    assert said(run_findings(columns)) == (
        "3 columns have no answer: refine, compact and tree_summarize."
    )


def test_as_many_calls_at_once_are_faster():
    slow = after("A", "compact", lasting(chain_of(made, [0], [1, 2]), (0, 2), (2, 2)), seconds=4.0)
    fast = after(
        "B", "accumulate", lasting(fan_of(made, [0, 1], [2]), (0, 2), (0.1, 2)), seconds=2.1
    )
    told = (
        "accumulate was faster than compact with the same number of calls: 2 of its 2 ran at once."
    )
    assert told in said(run_findings([slow, fast]))
    assert told in said(run_findings([fast, slow]))
    # One after the other all the same, so there is another reason.
    alone = after(
        "B", "accumulate", lasting(fan_of(made, [0, 1], [2]), (0, 1), (1, 1)), seconds=2.0
    )
    assert "at once" not in said(run_findings([slow, alone]))
    assert (
        "compact took longest: 4.0 s for 2 calls, one after the other; accumulate took 2.0 s."
        in (said(run_findings([slow, alone])))
    )


def test_times_that_nobody_notices_are_not_told():
    quick, slow = compact(seconds=0.001), refine(seconds=0.05)
    assert "took" not in said(run_findings([quick, slow]))
    known = [replace(call, replayed=True) for call in chain_of(made, *EACH)]
    cached = after("B", "refine", known, seconds=0.2)
    assert "took" not in said(run_findings([compact(seconds=9.0), cached]))
    assert "took" in said(run_findings([compact(seconds=9.0), refine(seconds=0.2)]))


def test_calls_at_one_moment():
    calls = fan_of(made, *EACH)
    assert most_at_once(lasting(calls, (0, 2), (1, 2), (2, 1))) == 2
    assert most_at_once(lasting(calls, (0, 1), (1, 1), (2, 1))) == 1
    assert most_at_once(lasting(calls, (0, 0), (0, 0), (0, 0))) == 0


def test_columns_that_tie_are_named_together():
    one, other = refine("A"), refine("B")
    slow = replace(one.trace, seconds=9.0)
    cheap = compact("C", seconds=1.0, response="no")
    text = said(run_findings([cheap, ran(one, slow), ran(other, slow)]))
    assert "A and B took longest: 9.0 s for 3 calls, one after the other; C took 1.0 s." in text


# ---- in every world

NAME = r"(\w+)"


def sent_text(run):
    """The visible characters of chunks that stand in a prompt."""
    return {
        (origin.number, at)
        for call in run.calls
        for origin in call.origins
        if origin.kind == "chunk"
        for at in range(origin.start, origin.end)
        if run.setup.chunks[origin.number - 1][at].strip()
    }


def check(sentence, runs):
    """What a sentence says of calls and of text, held against the traces."""
    calls = {name: f"{len(run.calls) or 'no'} call" for name, run in runs.items()}
    if found := re.match(rf"{NAME} made (.*) instead of {NAME}'s", sentence):
        assert found[2].startswith(calls[found[1]])
        assert calls[found[1]] != calls[found[3]]
        if "same text" in sentence:
            assert sent_text(runs[found[1]]) == sent_text(runs[found[3]]) != set()
    elif found := re.match(rf"{NAME} (?:misses|never saw) chunks? (\d+)", sentence):
        assert int(found[2]) not in {number for number, _ in sent_text(runs[found[1]])}


@pytest.mark.slow
@given(
    world=worlds(),
    modes=st.lists(st.sampled_from(list(MODES)), min_size=1, max_size=4),
    reference=st.integers(0, 3),
)
@examples(100)
def test_every_sentence_after_a_run_is_true_and_all_fit(world, modes, reference):
    columns = named(columns_in(world, modes, True, PRICE), {})
    text = "".join(run_findings(columns, reference % len(columns)))
    assert len(text) <= FINDINGS_LENGTH
    assert "  " not in text
    for sentence in re.split(r"(?<=\.) (?=\S)", text):
        check(sentence, {one.name: one.trace for one in columns if one.answer is not None})
