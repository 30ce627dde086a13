"""Every count is that of tiktoken or of its maker, and a model's tokenizer goes by its name."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
import tokenizers
from hypothesis import example, given
from hypothesis import strategies as st
from jinja2 import Environment

from synth import ChatPromptTemplate, PromptHelper, get_response_synthesizer
from synth.errors import SynthError
from synth.text import encodings, model_tokenizers, vocabulary
from synth.text.model_tokenizers import (
    ESTIMATE,
    FILE,
    MODEL,
    SERVER,
    get_tokenizer,
    read_name,
    tokenizer_for,
    tokenizer_of_file,
)
from synth.text.model_tokenizers import FAMILIES as FAMILIES_BY_NAME
from synth.text.tokenizer import ModelTokenizer
from synth.text.vocabulary import (
    GigatokenReader,
    VocabularyTokenizer,
    load_encoding,
    of_encoding,
    of_file,
    read_encoding,
)
from tests import plain
from tests.examples import examples, share
from tests.text.families import FAMILIES, MAKERS, library, packed, texts
from tests.text.hard import HARD

NAMES = ["cl100k_base", "o200k_base"]
named = pytest.mark.parametrize("name", NAMES)
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


@named
@given(HARD)
@example("<|endoftext|> <|fim_prefix|>")
@example("\ud800 lone \udfff surrogates a\ud83d\ude80")
@example("a" * 50_000)
@example(" " * 50_000 + "b")
@example("")
@examples(150)
def test_an_encoding_counts_as_tiktoken(name, text):
    assert get_tokenizer(name).count(text) == plain.count(text, name)


@named
@given(HARD)
@example("<|endoftext|> <|fim_prefix|><|endofprompt|>")
@examples(60)
def test_a_special_token_is_plain_text_unless_asked_for(name, text):
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    tokens = plain.encoding(name).encode(whole, allowed_special="all")
    assert get_tokenizer(name).with_special_tokens().count(text) == len(tokens)


@named
def test_patterns_and_special_tokens_are_tiktokens_own(name):
    ours, theirs = encodings.load(name), plain.encoding(name)
    assert ours._pat_str == theirs._pat_str
    assert set(encodings.KNOWN[name].special_tokens) == theirs.special_tokens_set
    assert ours._mergeable_ranks == theirs._mergeable_ranks


@pytest.mark.parametrize("name", encodings.KNOWN)
@given(HARD)
@example("<|im_end|>\n<think> <|endoftext|> [INST]")
@examples(40)
def test_tiktoken_counts_alike_where_there_is_no_wheel_of_gigatoken(name, text):
    if encodings.path_of(name) is None:
        pytest.skip("its package is not installed")
    usual, recipe = of_encoding(name), encodings.KNOWN[name]
    special_tokens = recipe.special_tokens if recipe.reads_special_tokens else ()
    alone = VocabularyTokenizer(
        name, encodings.load(name).encode_ordinary, special_tokens, recipe.composed
    )
    assert usual.count(text) == alone.count(text)


def test_without_gigatoken_tiktoken_counts_and_no_file_is_read(monkeypatch, tmp_path):
    monkeypatch.setattr(vocabulary, "find_spec", lambda name: None)
    assert not isinstance(read_encoding.__wrapped__("cl100k_base"), GigatokenReader)
    with pytest.raises(SynthError, match=r"\[fast\]"):
        of_file(tmp_path / "tokenizer.json")


@pytest.mark.slow
@families
def test_texts_and_prompts_have_their_makers_tokens(family):
    ours, theirs = family.ours(), family.theirs()
    for text in texts()[: share(len(texts()))]:
        assert ours.count(text) == len(theirs(text)), text
    assert packed(ours, texts()[:3]) == packed(theirs, texts()[:3])


@pytest.mark.slow
@families
@given(HARD)
@example("of x▁ 1 <td>> </▁▁  YYYY \n\n\t𠀀 " + " " * 32 + "a ▁<unused7><unused77>")
@examples(60)
def test_hard_texts_have_their_makers_tokens(family, text):
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert family.ours().count(text) == len(family.theirs()(whole))


CHATS = [("user",), ("system", "user"), ("user", "assistant", "user")]
FORMATS = {each.name: each.chat_format for each in FAMILIES_BY_NAME if each.chat_format}


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_a_prompt_weighs_what_its_makers_template_and_tokenizer_give(name):
    path = MAKERS / name.replace("-", "_") / "tokenizer.json"
    if not path.exists():
        pytest.skip("scripts/tokenizers.sh")
    config = json.loads(path.with_name("tokenizer_config.json").read_text("utf-8"))
    begin = (config["bos_token"] or {}).get("content", "")
    makers = Environment(trim_blocks=True, lstrip_blocks=True).from_string(config["chat_template"])
    ours = ModelTokenizer(name, of_file(path), "", True, FORMATS[name])
    for roles in CHATS:
        messages = [
            (role, f"\n {role} {number}: <think> It’s 3 o'clock. \n")
            for number, role in enumerate(roles)
        ]
        chat = [{"role": role, "content": content} for role, content in messages]
        whole = makers.render(messages=chat, add_generation_prompt=True, bos_token=begin)
        prompt = ChatPromptTemplate(messages).fill()
        assert prompt.tokens(ours) == len(library(path)(whole))
        assert "".join(str(span.text) for span in prompt.read_by(ours)) == whole
    for roles in (("user", "assistant"), ("tool", "user")):
        assert ours.frame(roles) is None


def test_a_reader_that_has_read_much_is_exchanged_and_counts_alike():
    loaded = []

    def load():
        loaded.append(True)
        return load_encoding("cl100k_base")

    reader = GigatokenReader(load, most_seconds=0)
    text = "Words and 数字 and \ud800 halves. " * 50
    assert [len(reader(text)) for _ in range(3)] == [plain.count(text)] * 3
    for thread in vocabulary.threading.enumerate():
        if thread.name == "synth-tokenizer":
            thread.join()
    assert len(loaded) == 4
    assert len(reader(text)) == plain.count(text)


def test_many_threads_count_with_one_reader():
    texts = [f"{number} Words and 数字. " * 500 for number in range(200)]
    reader = GigatokenReader(lambda: load_encoding("cl100k_base"))
    with ThreadPoolExecutor(8) as threads:
        assert [*map(len, threads.map(reader, texts))] == [*map(plain.count, texts)]


def test_a_function_counts_as_it_counts_and_is_asked_once_for_a_text():
    asked = []

    def encode(text):
        asked.append(text)
        return text.split()

    tokenizer = get_tokenizer(encode)
    assert [*map(tokenizer.count, ["one two  three", "one", "one two  three"])] == [3, 1, 3]
    assert asked == ["one two  three", "one"]
    for number in range(50):
        tokenizer.count(f"{number} " * 50_000)
    assert sum(map(len, tokenizer._remembered)) < 5_000_000
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


def made(path, model, **parts):
    """A small tokenizer.json."""
    tokenizer = tokenizers.Tokenizer(model)
    for name, part in parts.items():
        setattr(tokenizer, name, part)
    tokenizer.save(str(path))
    return path


def letters():
    return tokenizers.models.BPE(
        {letter: number for number, letter in enumerate(sorted(ALPHABET))} | {"ab": 300},
        [("a", "b")],
    )


ALPHABET = tokenizers.pre_tokenizers.ByteLevel.alphabet()
READS_BYTES = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)


def test_limits_for_training_are_not_those_of_counting(tmp_path):
    path = made(tmp_path / "tokenizer.json", letters(), pre_tokenizer=READS_BYTES)
    data = json.loads(path.read_text())
    data["truncation"] = {
        "direction": "Right",
        "max_length": 2,
        "strategy": "LongestFirst",
        "stride": 0,
    }
    path.write_text(json.dumps(data))
    ours = tokenizer_of_file(path)
    assert ours.count("abababab") == 4
    assert ours.counting == f"counted with {tmp_path.name}, without its chat template"
    assert not ours.sure


def test_a_file_that_is_no_tokenizer_is_refused_in_words(tmp_path, monkeypatch):
    path = tmp_path / "tokenizer.json"
    for text in (None, '{"model": 1}', "[]", "\x00", '{"model": {"type": "WordPiece"}}'):
        if text is not None:
            path.write_text(text)
        with pytest.raises(SynthError, match=r"can't be read as a tokenizer\.json"):
            of_file(path)
    monkeypatch.setattr(vocabulary, "MOST_BYTES", 10)
    with pytest.raises(SynthError, match="at most 10"):
        of_file(path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "counting"),
    [
        ("gpt-4", "exact for gpt-4"),
        ("openai/gpt-oss-20b", "exact for openai/gpt-oss-20b"),
        ("davinci", "estimated with cl100k_base"),
        ("Qwen/Qwen3-4B", "exact for Qwen/Qwen3-4B"),
        ("qwen/qwen3-235b-a22b:free", "exact for qwen/qwen3-235b-a22b:free"),
        ("/models/Qwen3-4B-Q4_K_M.gguf", "exact for /models/Qwen3-4B-Q4_K_M.gguf"),
        ("deepseek-ai/DeepSeek-V3", "estimated with deepseek-v3"),
        ("qwen3:4b", "estimated with qwen3"),  # Ollama has a chat template of its own
        ("someone/Qwen3-4B-roleplay", "estimated with qwen3"),
        ("Qwen/Qwen3-4B-Thinking-2507", "estimated with qwen3"),
        ("Qwen/Qwen3.6-27B", "estimated with qwen3.5"),
        ("deepseek/deepseek-v3.2-exp", "estimated with deepseek-v4"),
        ("llama3.1:8b", "estimated with o200k_base"),  # no package brings its file
        ("my-model", "estimated with o200k_base"),
    ],
)
def test_the_tokenizer_of_a_name(model, counting):
    tokenizer = tokenizer_for(model)
    assert tokenizer.counting == counting
    assert tokenizer.sure == counting.startswith("exact")
    assert tokenizer.frame(("user",)) or not tokenizer.sure
    assert get_tokenizer(tokenizer.name) is tokenizer


def test_the_extra_is_needed_for_files_alone(monkeypatch):
    monkeypatch.setattr(model_tokenizers, "find_spec", lambda name: None)
    assert tokenizer_for.__wrapped__("deepseek-ai/DeepSeek-V3").counting == (
        "estimated with o200k_base"
    )


@given(
    st.sampled_from([MODEL, ESTIMATE, SERVER, FILE]),
    st.sampled_from(["cl100k_base", "gpt-4o", "a model of mine", "localhost:8080 m 1", "é\n"]),
)
def test_a_name_is_read_as_it_was_written(kind, name):
    assert read_name(f"{kind} {name}") == (kind, name)


@given(st.text() | st.lists(st.sampled_from(["file", "model", "1", "0", " "])).map("".join))
def test_any_text_is_read(text):
    kind, name = read_name(text)
    assert text == (f"{kind} {name}" if kind else name)
