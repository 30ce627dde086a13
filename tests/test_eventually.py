"""Waiting ends: with what was waited for, or with a message."""

import pytest

from tests.eventually import eventually


def test_it_ends_once_the_condition_holds():
    times = iter([False, False, True])
    eventually(lambda: next(times), "the third time")
    assert list(times) == []


def test_it_fails_with_what_did_not_come():
    with pytest.raises(AssertionError, match=r"After 0 seconds still not: rain\."):
        eventually(lambda: False, "rain", seconds=0)
