"""Totals equal those of plans, and changes are found at their very place."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from synth import PromptHelper, get_response_synthesizer
from synth.what_if import Cliff, Planner, Totals, cliffs


def stairs(*edges: int):
    """A count that rises by one at each edge."""
    return lambda x: sum(x >= edge for edge in edges)


@given(st.lists(st.integers(1, 999), unique=True).map(sorted))
def test_a_change_between_two_samples_is_found_at_its_place(edges: list[int]):
    xs = sorted({0, *(edge for edge in edges), *(edge - 1 for edge in edges), 1_000})
    found = cliffs(stairs(*edges), xs)
    assert [cliff.x for cliff in found] == edges
    assert [(cliff.before, cliff.after) for cliff in found] == list(pairwise(range(len(edges) + 1)))


@given(st.sets(st.integers(1, 999)))
def test_of_several_changes_in_a_gap_one_is_found_with_its_own_sides(edges: set[int]):
    at = stairs(*edges)
    for cliff in cliffs(at, [0, 1_000]):
        assert (at(cliff.x - 1), at(cliff.x)) == (cliff.before, cliff.after)
        assert cliff.x in edges


def test_falling_counts_have_cliffs_too():
    assert cliffs(lambda x: -int(x >= 37), [0, 50, 100]) == (Cliff(37, 0, -1),)


def test_nothing_changes_where_there_is_nothing_to_compare():
    assert cliffs(stairs(5), []) == cliffs(stairs(5), [5]) == cliffs(stairs(5), [5, 9]) == ()


def test_a_refusal_is_a_problem_with_zeros():
    refused = get_response_synthesizer("compact", prompt_helper=PromptHelper(100, 64))
    totals = Planner("Why?", ["A chunk."], {}).totals(refused)
    assert totals == Totals(0, 0, 0, 0, totals.problem)
    assert "raise the window" in (totals.problem or "")
