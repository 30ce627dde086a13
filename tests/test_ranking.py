from hypothesis import given
from hypothesis import strategies as st

from synth.text.ranking import Ranking, words

ODD = st.text(st.characters(), max_size=60)  # surrogates, NUL and unassigned points included


def test_words_lose_case_endings_and_what_all_texts_say():
    assert words("The Retries RETRIED, and a retry!") == ["retr", "retr", "retr"]
    assert words("causes caused cause causing") == ["caus"] * 4
    assert words("What is it for?") == []
    assert words("gas class dns 2019 max_pool_size") == [
        "gas",
        "class",
        "dns",
        "2019",
        "max",
        "pool",
        "siz",
    ]


def test_chinese_japanese_and_korean_give_pairs():
    assert words("连接池太小") == ["连接", "接池", "池太", "太小"]
    assert words("水。カタカナ 한국어") == ["水", "カタ", "タカ", "カナ", "한국", "국어"]
    assert words("pool连接") == ["pool", "连接"]


def test_the_text_with_the_rarer_word_wins():
    ranking = Ranking(["the pool was small", "the pool was small again", "the jitter in a pool"])
    small, again, jitter = ranking.scores("Which jitter has the pool?")
    assert jitter > small > again > 0


def test_a_word_asked_twice_counts_once():
    ranking = Ranking(["the pool was small", "the jitter in a pool"])
    assert ranking.scores("pool, pools, jitter") == ranking.scores("pool jitter")


@given(st.lists(ODD, max_size=5), ODD)
def test_any_text_can_be_ranked(texts, query):
    scores = Ranking(texts).scores(query)
    assert len(scores) == len(texts)
    for text, score in zip(texts, scores, strict=True):
        assert (score > 0) == bool(set(words(text)) & set(words(query)))
