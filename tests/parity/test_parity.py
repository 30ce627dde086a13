"""The whole of a run: every prompt, in order, and what comes of it, must be the same."""

import re
from dataclasses import replace
from random import Random

import pytest

from tests.examples import share
from tests.parity import generate, ours, package
from tests.parity.cases import MAX_CALLS, SMALL, Case, Outcome

SEED, CASES, AT_ONCE = 20_250, share(200), 20


def check(case: Case) -> Outcome:
    theirs, found = package.run(case), ours.run(case)
    if case.together and theirs.refusal == found.refusal == "model":
        # They send the rest of the batch after a call has failed; we send no more.
        theirs = replace(theirs, prompts=theirs.prompts[: len(found.prompts)])
    assert found == theirs, case
    return found


@pytest.mark.parametrize("first", range(0, CASES, AT_ONCE))
def test_random_cases(first):
    for number in range(first, first + AT_ONCE):
        check(generate.case(Random(SEED + number)))


@pytest.mark.parametrize(
    "case",
    [
        Case("simple_summarize", "q", ("it's",), templates=SMALL),
        Case("accumulate", "q", ("a b", "c"), templates=SMALL, variables={"separator": " / "}),
        Case("compact", "q", ("<|endoftext|>" * 300,), 300, 50, padding=5, templates=SMALL),
        Case("generation", "q", ("a",), templates={**SMALL, "simple_template": "{context_str}"}),
    ],
)
def test_odd_cases(case):
    check(case)


def case_of(mode: str, **fields: object) -> Case:
    chunks = tuple(f"{name} " * 60 for name in ("alpha", "bravo", "charlie", "delta"))
    fields = {"context_window": 160, "num_output": 20, "padding": 5, **fields}
    return Case(mode, "which?", chunks, templates=SMALL, **fields)  # type: ignore[arg-type]


def test_a_chat_of_one_message_is_sent_with_its_role_on_both_sides():
    found = check(case_of("compact", is_chat=True))
    assert found.prompts[0].startswith("user: alpha alpha")
    assert found.prompts[0].endswith("which?\nassistant: ")


def test_a_tree_that_never_ends_reaches_the_cap_on_both_sides():
    found = check(case_of("tree_summarize", answers="echo:150"))
    assert found.refusal == "cap"
    assert len(found.prompts) == MAX_CALLS


@pytest.mark.parametrize("mode", ["tree_summarize", "accumulate", "compact_accumulate"])
@pytest.mark.parametrize("entry", ["get_response", "aget_response"])
def test_a_model_that_fails_ends_the_run_on_both_sides(mode, entry):
    found = check(case_of(mode, entry=entry, answers="raise:1"))
    assert found.refusal == "model"
    assert len(found.prompts) == 1


def test_refine_takes_a_failure_for_no_answer_on_both_sides():
    found = check(case_of("refine", answers="raise:1"))
    assert found.refusal is None
    assert found.final == "Empty Response"
    assert len(found.prompts) > 1


def test_pieces_cut_again_go_out_in_reverse_on_both_sides():
    words = " ".join(f"n{number}" for number in range(100, 280))
    found = check(replace(case_of("refine", answers="echo:60"), chunks=(words,)))
    firsts = [re.findall(r"n\d{3}", prompt)[0] for prompt in found.prompts]
    assert firsts[0] == "n100"
    assert firsts[1] > firsts[2]
