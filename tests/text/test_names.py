"""Which tokenizer and which chat template a model has by its name, or by a file."""

import json
import pickle
import shutil

import pytest
import tokenizers

from synth import ChatMessage, ChatPromptTemplate
from synth.errors import SynthError
from synth.text import chat_templates, families
from synth.text.tokens import get_tokenizer, tokenizer_for
from tests.text.families import MAKERS

USER, SYSTEM, ASSISTANT = "user", "system", "assistant"
CHATS = [(USER,), (SYSTEM, USER), (USER, ASSISTANT, USER), (SYSTEM, USER, ASSISTANT, USER)]


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """An empty cache of Hugging Face."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    tokenizer_for.cache_clear()
    yield tmp_path
    tokenizer_for.cache_clear()


@pytest.mark.parametrize(
    ("model", "counting"),
    [
        ("gpt-4.1-mini", "exact for gpt-4.1-mini"),
        ("Qwen/Qwen3-4B", "exact for Qwen/Qwen3-4B"),
        ("qwen/qwen3-235b-a22b:free", "exact for qwen/qwen3-235b-a22b:free"),
        ("/models/Qwen3-4B-Q4_K_M.gguf", "exact for /models/Qwen3-4B-Q4_K_M.gguf"),
        ("deepseek-ai/DeepSeek-V3", "exact for deepseek-ai/DeepSeek-V3"),
        ("qwen3:4b", "estimated with qwen3"),  # Ollama has a chat template of its own
        ("someone/Qwen3-4B-roleplay", "estimated with qwen3"),
        ("Qwen/Qwen3-4B-Thinking-2507", "estimated with qwen3"),
        ("Qwen/Qwen3.6-27B", "estimated with qwen3.5"),
        ("qwen2.5-coder:7b", "estimated with qwen2.5"),
        ("deepseek/deepseek-v3.2-exp", "estimated with deepseek-v4"),
        ("llama3.1:8b", "estimated with o200k_base"),  # no file of it is here
        ("qwen30", "estimated with o200k_base"),
        ("my-model", "estimated with o200k_base"),
    ],
)
def test_the_tokenizer_of_a_name(model, counting):
    tokenizer = tokenizer_for(model)
    assert tokenizer.counting == counting
    assert tokenizer.sure == counting.startswith("exact")
    assert get_tokenizer(tokenizer.name) is tokenizer


@pytest.mark.parametrize("name", ["llama3", "gemma3", "qwen3", "deepseek_v3"])
def test_a_prompt_weighs_what_its_makers_template_and_tokenizer_give(name):
    path = MAKERS / name / "tokenizer.json"
    if not path.exists():
        pytest.skip("scripts/tokenizers.sh")
    ours = get_tokenizer(f"file {path}")
    template = chat_templates.beside(path)
    library = tokenizers.Tokenizer.from_file(str(path))
    for roles in CHATS:
        contents = [
            f"\n {role} {number}: <think> It’s 3 o'clock. \n" for number, role in enumerate(roles)
        ]
        if ours.frame(roles).strips is False and name == "gemma3":
            contents[0] = contents[0].strip()
        messages = [
            ChatMessage(content, role=role) for content, role in zip(contents, roles, strict=True)
        ]
        prompt = ChatPromptTemplate(message_templates=messages).fill()
        whole = chat_templates._filled(template, roles, contents)
        assert prompt.tokens(ours) == len(library.encode(whole, add_special_tokens=False).ids)
        assert "".join(str(span.text) for span in prompt.read_by(ours)) == whole


@pytest.mark.parametrize(
    ("name", "written"),
    [("qwen3", families.QWEN_3), ("deepseek_v3", families.DEEPSEEK_V3)],
)
def test_a_chat_format_of_ours_is_its_makers(name, written):
    path = MAKERS / name / "tokenizer.json"
    if not path.exists():
        pytest.skip("scripts/tokenizers.sh")
    for roles in CHATS:
        assert written(roles) == chat_templates.beside(path)(roles)
    assert written((USER, ASSISTANT)) is None
    assert written(("tool", USER)) is None
