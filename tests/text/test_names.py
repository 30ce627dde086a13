"""Which tokenizer a model has by its name, and the names of tokenizers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.text import tokens
from synth.text.tokens import ESTIMATE, FILE, MODEL, SERVER, get_tokenizer, read_name, tokenizer_for


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "counting"),
    [
        ("gpt-4", "exact for gpt-4"),
        ("gpt-4.1-mini", "exact for gpt-4.1-mini"),
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
        ("qwen2.5-coder:7b", "estimated with qwen2.5"),
        ("deepseek/deepseek-v3.2-exp", "estimated with deepseek-v4"),
        ("llama3.1:8b", "estimated with o200k_base"),  # no package brings its file
        ("qwen30", "estimated with o200k_base"),
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
    monkeypatch.setattr(tokens, "find_spec", lambda name: None)
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
