from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from synth import TokenTextSplitter
from synth.text.model_tokenizers import get_tokenizer
from synth.text.spans import Text
from synth.text.splitter import TextFiller
from tests import plain
from tests.examples import examples
from tests.text.hard import FEW_PARTS, HARD, joined

ODD = joined(FEW_PARTS, 1, 400)
LONG_ODD = joined(FEW_PARTS, 1_500, 3_000)


def filled(text, size, overlap, count=plain.count, **options):
    """The parts of a text, and how often it was asked whether one fits."""
    asked = []

    def excess(part):
        asked.append(part)
        return count(str(part).strip()) - size

    filler = TextFiller(excess, size, overlap, get_tokenizer("cl100k_base"), **options)
    return list(filler.split(Text.of(text))), len(asked)


def pieces_of(text, size, count):
    """The offsets at which a text may be cut, by the rules of the module's docstring."""

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
            large = count(text[one:other].strip()) > size
            cuts += cut(one, other, (" ", "\n"))[1:] if large else [other]
        return cuts

    return cut(0, len(text), (" ", "\n"))


@given(ODD | LONG_ODD | HARD, st.integers(1, 60) | st.integers(60, 600), st.floats(0, 0.9))
@examples(60)
@example("one " + "a" * 3_000 + " two three", 20, 0.0)
@example("中" * 2_000, 50, 0.1)
@example(" " * 3_000 + "b", 5, 0.5)
def test_a_part_fits_and_nothing_is_lost(text, size, share):
    overlap = int(share * size)
    parts, _ = filled(text, size, overlap)
    reached = 0
    for part, then in pairwise([*parts, None]):
        assert len(part) == 1 or plain.count(str(part)) <= size
        assert str(part) == str(part).strip() != ""
        assert not text[reached : part.start].strip()
        reached = part.end
        if then is not None:
            assert then.end > part.end
            assert plain.count(text[then.start : part.end]) <= overlap
    assert not text[reached:].strip()


def bytes_in_threes(text):
    """The count of another tokenizer."""
    return len(text.encode()[::3])


@given(
    ODD | LONG_ODD,
    st.integers(1, 60) | st.integers(60, 600),
    st.sampled_from([plain.count, bytes_in_threes]),
)
@examples(60)
@example("one " + "a" * 800 + " two three", 20, plain.count)
@example("中" * 600, 50, plain.count)
def test_with_the_next_piece_a_part_would_be_too_long(text, size, count):
    bounds = pieces_of(text, size, count)
    parts, _ = filled(text, size, 0, count)
    for part, then in pairwise(parts):
        following = next((bound for bound in bounds if bound > then.start), len(text))
        assert count(text[part.start : following].strip()) > size


def test_a_part_takes_a_few_counts():
    english = "The pool was set to 8 instead of 80, so requests waited. " * 3_000
    chinese = "连接池被设置为八，而不是八十，其他请求都在等待。" * 3_000
    for text in (english, chinese, english.replace(" ", ""), "ab\n" * 20_000):
        for size in (200, 2_000):
            parts, asked = filled(text, size, size // 10)
            assert asked <= 7 * len(parts)


@given(st.lists(st.sampled_from(["one", "two,", "Three.", "four\n\nfive", "(6)"]), max_size=300))
def test_prose_is_cut_alike_by_added_up_counts_and_by_those_of_the_whole(words):
    text = " ".join(words)
    for size in (10, 37, 100):
        added = TokenTextSplitter(size, 0).split_text(text)
        assert [part for part in added if part] == list(map(str, filled(text, size, 0)[0]))
