"""Curves: cliffs that are where they are said to be, and true sentences."""

import re
from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from synth.modes.advice.what_if import Cliff, Totals
from ui.pages.what_if import sentences
from ui.plans import findings, thresholds
from ui.plans.axes import AXES, AxisSpan
from ui.plans.curves import NO_PLAN, UNFINISHED, Curve, Point, curve_of

WINDOW, OVERLAP = AXES["window"], AXES["overlap"]
SPAN = AxisSpan(400, 2000, 1024)


def totals(calls):
    if calls == NO_PLAN:
        return Totals(0, 0, 0, 0, "The window leaves no room.")
    if calls == UNFINISHED:
        return Totals(3, 30, 3, 1, "It would never end.")
    return Totals(calls, 100 * calls, 10 * calls, calls)


def curve(of, mode="compact", span=SPAN):
    """The curve of a mode whose number of calls is a function of x."""
    return curve_of(mode, span, lambda x, _: totals(of(x)))


def falling(*edges):
    """A count that starts above the number of edges and loses one call at each."""
    return lambda x: 1 + sum(x < edge for edge in edges)


def said(parts):
    return "".join(parts)


def headline(x, focus, *others, last_call_tokens=None, axis=WINDOW):
    return said(
        sentences.headline(axis, replace(focus.at(x), x=x), focus, others, last_call_tokens)
    )


EDGES = st.lists(st.integers(401, 2000), max_size=16, unique=True).map(sorted)


@given(EDGES)
def test_every_cliff_is_found_where_it_is(edges):
    found = curve(falling(*edges))
    assert [cliff.x for cliff in found.cliffs] == edges
    assert all(found.at(x).calls == falling(*edges)(x) for x in range(400, 2001))


@given(EDGES, st.integers(400, 2000))
def test_below_an_end_there_is_no_plan_and_above_it_there_is_one(edges, end):
    found = curve(lambda x: NO_PLAN if x < end else falling(*edges)(x))
    assert [cliff.x for cliff in found.ends] == ([end] if end > 400 else [])
    assert all((found.at(x).calls < 0) == (x < end) for x in range(400, 2001))


def test_a_slope_has_no_steps_but_keeps_its_ends():
    found = curve(lambda x: UNFINISHED if x < 500 else 400_000 // x)
    assert found.slope
    assert [cliff.x for cliff in found.ends] == [500]
    assert "It makes 800 at 500 and 200 at 2,000." in headline(1024, found)


def test_what_a_slope_does_here_is_that_of_its_plan_and_its_crossings_are_about():
    focus = curve(lambda x: 400_000 // x)
    other = curve(lambda x: 300, mode="refine")
    here = Point(1001, totals(399), totals(399))
    text = said(sentences.headline(WINDOW, here, focus, [other]))
    assert "At 1,001 tokens compact makes 399 calls." in text
    assert "From about 1,3" in text


def test_a_high_step_beside_a_slope_is_found_and_the_slope_is_exact_where_it_can_be():
    def calls(x):
        return 69 if x < 387 else max(1, 29 - (x - 387) // 3)

    found = curve(calls, span=AxisSpan(340, 2_000, 1_024))
    assert [cliff for cliff in found.cliffs if cliff.before == 69] == [Cliff(387, 69, 29)]
    assert len(found.cliffs) == 29
    assert not found.slope


@given(EDGES, st.integers(400, 2000))
def test_the_headline_is_true_of_the_cliffs_that_it_names(edges, x):
    calls, text = falling(*edges), headline(x, curve(falling(*edges)))
    above = [edge for edge in edges if edge > x]
    if above:
        assert f"From {above[0]:,} on it makes {calls(above[0]):,}" in text
    elif edges:
        assert f"Just below {edges[-1]:,} it makes {calls(edges[-1] - 1):,}" in text
    else:
        assert "The number is the same from 400 to 2,000." in text


def test_the_headline_names_the_next_two_thresholds_and_that_of_one_call():
    edges = [700, 900, 1100, 1300, 1500, 1700]
    assert headline(1024, curve(falling(*edges))) == (
        "At 1,024 tokens compact makes 5 calls. From 1,100 on it makes 4. From 1,300 on it makes"
        " at most 3. From 1,700 on it makes 1."
    )


def steps_of(calls, start=400, mode="compact"):
    """The curve that has these calls, one position after the other, all of them known."""
    points = tuple(Point(x, totals(one), totals(one)) for x, one in enumerate(calls, start))
    cliffs = tuple(
        Cliff(after.x, one.calls, after.calls)
        for one, after in pairwise(points)
        if one.calls != after.calls
    )
    return Curve(mode, points, cliffs)


@given(st.lists(st.integers(1, 5), min_size=2, max_size=30))
def test_what_is_said_of_thresholds_is_true_at_every_position(calls):
    at = dict(enumerate(calls, 400))
    found = thresholds.thresholds(steps_of(calls))
    islands = [positions_of(one.islands) for one in found]
    for number, one in enumerate(found):
        enough = {x for x in at if (at[x] >= one.calls if one.rises else at[x] <= one.calls)}
        assert set(range(one.x, 400 + len(calls))) <= enough
        assert (at[one.x - 1], one.x - 1 in enough) == (one.before, False)
        assert islands[number] == {x for x in enough if x < one.x}
        following = found[number + 1].x if one is not found[-1] else 400 + len(calls)
        told = set().union(*islands[number + 1 : number + 2])
        others = {x for x in range(one.x, following) if at[x] != one.calls}
        assert one.steady == (others <= told)
    assert bool(found) == (calls[0] != calls[-1] or max(calls) > calls[-1])


def positions_of(stretches):
    return {x for part in stretches for x in range(part.start, part.end + 1)}


def test_islands_are_told_beside_their_threshold():
    calls = [6, 6, 4, 6, 6, 4, 4, 4, 1]
    text = "At 401 tokens compact makes 6 calls. From 405 on it makes 4, and at 402."
    assert headline(401, steps_of(calls)) == f"{text} From 408 on it makes 1."
    turns_back = "makes 4 calls. From 403 to 404 it makes 6. From 405 on it makes 4. From 408 on"
    assert turns_back in headline(402, steps_of(calls))
    rising = "From 404 on it makes 3, and at 401."
    assert rising in headline(400, steps_of([2, 3, 2, 2, 3, 3]))
    assert "From 408 on it makes 2, and at 3 places before." in headline(
        400, steps_of([3, 2, 3, 2, 3, 2, 3, 3, 2])
    )


def test_short_and_long_answers_may_make_a_range_and_a_last_call_may_be_for_little():
    focus = curve_of("compact", SPAN, lambda _, longest: totals(2 + longest))
    assert "makes 2 to 3 calls. The last call carries only 12 tokens of chunks." in headline(
        1024, focus, last_call_tokens=12
    )
    assert "only 1 token of chunks." in headline(1024, focus, last_call_tokens=1)


def test_a_tree_that_never_ends():
    tree = curve(lambda x: UNFINISHED if x < 436 else 3, mode="tree_summarize")
    assert "tree_summarize never ends below 436." in headline(1024, curve(falling()), tree)
    tree = curve(lambda x: 3 if x < 700 else UNFINISHED, mode="tree_summarize")
    assert "tree_summarize never ends from 700 on." in headline(1024, curve(falling()), tree)


def positions_said(text):
    """The positions in a sentence about a curve from 400 to 449."""
    places = re.findall(r"(below|at|from) (\d{3})(?: to (\d+)| (on))?", text)
    return {
        x
        for word, start, end, on in places
        for x in range(
            400 if word == "below" else int(start),
            int(start) if word == "below" else int(end or (449 if on else start)) + 1,
        )
    }


@given(st.lists(st.sampled_from((NO_PLAN, UNFINISHED, 3)), min_size=50, max_size=50))
def test_a_mode_lacks_calls_where_a_sentence_says_so_and_nowhere_else(calls):
    for missing, sentence in (
        (NO_PLAN, "tree_summarize has no plan"),
        (UNFINISHED, "tree_summarize never ends"),
    ):
        lacking = {x for x, one in enumerate(calls, 400) if one == missing}
        said = findings.all_ends(WINDOW, [steps_of(calls, mode="tree_summarize")])
        texts = [text for text in said if sentence in text]
        assert len(texts) == bool(lacking)
        for text in texts:
            if "places" in text:
                assert positions_said(text) == set(range(min(lacking), max(lacking) + 1))
            else:
                assert positions_said(text) == lacking


def test_places_without_calls_are_told_together():
    def said(*calls):
        return findings.all_ends(WINDOW, [steps_of(calls, mode="tree_summarize")])

    assert said(-2, 3, -2, 2) == ["tree_summarize never ends below 401 and at 402."]
    assert said(-1, -2, -2, 3) == [
        "tree_summarize has no plan below 401.",
        "tree_summarize never ends from 401 to 402.",
    ]
    assert said(-2, 3, -2, 3, -2, 3, -2, 3) == [
        "tree_summarize never ends at 4 places from 400 to 406."
    ]


CALLS = st.sampled_from((UNFINISHED, 1, 2, 3))


@given(st.lists(st.tuples(CALLS, CALLS), min_size=2, max_size=80))
def test_a_crossing_is_true_wherever_it_says(calls):
    focus, other = (
        steps_of([one for one, _ in calls]),
        steps_of([two for _, two in calls], mode="refine"),
    )
    end = 399 + len(calls)
    for text in findings.crossings(WINDOW, 420, focus, [other]):
        low, high, than, ties = re.fullmatch(
            r"(?:At|From) (\d+)(?: to (\d+)| on)? compact makes (\w+) .* refine(, or as many)?\.",
            text,
        ).groups()
        high = high or (end if " on " in text else low)
        signs = [
            {(mine > yours) - (mine < yours)} if min(mine, yours) > 0 else None
            for mine, yours in calls[int(low) - 400 : int(high) - 399]
        ]
        sign = {"fewer": -1, "as": 0, "more": 1}[than]
        assert signs[0] == signs[-1] == {sign}
        assert set().union(*signs) == ({sign, 0} if ties else {sign})


@given(EDGES, EDGES)
def test_crossings_leave_no_position_out_but_short_ties(mine, yours):
    one, other = curve(falling(*mine)), curve(falling(*yours), mode="refine")
    comparisons = findings.call_comparisons(one, other)
    assert (comparisons[0].start, comparisons[-1].end) == (400, 2000)
    for before, after in pairwise(comparisons):
        assert before.sign != after.sign
        assert after.start - before.end <= 81
        assert all(one.at(x).calls == other.at(x).calls for x in range(before.end + 1, after.start))


@given(st.integers(1, 10**7), st.integers(1, 10**7))
def test_samples_hold_both_ends_and_never_go_back(low, more):
    span = AxisSpan(low, low + more, low)
    samples = span.samples()
    assert (samples[0], samples[-1]) == (span.low, span.high)
    assert len(samples) <= 40
    assert all(before < after for before, after in pairwise(samples))
