"""The statistics of a comparison, beside scipy's own."""

import pytest
import scipy  # which imports its slow parts when they are used
from hypothesis import assume, given
from hypothesis import strategies as st

from synth.quality.verdicts import holm, sign_test, verdicts, wilson


@pytest.mark.slow
@given(st.data())
def test_wilsons_interval_is_that_of_scipy(data):
    questions = data.draw(st.integers(1, 500))
    passed = data.draw(st.integers(0, questions))
    confidence = data.draw(st.sampled_from([0.8, 0.9, 0.95, 0.99]))
    scipys = scipy.stats.binomtest(passed, questions).proportion_ci(confidence, method="wilson")
    assert wilson(passed, questions, confidence) == pytest.approx(tuple(scipys), abs=1e-12)


@pytest.mark.slow
@given(st.integers(0, 200), st.integers(0, 200))
def test_the_sign_test_is_that_of_scipy(wins, losses):
    assume(wins + losses)
    expected = scipy.stats.binomtest(wins, wins + losses, 0.5).pvalue
    assert sign_test(wins, losses) == pytest.approx(expected, rel=1e-9)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=10), st.floats(0.001, 0.999))
def test_holms_correction_rejects_what_his_steps_reject(probabilities, level):
    rejected = set()
    for count, index in enumerate(sorted(range(len(probabilities)), key=probabilities.__getitem__)):
        if probabilities[index] * (len(probabilities) - count) > level:
            break
        rejected.add(index)
    corrected = holm(probabilities)
    assert {index for index, value in enumerate(corrected) if value <= level} == rejected


def test_equal_columns_and_means_that_only_rounding_tells_apart_are_ties():
    [verdict] = verdicts([1, 0, 1], [[1, 0, 1]])
    assert (verdict.wins, verdict.losses, verdict.probability) == (0, 0, 1)
    [rounded] = verdicts([0.1 + 0.2], [[0.3]])
    assert (rounded.wins, rounded.losses) == (0, 0)


def test_a_question_that_only_one_column_has_counts_for_none():
    [verdict] = verdicts([1, None, 0], [[0, 1, None]])
    assert (verdict.questions, verdict.wins) == (1, 1)
    [none] = verdicts([None], [[1]])
    assert (none.questions, none.differs) == (0, False)
