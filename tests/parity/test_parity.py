"""The whole of a run: every prompt, in order, and what comes of it, must be the same."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.parity import generate, ours, package, rules
from tests.parity.cases import Case, Outcome

SEED, CASES, AT_ONCE = 20_250, 400, 20


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
