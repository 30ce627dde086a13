"""Tokenizers of model families count as their makers' do; make reliability compares more texts."""

import json
import pickle
import random

import numpy as np
import pytest
import tokenizers
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers.pre_tokenizers import ByteLevel, Sequence, Split

from synth import ChatPromptTemplate
from synth.errors import SynthError
from synth.text import byte_level, chat_templates, huggingface
from synth.text.huggingface import huggingface_tokenizer
from synth.text.slices import token_ends
from synth.text.tokens import tokenizer_of_file
from tests.examples import examples, share
from tests.test_tokens import LONG, LOOSE, STRETCHES, UNBROKEN
from tests.text.families import FAMILIES, MAKERS, differences, library, packed, texts
from tests.text.test_names import CHATS

pytestmark = pytest.mark.slow

families = pytest.mark.parametrize(
    "family",
    [
        pytest.param(
            family,
            id=family.name,
            marks=pytest.mark.skipif(not family.file.exists(), reason="scripts/tokenizers.sh"),
        )
        for family in FAMILIES
    ],
)
COMPARED = 48
SPECIAL = st.sampled_from(["<think>", "</think>", "<|im_end|>", "<h1>", "<end_of_turn>", "nk>"])


@families
def test_texts_and_prompts_have_their_makers_tokens(family):
    ours, theirs, dice = family.ours(), family.theirs(), random.Random(0)
    chosen = dice.sample(texts(), share(COMPARED))
    for text in chosen:
        assert differences(ours, theirs, text, dice) == [], text
    assert packed(ours, chosen[:3]) == packed(theirs, chosen[:3])


@families
@given(st.lists(LOOSE | SPECIAL | st.sampled_from(["> <", "a\u0301", "  ", "。"]), max_size=8))
@example(["of x▁ 1"])
@example(["<td>> </▁▁ ", " YYYY \n\n\t𠀀 ", " " * 32, "a ▁<unused7", "><unused77>"])
@examples(60)
def test_parts_count_as_their_joined_text(family, parts):
    ours, theirs = family.ours(), family.theirs()
    joined = "".join(parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert ours.count_joined(parts) == len(theirs(joined))


@families
@given(UNBROKEN | STRETCHES | LONG, st.sampled_from([200, 500]))
@examples(10)
def test_slices_have_the_tokens_of_one_pass(family, text, size):
    read = family.ours()._read
    found = np.concatenate([*token_ends(text, read, size)])
    assert found.tolist() == read(text).ends.tolist()
    assert len(found) == len(family.theirs()(text))


@pytest.mark.parametrize("name", ["llama3", "gemma3", "qwen3", "deepseek_v3"])
def test_a_prompt_weighs_what_its_makers_template_and_tokenizer_give(name):
    path = MAKERS / name / "tokenizer.json"
    if not path.exists():
        pytest.skip("scripts/tokenizers.sh")
    ours = tokenizer_of_file(path)
    template = chat_templates.beside(path)
    for roles in CHATS:
        contents = [
            f"\n {role} {number}: <think> It’s 3 o'clock. \n" for number, role in enumerate(roles)
        ]
        if ours.frame(roles).strips is False and name == "gemma3":
            contents = [content.strip() for content in contents]  # it strips all but the first
        messages = [*zip(roles, contents, strict=True)]
        prompt = ChatPromptTemplate(messages).fill()
        whole = chat_templates._filled(template, roles, contents)
        assert prompt.tokens(ours) == len(library(path)(whole))
        assert "".join(str(span.text) for span in prompt.read_by(ours)) == whole


def made(path, model, **parts):
    """A small tokenizer.json."""
    tokenizer = tokenizers.Tokenizer(model)
    for name, part in parts.items():
        setattr(tokenizer, name, part)
    tokenizer.save(str(path))
    return path


def pairs(**options):
    letters = {letter: number for number, letter in enumerate("abcdefgh <>▁?")}
    return tokenizers.models.BPE(
        letters | {"ab": 20, "▁a": 21}, [("a", "b"), ("▁", "a")], **options
    )


def test_a_file_whose_texts_each_begin_with_a_mark_is_counted_whole(tmp_path):
    path = made(
        tmp_path / "tokenizer.json",
        pairs(),
        normalizer=tokenizers.normalizers.Sequence(
            [tokenizers.normalizers.Prepend("▁"), tokenizers.normalizers.Replace(" ", "▁")]
        ),
    )
    tokenizer = huggingface_tokenizer(path)
    assert tokenizer.seams is None
    assert tokenizer.token_ends("ab ab") is None
    assert tokenizer.count_joined(["ab", " ab"]) == tokenizer.count("ab ab") == 4


def test_pairs_that_a_file_does_not_list_are_not_joined(tmp_path):
    letters = {letter: number for number, letter in enumerate(sorted(ByteLevel.alphabet()))}
    tokens = letters | {"ab": 300, "bc": 301, "abc": 302}
    model = tokenizers.models.BPE(tokens, [("a", "b"), ("b", "c"), ("a", "bc")])
    [pattern] = next(iter(byte_level._PATTERNS))
    cut = Split(tokenizers.Regex(pattern), "isolated")
    reads = Sequence([cut, ByteLevel(add_prefix_space=False, use_regex=False)])
    path = made(tmp_path / "tokenizer.json", model, pre_tokenizer=reads)
    assert huggingface_tokenizer(path).count("abc") == len(library(path)("abc")) == 2
    data = json.loads(path.read_text())
    (tmp_path / "short").mkdir()
    short = tmp_path / "short" / path.name  # what says nothing may be left out of such a file
    short.write_text(json.dumps({part: data[part] for part in ("pre_tokenizer", "model")}))
    assert huggingface_tokenizer(short).count("abc") == len(library(short)("abc")) == 2


WORDS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=20)
PARTS = st.sampled_from([*"abéとち𠀀 ▁\n\t<>", "ab", " a", "> </", "  ", "▁▁", "<b>"])


@given(WORDS, st.lists(st.lists(PARTS, max_size=20).map("".join), max_size=8))
@example([(4, 0), (0, 0), (6, 6), (4, 7)], [" aaaa", "ち ▁▁▁a"])  # a word that never arises
@examples(30)
def test_words_of_characters_have_the_tokens_of_the_library(tmp_path_factory, places, texts):
    runs = [run * length for run in "\n\t▁" for length in range(1, 32)]
    names = [*(f"<0x{byte:02X}>" for byte in range(256)), *"abéと<>/", *runs]
    made_of = [*"abéと▁"]  # of which words are made
    merges = [("▁" * one, "▁" * two) for one in range(30, 0, -1) for two in range(31 - one, 0, -1)]
    for first, second in places:
        pair = made_of[first % len(made_of)], made_of[second % len(made_of)]
        word = "".join(pair)
        if "▁" not in pair[1] and word not in made_of[:-1]:
            merges.append(pair)
            made_of += [word] * (word != made_of[-1])
    names += made_of[5:]
    model = tokenizers.models.BPE(
        {name: number for number, name in enumerate(names)}, merges, byte_fallback=True
    )
    added = [run for run in runs if run != "▁"] + ["<b>", "<unused7>"]
    path = tmp_path_factory.mktemp("file") / "tokenizer.json"
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = tokenizers.normalizers.Replace(" ", "▁")
    tokenizer.add_tokens([tokenizers.AddedToken(token, normalized=False) for token in added])
    tokenizer.save(str(path))
    ours = huggingface_tokenizer(path)
    assert isinstance(ours, huggingface._SentencePieceFile)
    for text in texts:
        assert ours.count(text) == len(library(path)(text)), text


def test_limits_for_training_are_not_those_of_counting(tmp_path):
    path = made(tmp_path / "tokenizer.json", pairs())
    data = json.loads(path.read_text())
    data["truncation"] = {
        "direction": "Right",
        "max_length": 2,
        "strategy": "LongestFirst",
        "stride": 0,
    }
    path.write_text(json.dumps(data))
    assert huggingface_tokenizer(path).count("abababab") == 4


def test_a_file_that_is_no_tokenizer_is_refused_in_words(tmp_path, monkeypatch):
    path = tmp_path / "tokenizer.json"
    with pytest.raises(SynthError, match=r"can't be read as a tokenizer\.json"):
        huggingface_tokenizer(path)
    path.write_text('{"model": 1}')
    with pytest.raises(SynthError, match=r"can't be read as a tokenizer\.json"):
        huggingface_tokenizer(path)
    with pytest.raises(SynthError, match="no two counts are alike"):
        huggingface_tokenizer(made(path, pairs(dropout=0.5)))
    monkeypatch.setattr(huggingface, "MOST_BYTES", 10)
    with pytest.raises(SynthError, match="at most 10"):
        huggingface_tokenizer(path)


def test_a_tokenizer_of_a_file_goes_to_another_process_as_its_path(tmp_path):
    tokenizer = huggingface_tokenizer(made(tmp_path / "tokenizer.json", pairs()))
    assert pickle.loads(pickle.dumps(tokenizer)) is tokenizer
