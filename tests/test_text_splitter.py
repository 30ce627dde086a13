from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from synth import TokenTextSplitter
from synth.text.spans import Text
from synth.text.splitter import ExactTextSplitter
from tests import plain
from tests.examples import examples
from tests.test_tokens import joined


def words(size, overlap=0, **options):
    """A splitter for which every word, and every blank, is a token of its own."""
    return TokenTextSplitter(size, overlap, tokenizer=str.split, **options)


@given(st.text(st.sampled_from("ab \n字🚀."), max_size=200), st.integers(1, 20), st.floats(0, 1))
def test_nothing_but_white_space_is_lost_and_order_is_kept(text, size, share):
    parts = TokenTextSplitter(size, int(share * size)).split(Text.of(text, "chunk", 1))
    reached = 0
    for part in parts:
        for _, _, start, end in part.origins:
            assert not text[reached:start].strip()
            assert end >= reached
            reached = end
    assert not text[reached:].strip()


UNITS = [
    *("a", "ab", "0f", "the", " word", "Word", "'s", "12", ".", "--", "{x}", "def f(x):\n    "),
    *(" ", "  ", "   ", "\n", "\n\n", "\t", "\u3000", "\r\n", "\x1c"),
    *("中", "文字", "的。", "，", "あ", "한", "🚀", "👩‍👧", "é", "e\u0301", "ﬁ", "<|endoftext|>"),
]
FEW_UNITS = st.lists(st.sampled_from(UNITS), min_size=1, max_size=5)
ODD = joined(FEW_UNITS, 1, 400)
LONG_ODD = joined(FEW_UNITS, 1_500, 3_000)


def pieces_of(text, size, count):
    """The offsets at which a text may be cut, by the rules of the splitter's docstring."""

    def cut(start, end, separators):
        for separator in separators:
            found = [at for at in range(start + 1, end) if text.startswith(separator, at, end)]
            if found:
                break
        else:
            return list(range(start, end + 1))
        bounds = [start, *found, end]
        cuts = [start]
        for one, other in pairwise(bounds):
            large = count(text[one:other]) > size
            cuts += cut(one, other, (" ", "\n"))[1:] if large else [other]
        return cuts

    return cut(0, len(text), (" ", "\n"))


@given(ODD | LONG_ODD, st.integers(1, 60) | st.integers(60, 600), st.floats(0, 0.9))
@examples(40)
def test_an_exact_chunk_is_filled_and_so_is_its_overlap(text, size, share):
    overlap = int(share * size)
    splitter = ExactTextSplitter(size, overlap, keep_whitespaces=True)
    chunks = [(part.start, part.end) for part in splitter.split(Text.of(text))]
    if plain.count(text) <= size:
        assert chunks == [(0, len(text))]
        return
    bounds = pieces_of(text, size, plain.count)
    at = {offset: index for index, offset in enumerate(bounds)}
    assert chunks[0][0] == 0
    assert chunks[-1][1] == len(text)
    for number, (start, end) in enumerate(chunks):
        single = at[end] == at[start] + 1
        assert single or plain.count(text[start:end]) <= size
        if end == len(text):
            continue
        following = bounds[at[end] + 1]
        assert plain.count(text[start:following]) > size
        then, then_end = chunks[number + 1]
        assert start <= then <= end < then_end
        if then < end:
            assert plain.count(text[then:end]) <= overlap
            assert plain.count(text[then:following]) <= size
        if then > start:
            before = bounds[at[then] - 1]
            more = plain.count(text[before:end])
            assert more > overlap or plain.count(text[before:following]) > size


@given((ODD | LONG_ODD).filter(str.strip), st.integers(1, 60), st.floats(0, 0.9))
@examples(20)
def test_the_first_chunk_is_that_of_all(text, size, share):
    splitter = ExactTextSplitter(size, int(share * size))
    assert splitter.first(Text.of(text)) == splitter.split(Text.of(text))[0]


@given(st.lists(st.sampled_from(["one", "two,", "Three.", "four\n\nfive", "(6)"]), max_size=300))
def test_prose_is_cut_alike_by_added_up_and_by_exact_counts(words):
    text = " ".join(words)
    for size, overlap in ((10, 0), (37, 5), (100, 50)):
        added, exact = (
            kind(size, overlap).split_text(text) for kind in (TokenTextSplitter, ExactTextSplitter)
        )
        assert added == exact


@given(ODD, st.integers(1, 30))
def test_an_exact_chunk_of_any_tokenizer_is_filled(text, size):
    splitter = ExactTextSplitter(
        size, 0, tokenizer=lambda part: part.encode()[::3], keep_whitespaces=True
    )
    count = splitter.tokenizer.count
    bounds = pieces_of(text, size, count)
    for part in splitter.split(Text.of(text))[:-1]:
        following = bounds[bounds.index(part.end) + 1]
        assert count(text[part.start : following]) > size
