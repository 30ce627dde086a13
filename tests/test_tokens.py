from bisect import bisect_left
from itertools import accumulate
from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from synth import PromptHelper, get_response_synthesizer
from synth.text import encodings
from synth.text.slices import SLICE, by_sizes, token_ends
from synth.text.spans import Text
from synth.text.tokens import get_tokenizer
from tests import plain
from tests.examples import examples

NAMES = ["cl100k_base", "o200k_base"]
PARTS = [
    *("0", "F", "x9", "7\n", "a", "the", " word", "'s", "12", "A", "ﬁ", "é", "e\u0301", "İ"),
    *(" ", "  ", "\n", "\n\n", "\r", "\t", "\u00a0", "\u3000", "\u200b", "\x00"),
    *("，", "。", "：", "、", "中", "文", "한", "🚀", "👩‍👧", "<|endoftext|>", ".", "--", "{x}"),
]
LOOSE = st.lists(st.sampled_from(PARTS), max_size=6).map("".join) | st.text(max_size=8)
DICE = st.integers(0, 2**32).map(Random)
"""Each throw of `st.randoms` would be an example by itself, which takes longer than the test."""


def joined(units, least, most):
    """Texts of so many units, thrown from a few."""
    return st.builds(
        lambda few, dice, size: "".join(dice.choices(few, k=size)),
        units,
        DICE,
        st.integers(least, most),
    )


LONG = joined(st.lists(st.sampled_from(PARTS) | st.text(max_size=6), min_size=1), 2_000, 5_000)
named = pytest.mark.parametrize("name", NAMES)


@named
@given(LONG, st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), LOOSE), max_size=4))
@examples(15)
def test_slices_between_other_strings_count_as_their_joined_text(name, document, cuts):
    text = Text.of(document)
    parts: list[str | Text] = []
    for one, other, loose in cuts:
        start, end = sorted((int(one * len(document)), int(other * len(document))))
        parts += [loose, text.slice(start, end)]
    assert get_tokenizer(name).count_joined(parts) == joined_count(parts, name)


@named
@given(st.lists(st.lists(st.sampled_from(PARTS), max_size=30).map("".join), max_size=5))
@example(["x", " y  z", " a"])
@example(["x  y z", "。中，"])
@example(["中 。 中，b", "c"])
def test_short_strings_count_as_their_joined_text(name, parts):
    assert get_tokenizer(name).count_joined(parts) == joined_count(parts, name)


def joined_count(parts, name):
    return plain.count("".join(map(str, parts)), name)


@named
@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=6).map("".join), LOOSE, LOOSE)
@example("a  x", " ", "")
@example("x a", "", "b")
@example("，中", ".", "")
@example("中，", "", "字")
def test_no_edge_of_a_slice_is_taken_for_a_seam(name, unit, before, after):
    """Every edge within a unit, of a text long enough to be measured as a whole."""
    document = unit * (2_200 // len(unit) + 3)
    text, length = Text.of(document), len(document)
    for cut in range(min(len(unit), 12)):
        parts = [before, text.slice(cut, length - cut), after]
        assert get_tokenizer(name).count_joined(parts) == joined_count(parts, name)


@named
@given(st.text(st.characters(exclude_categories=[])) | LOOSE)
@example("<|endoftext|> <|fim_prefix|>")
@example("\ud800 lone \udfff surrogates")
@example("nul \x00 👩‍👩‍👧‍👦 العربية 한국어")
@example("")
def test_the_vendored_encodings_are_tiktokens_own(name, text):
    ours = encodings.load(name).encoding.encode(text, disallowed_special=())
    assert ours == plain.encoding(name).encode(text, disallowed_special=())


@named
def test_patterns_and_special_tokens_are_tiktokens_own(name):
    ours, theirs = encodings.load(name).encoding, plain.encoding(name)
    assert ours._pat_str == theirs._pat_str
    assert ours._special_tokens == theirs._special_tokens
    assert ours.n_vocab == theirs.n_vocab


@named
def test_a_special_token_is_plain_text_unless_asked_for(name):
    tokenizer = get_tokenizer(name)
    assert tokenizer.count("<|endoftext|>") == plain.count("<|endoftext|>", name) > 1
    assert tokenizer.with_special_tokens().count("<|endoftext|>") == 1


@given(st.lists(LOOSE, max_size=5), st.integers(0, 40))
@example([" " * 128], 1)
@example([" " * 129], 1)
def test_fits_is_the_count_compared(parts, room):
    tokenizer = get_tokenizer("cl100k_base")
    assert tokenizer.fits(parts, room) == (plain.count("".join(parts)) <= room)


@given(LONG)
@examples(25)
def test_token_ends_are_where_plain_tokens_end(text):
    ends = get_tokenizer("cl100k_base").token_ends(text)
    assert ends.tolist() == plain_ends(text, "cl100k_base")


def plain_ends(text, name):
    """Where the characters end in which plain tokens end."""
    tokens = plain.encoding(name).encode(text, disallowed_special=())
    ends = list(accumulate(map(len, plain.encoding(name).decode_tokens_bytes(tokens))))
    characters = list(accumulate(len(character.encode()) for character in text))
    return [bisect_left(characters, end) + 1 for end in ends]


RUNS = [
    *("a", "ab", "abcdefghij", "0123456789", "0123456789abcdef", "-=", "!?'as", "ABCabc", " "),
    *(
        "ab \n",
        " \n",
        "\r\n ",
        "\t\u3000\xa0 \x1c",
        "🚀❤\ufe0f",
        "👩\u200d👧",
        "中文字的一是",
        "中文AbxYe\u0301",
    ),
    *("٣٤٥6", "½²a", "あいうです。", "한국어", "สวัสดี", "العربية", "<|endoftext|>"),
]
LETTERS = st.lists(st.sampled_from(RUNS), min_size=1, max_size=2).map("".join)
UNBROKEN = joined(LETTERS, 200, 3_000)
STRETCHES = st.builds(
    lambda letters, dice, sizes: "".join(dice.choice(letters) * size for size in sizes),
    LETTERS,
    DICE,
    st.lists(st.sampled_from([1, 2, 50, 500, 1_500]), min_size=1, max_size=6),
)


def reader(name):
    encoding, token_bytes, *_ = encodings.load(name)

    def read(part):
        ids = encoding.encode_to_numpy(part, disallowed_special=())
        return by_sizes(part, ids, token_bytes[ids])

    return read


@named
@given(UNBROKEN | STRETCHES, st.sampled_from([64, 200, 500]))
@examples(60)
@example("a\n" + " " * 900 + "\nb", 200)
@example("a\n" + " " * 900 + "b", 200)
@example("a\n" + " " * 900, 200)
@example("٣" * 500, 64)
def test_slices_have_the_tokens_of_one_pass(name, text, size):
    found = [*token_ends(text, reader(name), size)]
    assert np.concatenate(found).tolist() == plain_ends(text, name)


def test_a_slice_is_as_long_as_it_must_be_and_no_longer():
    tokens_of, read = reader("cl100k_base"), []

    def encode(part):
        read.append(len(part))
        return tokens_of(part)

    for text in ("a" * 90_000, "word and word " * 7_000, "中" * 90_000, " " * 90_000 + "a"):
        read.clear()
        assert sum(map(len, token_ends(text, encode))) == plain.count(text)
        assert max(read) <= SLICE + 2
        assert sum(read) <= 1.5 * len(text)


@pytest.mark.parametrize("text", ["a\ud83d\ude80" * 9_000, "\ud800 half " * 3_000])
def test_halves_of_characters_count_as_tiktoken_reads_them(text):
    assert get_tokenizer("cl100k_base").count(text) == plain.count(text)


def test_a_function_counts_as_it_counts():
    tokenizer = get_tokenizer(str.split)
    assert tokenizer.count("one two  three") == 3
    long = Text.of("word " * 2_000)
    assert tokenizer.count_joined(["a ", long.slice(0, 5_000)]) == 1_001
    assert tokenizer.with_special_tokens() is tokenizer


@pytest.mark.parametrize(
    ("model", "filtering", "counting"),
    [
        ("gpt-4o", False, "exact for gpt-4o"),
        ("gpt-4o", True, "exact for gpt-4o, but for the JSON schema"),
        ("Qwen/Qwen3-4B", True, "exact for Qwen/Qwen3-4B"),  # its servers put none into a prompt
    ],
)
def test_a_plan_with_a_schema_is_not_exact_where_the_schema_has_tokens(model, filtering, counting):
    helper = PromptHelper(4_000, 256, tokenizer=f"model {model}")
    plan = get_response_synthesizer(
        "refine", prompt_helper=helper, structured_answer_filtering=filtering
    ).plan("Why?", ["Because."])
    assert plan.setup.tokenizer.counting == counting
    assert plan.setup.tokenizer.sure == ("but" not in counting)


def test_a_million_spaces_are_counted_though_tiktoken_alone_fails_on_them():
    text = "a" + " " * 1_000_000 + "b"
    with pytest.raises(ValueError, match="stack size"):
        plain.count(text)
    assert get_tokenizer("cl100k_base").count(text) == 7_815
