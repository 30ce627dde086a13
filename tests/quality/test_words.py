"""Texts that say the same have the same words, and texts that don't have others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.quality.facts import Fact, Words, read_facts

SAME = [
    ("1,081", "1081"),
    ("1’081", "1,081"),
    ("０７", "07"),
    ("−5", "-5"),
    ("09:42", "9:42"),
    ("38 %", "38%"),
    ("$5", "$ 5"),
    ("“eight” it’s", '"EIGHT" it\'s'),
    ("max_pool_size", "Max pool  size"),
    ("cafe\u0301", "café"),
    ("ｐｏｏｌ", "pool"),
    ("re\u00adtry", "retry"),
    ("连接 池，", "连接池"),
    ("Straße", "STRASSE"),
    ("CO₂", "CO2"),
]
OTHERS = [
    ("8", "80"),
    ("8", "1,808"),
    ("1.5", "15"),
    ("5", "-5"),
    ("38", "3.8"),
    ("0.14.25", "0.14.2"),
    ("10:38", "10:39"),
    ("DNS", "DNSSEC"),
    ("30 %", "30"),
    ("0012345", "12345"),
    ("£12", "$12"),
    ("noon", "afternoon"),
    ("twenty", "20"),
    ("73 minutes", "73 min"),
    ("May 3rd", "3 May"),
    ("四十八", "48"),
    ("failed", "failing"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_reads_alike_is_found_in_the_other_form(one, other):
    assert Words(f"It was {one} then.").ranges(other)
    assert Words(f"It was {other} then.").ranges(one)


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_what_reads_otherwise_is_not_found(one, other):
    assert not Words(f"It was {other} then.").ranges(one)


def test_a_range_has_no_minus():
    assert Words("from 3-5 boats").ranges("5 boats")


def test_a_place_is_told_in_characters_of_the_text_as_it_is():
    text = "Ｐools: “８ instead of ８０”."
    words = Words(text)
    [(first, end)] = words.ranges("8 instead of 80")
    assert text[words.words[first].start : words.words[end - 1].end] == "８ instead of ８０"


@given(st.text(max_size=60))
def test_every_text_with_a_word_is_found_in_itself(text):
    words = Words(text).words
    assert bool(Words(text).ranges(text)) == bool(words)
    assert all(0 <= word.start < word.end <= len(text) for word in words)


def test_facts_are_read_one_a_line():
    assert read_facts("* 8 instead of 80 | 8, not 80\n\n ◆ rolled back\nDNS") == (
        Fact("8 instead of 80", ("8, not 80",), must=True),
        Fact("rolled back", must=True),
        Fact("DNS"),
    )


@pytest.mark.parametrize("line", ["*", "a |", "| b", "!?"])
def test_a_wording_without_a_word_is_refused(line):
    with pytest.raises(ValueError, match="without a letter or digit"):
        read_facts(line)


FACTS = st.builds(
    Fact,
    st.from_regex(r"[a-z0-9]{1,9}( [a-z0-9]{1,9}){0,2}", fullmatch=True),
    st.tuples(st.from_regex(r"[a-z0-9]{1,9}", fullmatch=True)),
    st.booleans(),
)


@given(FACTS)
def test_a_fact_comes_back_from_its_line(fact):
    assert read_facts(fact.line) == (fact,)
