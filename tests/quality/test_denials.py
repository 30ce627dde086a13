"""A fact that an answer denies is not one that it says."""

import pytest

from synth.quality.denials import Statement
from synth.quality.facts import Fact

DENIED = [
    ("The pool was not set to 80.", "set to 80"),
    ("The pool was never set to 80.", "set to 80"),
    ("It is no longer set to 80.", "set to 80"),
    ("It isn’t set to 80.", "set to 80"),
    ("The pool was not set to 80.", "the pool was set to 80"),
    ("8, not 80", "80"),
    ("It was neither 8 nor 80.", "80"),
    ("No payment was taken twice.", "taken twice"),
    ("It is not true that the seal was worn.", "the seal was worn"),
    ("That the seal was worn is not true.", "the seal was worn"),
    ("The context does not say that it was 80.", "80"),
    ("连接池没有设为80。", "设为80"),
    ("连接池没有设为80。", "连接池设为80"),
    ("从未设为80", "设为80"),
    ("不再设为80", "设为80"),
    ("并非80", "80"),
    ("未再次启动", "再次启动"),
    ("设为80的说法不属实", "设为80"),
]
SAID = [
    ("8, not 80", "8, not 80"),
    ("No payment was taken twice.", "no payment was taken twice"),
    ("It was set to 80, not to 8.", "set to 80"),
    ("It was not only set to 80, but also closed.", "set to 80"),
    ("It did not end until 10:31.", "10:31"),
    ("No fewer than 80 orders failed.", "80 orders"),
    ("There is no doubt the seal was worn.", "the seal was worn"),
    ("Nobody saw that the seal was worn.", "the seal was worn"),
    ("Customers could not pay for 73 minutes.", "73 minutes"),
    ("The alarm did not ring because the seal was worn.", "the seal was worn"),
    ("The pump did not stop, and the seal was worn.", "the seal was worn"),
    ("It was not set to 80 at first. Then it was set to 80.", "set to 80"),
    ("不仅设为80", "设为80"),
    ("服务不可用73分钟", "73分钟"),
    ("未再次启动", "未再次启动"),
    (f"{'a ' * 30}knot {'q' * 75} set to 80", "set to 80"),
]
MISTAKEN = [
    ("The team did not know the seal was worn.", "the seal was worn"),
    ("Not all orders failed.", "orders failed"),
    ("It did not exceed 73 minutes.", "73 minutes"),
]
"""What denies something else, and counts as denying the fact: a few words are all that is read."""


@pytest.mark.parametrize(("text", "fact"), DENIED)
def test_a_denied_fact_is_not_said(text, fact):
    telling = Statement(text).telling(Fact(fact))
    assert telling.denied
    assert not telling.said


@pytest.mark.parametrize(("text", "fact"), SAID)
def test_a_negation_elsewhere_denies_nothing(text, fact):
    assert Statement(text).telling(Fact(fact)).said


@pytest.mark.parametrize(("text", "fact"), MISTAKEN)
def test_a_documented_mistake(text, fact):
    assert Statement(text).telling(Fact(fact)).denied


@pytest.mark.parametrize("words", ["not set to 80", "wasn’t set to 80", "set to 80 is not true"])
def test_the_place_of_a_denial_has_its_negation(words):
    text = f"It says {words}."
    [[place]] = Statement(text).telling(Fact("set to 80")).denied
    assert text[place.start : place.end] == words
