"""Suspicions, and what a text says against them."""

import pytest

from synth.llms.suspicions import doubts

CABLE = "The crew suspected the new cable."
MOUSE = "A mouse had bitten through the wire."
RULED_OUT = "The cable was ruled out."


@pytest.mark.parametrize(
    ("suspicion", "rejection"),
    [
        (CABLE, RULED_OUT),
        (CABLE, "Cable ruled out."),
        (CABLE, "An engineer ruled out the cable on Monday."),
        (CABLE, "On Monday the theory of the cable was withdrawn, but nobody was told."),
        (CABLE, "The cable had no effect on it."),
        (CABLE, "The cable turned out to be innocent."),
        (CABLE, "The cable did not cause the fire."),
        (CABLE, "But the cable theory turned out to be wrong."),
        ("The cable was probably too old.", RULED_OUT),
        ("Perhaps it was the cable.", RULED_OUT),
        ("It was noted as “cable, probably”.", RULED_OUT),
        ("They blamed the cable.", RULED_OUT),
        ("有人怀疑是电缆老化。", "电缆被排除。"),
        ("有人怀疑是电缆老化。", "工程师排除了电缆的问题。"),
        ("有人怀疑是电缆老化。", "后来证明电缆无关。"),
    ],
)
def test_a_rejection_finds_the_suspicion_that_it_is_about(suspicion, rejection):
    assert doubts([suspicion, rejection, MOUSE]).instead == {0: 1}


@pytest.mark.parametrize(
    "rejection",
    [
        "The crew ruled out the roof.",  # the same people, another thing
        "The roof was ruled out by the crew.",
        "The new roof had no effect.",
        "The cable is eight metres long.",
    ],
)
def test_what_speaks_of_something_else_rejects_nothing(rejection):
    found = doubts([CABLE.replace("new ", ""), rejection, MOUSE])
    assert found.suspected == {0}
    assert found.instead == {}


def test_the_last_of_several_rejections_has_the_word():
    assert doubts([CABLE, "Cable ruled out.", "The cable was withdrawn."]).instead == {0: 2}


def test_a_rejection_that_stands_first_counts_too():
    assert doubts(["The cable was ruled out.", CABLE]).instead == {1: 0}


def test_many_suspicions_and_rejections_are_matched():
    lines = [f"They suspected cable {n} of the tower." for n in range(5_000)]
    lines += [f"Cable {n} of the tower was ruled out." for n in range(5_000)]
    found = doubts(lines)
    assert found.instead == dict.fromkeys(range(5_000), 9_999)  # for they share "cable"
