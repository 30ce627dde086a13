"""Texts that say the same have the same words, and texts that don't have others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.quality.facts import Fact, read_facts
from synth.quality.numerals import chinese_number
from synth.quality.words import Words

SAME = [
    ("1,081", "1081"),
    ("1 081".replace(" ", "\u202f"), "1081"),
    ("1’081", "1,081"),
    ("０７", "7"),
    ("٣", "3"),
    ("−5", "-5"),
    ("38 %", "38 percent"),
    ("73 minutes", "73min"),
    ("48 hours", "48 h"),
    ("$5", "5 dollars"),
    ("€2,300", "2300 euros"),
    ("09:31", "9:31 AM"),
    ("2:15 p.m.", "14:15"),
    ("2 pm", "14:00"),
    ("10时38分", "10:38"),
    ("May 3rd, 2026", "3 May 2026"),
    ("2026-05-03", "3 May 2026"),
    ("2026年5月3日", "2026-05-03"),
    ("五月三日", "5月3日"),
    ("Sept. 9", "9 September"),
    ("四十八小时", "48小时"),
    ("百分之三十", "30%"),
    ("一百二十万", "1200000"),
    ("“eight” it’s", '"EIGHT" it\'s'),
    ("max_pool_size", "Max pool  size"),
    ("it wasn’t, can't and won't", "it was not, cannot and will not"),
    ("cafe\u0301", "café"),
    ("ｐｏｏｌ", "pool"),
    ("re\u00adtry", "retry"),
    ("连接 池，", "连接池"),
    ("Straße", "STRASSE"),
    ("二十万", "20万"),
    ("20 万", "200,000"),
    ("1.2亿", "一亿二千万"),
    ("3.5万元", "35,000元"),
    ("2.5 million", "2,500,000"),
    ("£3.5 million", "3,500,000 pounds"),
    ("3rd of May", "May 3rd"),
    ("May the 3rd", "3 May"),
    ("2024/05/03", "3 May 2024"),
    ("2024.05.03", "2024年5月3日"),
    ("£12", "12 pounds"),
    ("¥100", "100 元"),
    ("noon", "12 pm"),
    ("midnight", "00:00"),
    ("10²", "10^2"),
    ("CO₂", "CO2"),
    ("version 1.10", "Version 1.10"),
]
OTHERS = [
    ("8", "80"),
    ("8", "1,808"),
    ("1.5", "15"),
    ("5", "-5"),
    ("38", "3.8"),
    ("0.14.25", "0.14.2"),
    ("10:38", "10:39"),
    ("10:38", "22:38"),
    ("3 May", "5 March"),
    ("十一", "二十一"),
    ("DNS", "DNSSEC"),
    ("30 %", "30"),
    ("5 min", "5 h"),
    ("version 1.10", "version 1.1"),
    ("1.10", "release 1.1"),
    ("版本1.10", "版本1.1"),
    ("10²", "102"),
    ("0012345", "12345"),
    ("1" * 30 + "1", "1" * 30 + "2"),
    ("一些人", "1些人"),
    ("20", "20万"),
    ("2万", "20万"),
    ("5,000", "5千克"),
    ("2.5", "2.5 million"),
    ("£12", "$12"),
    ("noon", "afternoon"),
]
MISSED = [
    ("twenty", "20"),
    ("5 km", "5,000 m"),
    ("5千米", "5 km"),
    ("failed", "failing"),
    ("3/5/2024", "3 May 2024"),
    ("下午2点15分", "14:15"),
    ("20万5千", "205000"),
    ("0.5", "½"),
    ("10:30", "half past ten"),
]
"""What reads alike and is not found: other words, other units, dates that may be two days."""
MISTAKEN = [
    ("May", "may"),
    ("US", "us"),
    ("£12", "12 pounds of sugar"),
    ("Python 3.10", "Python 3.1"),
]
"""What reads otherwise and is found: neither case nor a context without a rule counts."""


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_reads_alike_is_found_in_the_other_form(one, other):
    assert Words(f"It was {one} then.").ranges(other)
    assert Words(f"It was {other} then.").ranges(one)


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_what_reads_otherwise_is_not_found(one, other):
    assert not Words(f"It was {other} then.").ranges(one)


@pytest.mark.parametrize(("one", "other"), MISSED)
def test_a_documented_miss(one, other):
    assert not Words(f"It was {other} then.").ranges(one)


@pytest.mark.parametrize(("one", "other"), MISTAKEN)
def test_a_documented_mistake(one, other):
    assert Words(f"It was {other} then.").ranges(one)


@pytest.mark.parametrize(
    "text", ["百分之.", "百分之..", "\u0663\u0301", "\u0663\u0301万", "-.", "5.-"]
)
def test_what_is_no_number_is_passed_over(text):
    assert isinstance(Words(f"It was {text} then.").words, tuple)


def test_a_range_has_no_minus():
    assert Words("from 3-5 boats").ranges("5 boats")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("两千", "2000"),
        ("三千零五", "3005"),
        ("一万零五百", "10500"),
        ("三亿五千万", "350000000"),
        ("一九七六", "1976"),
        ("三点一四", "3.14"),
        ("十", "10"),
        ("零", "0"),
        ("千万", None),
        ("一一", None),
        ("一百二", None),
    ],
)
def test_chinese_numerals(text, number):
    assert chinese_number(text) == number


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
