"""Answers beside each other and beside the chunks: exact places, and nothing made up."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.html.provenance import count_quoted, diff_html, match_words, provenance_html
from synth.text.diff import MOST, TOO_DIFFERENT, word_diff
from synth.text.words_and_sentences import split_words

ANY = st.text(st.characters(), max_size=60)
PROSE = st.lists(
    st.sampled_from(["the", "pool", "was", "too", "small", ",", ".", "连", "接", "\n", "don't"]),
    max_size=60,
).map(" ".join)

IN_NEW, IN_OLD = ("kept", "added"), ("kept", "dropped")


def words(text):
    return [word.text for word in split_words(text)]


def text_of(diff, *kinds):
    return "".join(piece.text for piece in diff.pieces if piece.kind in kinds)


def words_of(diff, *kinds):
    return [word for piece in diff.pieces if piece.kind in kinds for word in words(piece.text)]


@given(ANY)
def test_words_are_all_that_is_no_white_space(text):
    assert "".join(words(text)) == "".join(text.split())
    assert all(text[word.start : word.end] == word.text for word in split_words(text))


@given(PROSE | ANY, PROSE | ANY)
def test_the_pieces_rebuild_both_answers(old, new):
    diff = word_diff(old, new)
    assert words_of(diff, *IN_NEW) == words(new)
    assert words_of(diff, *IN_OLD) == words(old)
    if words(new):
        assert text_of(diff, *IN_NEW) == new
    assert diff.same_words + diff.added == sum(word.weight > 0 for word in split_words(new))
    assert diff.same_words + diff.dropped == sum(word.weight > 0 for word in split_words(old))
    assert 0 <= diff.share <= 1


@given(PROSE, PROSE)
def test_neighbours_differ_and_islands_are_two_words_or_more(old, new):
    pieces = word_diff(old, new).pieces
    kinds = [piece.kind for piece in pieces]
    assert "kept kept" not in " ".join(kinds)
    for piece in pieces[1:-1]:
        assert piece.kind != "kept" or sum(word.weight for word in split_words(piece.text)) >= 4


@pytest.mark.slow
def test_of_endless_answers_the_common_ends_are_kept():
    middle = " ".join(f"a{at}" for at in range(MOST + 1))
    diff = word_diff(f"one two {middle} end", f"one two {middle} b {middle} end")
    assert diff.same_words >= MOST
    swapped = word_diff(f"one a {middle} b end", f"one b {middle} a end")
    assert (swapped.same_words, swapped.added) == (2, MOST + 3)
    assert word_diff("one two three", "one two").in_words == "2 words kept, 0 added, 1 dropped"


def read(source):
    return html.unescape(re.sub(r"<[^>]*>", "", source))


@pytest.mark.parametrize(
    ("old", "new", "source"),
    [
        (
            "It was a big red pool.",
            "It was a tiny red pool, and cold.",
            "It was a <del>big</del> <ins>tiny</ins> red pool<ins>, and cold</ins>.",
        ),
        (
            "we met in the old town hall",
            "we met in the old town",
            "we met in the old town <del>hall</del>",
        ),
        (  # a lone kept word joins the changes around it
            "we saw red cars of old",
            "we saw blue cars in old",
            "we saw <del>red cars of</del> <ins>blue cars in</ins> old",
        ),
        ("One, two, and three.", "One, and three.", "One, <del>two,</del> and three."),
        ("连接池太小引起", "连接池太大引起", "连接池太<del>小</del><ins>大</ins>引起"),
        ("因连接池太小。", "因连接池配置太小。", "因连接池<ins>配置</ins>太小。"),
        (
            "It rained all day long. Then it stopped.",
            "It rained all day long.",
            "It rained all day long. <del>Then it stopped.</del>",
        ),
    ],
)
def test_changes_are_marked_and_words_stay_apart(old, new, source):
    assert diff_html(word_diff(old, new)) == f'<div class="answer" dir="auto">{source}</div>'


def test_a_new_answer_altogether_is_shown_as_it_is():
    source = diff_html(word_diff("one two three four", "five <b>six</b>\n seven"))
    assert TOO_DIFFERENT in source
    assert "<del>" not in source
    assert read(source).endswith("five <b>six</b>\n seven")


CHUNKS = [
    "It lasted 73 minutes, from 09:42 to 10:55 UTC.",
    "The configuration change of 09:31 renamed several keys and set max_pool_size to 8.",
    "Nobody was hurt. The configuration change of 09:31 was small.",
]
LONGEST = "the configuration change of 09:31 was small"
ANY_TEXT = st.text(st.characters(), max_size=80)
SENTENCES = st.lists(
    st.sampled_from(["The", "the", "pool", "was", "small,", "连", "接", "池"])
).map(" ".join)


def marked(answer, chunks):
    """The words found in a chunk, and its number."""
    found = match_words(answer, chunks)
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


@given(SENTENCES | ANY_TEXT, st.lists(SENTENCES | ANY_TEXT, max_size=4))
def test_the_stretches_are_the_whole_answer_and_their_words_stand_in_their_chunks(answer, chunks):
    found = match_words(answer, chunks)
    assert "".join(answer[start:end] for start, end, _ in found) == answer
    for start, end, chunk in found:
        if chunk is not None:
            words = re.findall(r"\w+", answer[start:end].lower())
            assert set(words) <= set(re.findall(r"\w+", chunks[chunk - 1].lower()))


def test_what_is_marked_ends_with_the_number_of_its_chunk():
    answer = "<b>73 minutes, from 09:42</b>"
    source = provenance_html(answer, match_words(answer, CHUNKS))
    assert source == (
        '<div class="prompt tagged" dir="auto">&lt;b&gt;<span class="q-1"><span class="s-context">'
        '73 minutes, from 09:42</span><bdi class="source"><span class="unseen"> chunk </span>1'
        "</bdi></span>&lt;/b&gt;</div>"
    )


def test_neighbours_in_one_chunk_are_joined_unless_a_word_stands_between_them():
    chunks = ["Pumps fail often. Nobody knows why that is. Valves were shut by hand."]
    apart = "Pumps fail often. Valves were shut by hand."
    assert match_words(apart, chunks)[0] == (0, len(apart) - 1, 1)
    between = "Pumps fail often; but valves were shut by hand."
    assert len(marked(between, chunks)) == 2


def test_the_words_of_each_chunk_are_counted():
    answer = "It took 73 minutes, from 09:42 on, since the configuration change of 09:31."
    assert count_quoted(answer, match_words(answer, CHUNKS)) == {1: 4, 2: 5}
