"""The statistics of a comparison, beside scipy's own."""

import math

import numpy as np
import pytest
import scipy  # which imports its slow parts when they are used
from hypothesis import assume, given
from hypothesis import strategies as st

from synth.quality.verdicts import (
    LEAST_QUESTIONS,
    Interval,
    average,
    bootstrap,
    holm,
    pass_rate,
    sign_test,
    verdicts,
    wilson,
)
from tests.examples import examples

CONFIDENCES = st.sampled_from([0.8, 0.9, 0.95, 0.99])


@pytest.mark.slow
@given(st.data())
def test_wilsons_interval_is_that_of_scipy(data):
    questions = data.draw(st.integers(1, 500))
    passed = data.draw(st.integers(0, questions))
    confidence = data.draw(CONFIDENCES)
    scipys = scipy.stats.binomtest(passed, questions).proportion_ci(confidence, method="wilson")
    assert wilson(passed, questions, confidence) == pytest.approx(tuple(scipys), abs=1e-12)


def test_without_questions_a_rate_can_be_anything():
    assert wilson(0, 0) == (0, 1)
    assert pass_rate([[None], []]).mean is None


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


@pytest.mark.slow
@pytest.mark.parametrize("size", [6, 20, 100])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_the_bootstrap_is_that_of_scipy(size, confidence):
    sample = np.random.default_rng(size).choice([-1, 0, 0, 0.5, 1], size)
    scipys = scipy.stats.bootstrap(
        (sample,),
        np.mean,
        n_resamples=10_000,
        confidence_level=confidence,
        method="percentile",
        rng=np.random.default_rng(1),
    )
    # Both draw at random: the ends of an interval are off by some hundredths of its scale.
    error = 0.1 * sample.std() / math.sqrt(size) + 1 / size / 4
    assert bootstrap(sample, confidence) == pytest.approx(
        tuple(scipys.confidence_interval), abs=error
    )


def column(*scores):
    return [[score] for score in scores]


def test_five_questions_never_tell_columns_apart():
    [verdict] = verdicts(column(1, 1, 1, 1, 1), [column(0, 0, 0, 0, 0)])
    assert not verdict.interval.holds(0)
    assert not verdict.differs
    assert verdict.needed == 6
    assert verdict.sentence("compact", "refine") == (
        "compact and refine can't be told apart with 5 questions; about 6 would do, if more came"
        " out as these did."
    )


def test_six_of_six_are_a_difference_and_for_two_comparisons_none():
    good, bad = column(*[1] * 6), column(*[0] * 6)
    [verdict] = verdicts(good, [bad])
    assert (verdict.wins, verdict.losses, verdict.differs) == (6, 0, True)
    assert verdict.probability == pytest.approx(2 / 64)
    assert verdict.sentence("a", "b") == "a is better than b: ahead in 6 of 6 questions."
    assert verdicts(bad, [good])[0].sentence("b", "a") == verdict.sentence("a", "b")
    assert [each.differs for each in verdicts(good, [bad, bad])] == [False, False]


def test_the_interval_alone_does_not_make_a_difference():
    ours = column(1, 1, 1, 1, 1, 0, 0, 0, 0, 0)
    theirs = column(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    [verdict] = verdicts(ours, [theirs])
    assert not verdict.interval.holds(0)
    assert verdict.probability == pytest.approx(0.0625)
    assert not verdict.differs
    assert verdict.needed == 12  # with six wins


def test_wins_alone_do_not_make_a_difference():
    ours, theirs = column(*[0.51] * 9, 0), column(*[0.5] * 9, 1)
    [verdict] = verdicts(ours, [theirs])
    assert verdict.probability < 0.05
    assert not verdict.differs
    assert verdict.needed is None
    assert "would hardly help" in verdict.sentence("a", "b")


def test_equal_columns():
    [verdict] = verdicts(column(1, 0, 1), [column(1, 0, 1)])
    assert verdict.difference == 0
    assert verdict.sentence("a", "b").endswith("none came out differently.")


def test_repeats_stay_inside_their_question():
    once = verdicts(column(1, 0, 1), [column(0, 0, 1)])
    tripled = verdicts([[1] * 3, [0] * 3, [1] * 3], [[[0] * 3, [0] * 3, [1] * 3]])
    assert tripled == once
    assert pass_rate([[1, 1, 0], [None, 1]]).mean == pytest.approx((2 / 3 + 1) / 2)
    assert pass_rate([[1, 1], [0, 0]]).interval == wilson(1, 2)


def test_the_average_of_a_measure_has_a_bootstrap_interval():
    found = average([[2, 4], [None], [5]])
    assert (found.mean, found.questions) == (4, 2)
    assert found.interval == bootstrap([3, 5])
    assert average([]).mean is None


def test_a_question_that_only_one_column_has_counts_for_none():
    [verdict] = verdicts([[1], [None], [0]], [[[0], [1], []]])
    assert (verdict.questions, verdict.wins) == (1, 1)
    [none] = verdicts([[None]], [[[1]]])
    assert (none.questions, none.differs) == (0, False)


def test_columns_of_different_questions_are_refused():
    with pytest.raises(ValueError, match="argument"):
        verdicts(column(1, 0), [column(1)])


SCORES = st.lists(st.sampled_from([0, 0.5, 1]), min_size=1, max_size=30)


@examples(100)
@given(SCORES, st.randoms())
def test_a_verdict_is_the_same_from_both_sides(scores, random):
    others = random.sample(scores, len(scores))
    [verdict] = verdicts(column(*scores), [column(*others)])
    [mirrored] = verdicts(column(*others), [column(*scores)])
    assert mirrored.difference == pytest.approx(-verdict.difference)
    assert (mirrored.wins, mirrored.losses) == (verdict.losses, verdict.wins)
    assert mirrored.interval == pytest.approx(
        Interval(-verdict.interval.high, -verdict.interval.low), abs=0.1
    )
    if verdict.differs:
        assert verdict.questions >= LEAST_QUESTIONS
        assert verdict.probability < 0.05


@pytest.mark.slow
def test_equally_good_columns_are_rarely_told_apart():
    random = np.random.default_rng(7)
    trials = 240
    told_apart = 0
    for _ in range(trials):
        ours, theirs = random.integers(0, 2, (2, 12, 1)).tolist()
        told_apart += verdicts(ours, [theirs])[0].differs
    assert told_apart <= 0.05 * trials
