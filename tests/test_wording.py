"""Numbers, names and times in sentences."""

from math import inf

import pytest

from synth.text.wording import (
    agreeing,
    at_most,
    counted,
    dollars,
    dollars_at_most,
    duration,
    listed,
    numbered,
    percent,
    ranged,
    told_apart,
)


def test_numbers_have_their_noun():
    assert [counted(count, "call") for count in (0, 1, 1_200)] == [
        "0 calls",
        "1 call",
        "1,200 calls",
    ]
    assert counted(2, "batch") == "2 batches"
    assert [agreeing("were", count) for count in (0, 1, 2)] == ["were", "was", "were"]
    assert agreeing("stand", 1) == "stands"


def test_a_range_goes_from_the_lesser_to_the_greater():
    assert [ranged(3, 3), ranged(5, 1_000), ranged(5, 3)] == ["3", "5 to 1,000", "3 to 5"]
    assert [ranged(1, 1, "call"), ranged(0, 1, "call"), ranged(3, 5, "call")] == [
        "1 call",
        "0 to 1 call",
        "3 to 5 calls",
    ]
    assert [ranged(2, inf), ranged(1, inf, "call")] == ["2 or more", "1 call or more"]


@pytest.mark.parametrize(
    ("part", "share"), [(0, 0), (1, 1), (500, 50), (999, 99), (1_000, 100), (1_001, 101)]
)
def test_a_share_is_all_or_nothing_only_where_it_is(part, share):
    assert percent(part, 1_000) == f"{share}\u00a0%"


def test_a_share_can_be_many_times_the_whole():
    assert percent(25_000, 1_024) == "2,441\u00a0%"


def test_a_bound_says_what_it_bounds():
    assert [at_most(1, "call"), at_most(1_200, "call"), at_most(inf, "call")] == [
        "at most 1 call",
        "at most 1,200 calls",
        "any number of calls",
    ]
    assert [dollars_at_most(amount) for amount in (2.001, 0.1 + 0.2, 0.00121, 0.00001, inf)] == [
        "at most $2.01",
        "at most $0.3000",
        "at most $0.0013",
        "less than $0.0001",
        "any sum",
    ]


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ([], "no chunk"),
        ([2], "chunk 2"),
        ([1, 2], "chunks 1 and 2"),
        ([1, 2, 6], "chunks 1, 2 and 6"),
        ([3, 4, 5, 6], "chunks 3 to 6"),
        ([1, 2, 3, 7, 9, 10], "chunks 1 to 3, 7, 9 and 10"),
        ([999, 1_000], "chunks 999 and 1,000"),
        (range(1, 20, 2), "10 chunks"),
    ],
)
def test_things_are_named_by_their_numbers(numbers, said):
    assert numbered("chunk", numbers) == said


def test_names_are_one_subject():
    assert [listed([]), listed(["A"]), listed(["A", "B"])] == ["", "A", "A and B"]
    assert listed(list("ABC")) == "A, B and C"
    assert listed(list("ABCD")) == "A, B and 2 others"
    assert listed(list("ABCDE")) == "A, B and 3 others"


def test_times_and_amounts_are_read_at_a_glance():
    assert [duration(seconds) for seconds in (1_234.5, 12.34, 0.25, 0.1, 0.045, 0)] == [
        *("1,234.5 s", "12.3 s", "0.2 s", "0.1 s", "45 ms", "0 ms")
    ]
    assert [dollars(0), dollars(0.00001), dollars(1_234.5)] == [
        "$0",
        "less than $0.0001",
        "$1,234.50",
    ]


@pytest.mark.parametrize(
    ("less", "more", "said"),
    [
        (2, 3.5, ("$2.00", "$3.50")),
        (0.0002, 0.00021, ("$0.0002", "$0.00021")),
        (0.00005, 0.1, ("$0.00005", "$0.1000")),
        (1_000, 1_000.0000001, ("$1,000.00", "$1,000.0000001")),
    ],
)
def test_two_amounts_have_the_digits_that_tell_them_apart(less, more, said):
    assert told_apart(less, more) == said
