"""Words of an answer found again in the chunks: exact places, and nothing made up."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.html.provenance import provenance_html
from synth.words.provenance import count_quoted, join_matches, matches

CHUNKS = [
    "It lasted 73 minutes, from 09:42 to 10:55 UTC.",
    "The configuration change of 09:31 renamed several keys and set max_pool_size to 8.",
    "Nobody was hurt. The configuration change of 09:31 was small.",
]
LONGEST = "the configuration change of 09:31 was small"
ANY = st.text(st.characters(), max_size=80)
PROSE = st.lists(st.sampled_from(["The", "the", "pool", "was", "small,", "连", "接", "池"])).map(
    " ".join
)


def marked(answer, chunks):
    """The words found in a chunk, and its number."""
    found = matches(answer, chunks)
    return [(answer[start:end], chunk) for start, end, chunk in found if chunk is not None]


BEST = ["It was cold, and it was the best"]
POOL = ["因为连接池的大小被改成了八，所以故障发生。"]


@pytest.mark.parametrize(
    ("answer", "chunks", "found"),
    [
        (
            "The outage took 73 minutes from 09:42 on; the Configuration change of 09:31 did it.",
            CHUNKS,
            [("73 minutes from 09:42", 1), ("the Configuration change of 09:31", 2)],
        ),
        (LONGEST, CHUNKS, [(LONGEST, 3)]),
        ("It lasted long, and several keys were lost.", CHUNKS, []),  # two words are too few
        ("And it was the rest.", BEST, []),  # stop words alone
        ("it was the best", BEST, [("it was the best", 1)]),
        ("原因是连接池的大小被改成八。", POOL, [("连接池的大小被改成", 1)]),
        ("故障的连接池的大小", POOL, [("连接池的大小", 1)]),
        ("连接池的大", POOL, []),  # five characters
        (
            "由max_pool_size=8引起",
            ["配置max_pool_size = 8引起故障"],
            [("max_pool_size=8引起", 1)],
        ),
        *((answer, chunks, []) for answer in ("", "...", "one") for chunks in (CHUNKS, [])),
    ],
)
def test_the_longest_runs_of_words_are_found_in_their_chunks(answer, chunks, found):
    assert marked(answer, chunks) == found


@given(PROSE | ANY, st.lists(PROSE | ANY, max_size=4))
def test_the_stretches_are_the_whole_answer_and_joined_ones_lose_no_word(answer, chunks):
    found = matches(answer, chunks)
    assert "".join(answer[start:end] for start, end, _ in found) == answer
    for start, end, chunk in found:
        words = re.findall(r"\w+", answer[start:end].lower())
        if chunk is not None:
            assert " ".join(words) in " ".join(re.findall(r"\w+", chunks[chunk - 1].lower()))
    together = join_matches(answer, found)
    assert "".join(answer[start:end] for start, end, _ in together) == answer
    assert count_quoted(answer, together) == count_quoted(answer, found)


def test_what_is_marked_ends_with_the_number_of_its_chunk():
    answer = "<b>73 minutes, from 09:42</b>"
    source = provenance_html(answer, matches(answer, CHUNKS))
    assert source == (
        '<div class="prompt tagged" dir="auto">&lt;b&gt;<span class="q-1"><span class="s-context">'
        '73 minutes, from 09:42</span><bdi class="source"><span class="unseen"> chunk </span>1'
        "</bdi></span>&lt;/b&gt;</div>"
    )


def test_neighbours_in_one_chunk_are_joined_unless_a_word_stands_between_them():
    chunks = ["Pumps fail often. Nobody knows why that is. Valves were shut by hand."]
    apart = "Pumps fail often. Valves were shut by hand."
    assert len(marked(apart, chunks)) == 2
    assert join_matches(apart, matches(apart, chunks))[0] == (0, len(apart) - 1, 1)
    between = "Pumps fail often; but valves were shut by hand."
    assert join_matches(between, matches(between, chunks)) == matches(between, chunks)


def test_the_words_of_each_chunk_are_counted():
    answer = "It took 73 minutes, from 09:42 on, since the configuration change of 09:31."
    assert count_quoted(answer, matches(answer, CHUNKS)) == {1: 4, 2: 5}
