"""Numbers, names and times in sentences."""

from math import inf

import pytest

from synth.text.wording import (
    agree,
    at_most,
    counted,
    dollars,
    dollars_at_most,
    duration,
    listed,
    numbered,
    percent,
    ranged,
    tell_apart,
)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (counted(1, "call"), "1 call"),
        (counted(2, "batch"), "2 batches"),
        ([agree("were", count) for count in (0, 1, 2)], ["were", "was", "were"]),
        (agree("stand", 1), "stands"),
        ([ranged(3, 3), ranged(5, 1_000), ranged(5, 3)], ["3", "5 to 1,000", "3 to 5"]),
        (ranged(0, 1, "call"), "0 to 1 call"),
        (ranged(3, 5, "call"), "3 to 5 calls"),
        ([ranged(2, inf), ranged(1, inf, "call")], ["2 or more", "1 call or more"]),
        (at_most(1_200, "call"), "at most 1,200 calls"),
        (at_most(inf, "call"), "any number of calls"),
        (dollars_at_most(2.001), "at most $2.01"),
        (dollars_at_most(0.1 + 0.2), "at most $0.3000"),
        (dollars_at_most(0.00121), "at most $0.0013"),
        (dollars_at_most(0.00001), "at most $0.0001"),
        (dollars_at_most(inf), "any sum"),
        (numbered("chunk", []), "no chunk"),
        (numbered("chunk", [1, 2, 6]), "chunks 1, 2 and 6"),
        (numbered("chunk", [1, 2, 3, 7, 9, 10]), "chunks 1 to 3, 7, 9 and 10"),
        (numbered("chunk", [999, 1_000]), "chunks 999 and 1,000"),
        (numbered("chunk", range(1, 20, 2)), "10 chunks"),
        ([listed([]), listed(["A"]), listed(["A", "B"])], ["", "A", "A and B"]),
        (listed(list("ABC")), "A, B and C"),
        (listed(list("ABCD")), "A, B and 2 others"),
        ([duration(1_234.5), duration(12.34), duration(0.25)], ["1,234.5 s", "12.3 s", "0.2 s"]),
        ([duration(0.1), duration(0.045), duration(0)], ["0.1 s", "45 ms", "0 ms"]),
        ([dollars(0), dollars(0.00001)], ["$0", "less than $0.0001"]),
        (dollars(1_234.5), "$1,234.50"),
        (tell_apart(0.0002, 0.00021), ("$0.0002", "$0.00021")),
    ],
)
def test_it_is_said_in_words(said, words):
    assert said == words


@pytest.mark.parametrize(
    ("part", "share"),
    [(0, 0), (1, 1), (500, 50), (999, 99), (1_000, 100), (1_001, 101), (2_441_000, 244_100)],
)
def test_a_share_is_all_or_nothing_only_where_it_is(part, share):
    assert percent(part, 1_000) == f"{share:,}\u00a0%"
