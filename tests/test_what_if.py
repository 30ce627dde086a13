"""Totals equal those of plans, and changes are found at their very place."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth import PromptHelper, get_response_synthesizer
from synth.errors import SynthError
from synth.modes.advice.what_if import Cliff, Totals, cliffs, totals
from synth.quality.samples import SAMPLES
from tests.examples import examples


def stairs(*edges: int):
    """A count that rises by one at each edge."""
    return lambda x: sum(x >= edge for edge in edges)


@given(st.lists(st.integers(1, 999), unique=True).map(sorted))
def test_a_change_between_two_samples_is_found_at_its_place(edges: list[int]):
    xs = sorted({0, *(edge for edge in edges), *(edge - 1 for edge in edges), 1_000})
    found = cliffs(stairs(*edges), xs)
    assert [cliff.x for cliff in found] == edges
    assert [(cliff.before, cliff.after) for cliff in found] == list(pairwise(range(len(edges) + 1)))


@given(st.sets(st.integers(1, 999)), st.integers(0, 40), st.sampled_from([0.0, 9.0]))
def test_what_is_found_is_there_and_without_a_limit_it_is_all(edges, halvings, seconds):
    at = stairs(*edges)
    for cliff in cliffs(at, [0, 500, 1_000], halvings, seconds):
        assert (at(cliff.x - 1), at(cliff.x)) == (cliff.before, cliff.after)
        assert cliff.x in edges
    assert [cliff.x for cliff in cliffs(at, [0, 1_000], 10_000)] == sorted(edges)


@pytest.mark.parametrize("seconds", [0.0, 9.0])
def test_without_time_both_ends_are_looked_at_and_with_it_every_sample(seconds):
    looked = []
    xs = range(0, 1_000, 10)
    cliffs(lambda x: looked.append(x) or 1, xs, seconds=seconds)
    assert looked[:2] == [0, 990]
    assert sorted(looked) == ([*xs] if seconds else [0, 990])


def test_falling_counts_have_cliffs_too():
    assert cliffs(lambda x: -int(x >= 37), [0, 50, 100]) == (Cliff(37, 0, -1),)


def test_nothing_changes_where_there_is_nothing_to_compare():
    assert cliffs(stairs(5), []) == cliffs(stairs(5), [5]) == cliffs(stairs(5), [5, 9]) == ()


@examples(20)
@given(
    st.integers(130, 900),
    st.integers(1, 4),
    st.sampled_from((0.0, 0.1, 0.5)),
    st.sampled_from(("documented", "llama_index")),
)
def test_a_tree_is_seen_to_end_where_its_whole_plan_ends(window, count, overlap, behaviour):
    chunks = SAMPLES[1].chunks[:count]
    helper = PromptHelper(
        context_window=window, num_output=118, chunk_overlap_ratio=overlap, chunk_size_limit=294
    )
    tree = get_response_synthesizer("tree_summarize", prompt_helper=helper, behaviour=behaviour)
    try:
        whole = Totals.of(tree.plan("How much?", chunks, max_calls=1_000))
    except SynthError as refusal:
        whole = Totals.refuse(str(refusal))
    seen = totals(tree, "How much?", chunks)
    assert seen == whole or None not in (seen.problem, whole.problem)
