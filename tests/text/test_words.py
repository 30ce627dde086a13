"""Which words of a text tell it from others, and how an index ranks texts by them."""

from hypothesis import given
from hypothesis import strategies as st

from synth import BM25Index, Node
from synth.text.words import name_words, telling_words

ODD = st.text(st.characters(), max_size=60)  # surrogates, NUL and unassigned points included


def test_words_lose_case_endings_and_what_all_texts_say():
    assert telling_words("The Retries RETRIED, and a retry!") == ["retr", "retr", "retr"]
    assert telling_words("causes caused cause causing") == ["caus"] * 4
    assert telling_words("What is it for?") == []
    assert telling_words("gas class dns 2019 max_pool_size") == [
        "gas",
        "class",
        "dns",
        "2019",
        "max",
        "pool",
        "siz",
    ]


def test_chinese_japanese_and_korean_give_pairs():
    assert telling_words("连接池太小") == ["连接", "接池", "池太", "太小"]
    assert telling_words("水。カタカナ 한국어") == ["水", "カタ", "タカ", "カナ", "한국", "국어"]
    assert telling_words("pool连接") == ["pool", "连接"]


def test_what_is_counted_in_an_answer_has_the_name_of_it():
    assert name_words("12 pods were restarted, and DNS was not: 故障") == "word"
    assert name_words("连接池太小, DNS 无关") == "character"


def scores(texts, query):
    """How well each text matches the query."""
    index = BM25Index(Node(text=text, id_=str(at)) for at, text in enumerate(texts))
    ranked = index.search(query, len(texts))
    return [one.score for one in sorted(ranked, key=lambda one: int(one.node.node_id))]


def test_the_text_with_the_rarer_word_wins():
    texts = ["the pool was small", "the pool was small again", "the jitter in a pool"]
    small, again, jitter = scores(texts, "Which jitter has the pool?")
    assert jitter > small > again > 0


def test_a_word_asked_twice_counts_once():
    texts = ["the pool was small", "the jitter in a pool"]
    assert scores(texts, "pool, pools, jitter") == scores(texts, "pool jitter")


@given(st.lists(ODD, min_size=1, max_size=5), ODD)
def test_any_text_can_be_ranked(texts, query):
    for text, score in zip(texts, scores(texts, query), strict=True):
        assert (score > 0) == bool(set(telling_words(text)) & set(telling_words(query)))
