"""Answers of a real small model to the prompts of two lessons, recorded once; nothing is asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from synth.errors import ModelError
from synth.llms import LLM, FunctionLLM
from ui.settings.request import Request

FILE = Path(__file__).with_name("recording.json")


@dataclass(frozen=True)
class Recording:
    """What was asked: the model, its `file` and that file's SHA-256, the server and its settings.

    `answers` has each answer under the SHA-256 of its prompt, the one user message of a chat.
    """

    model: str
    file: str
    sha256: str
    licence: str
    server: str
    settings: Mapping[str, Any]
    answers: Mapping[str, str]


RECORDING = TypeAdapter(Recording).validate_json(FILE.read_bytes())
NUM_OUTPUT: int = RECORDING.settings["max_tokens"]
"""Tokens at which the server cut each answer off."""


def digest(prompt: str) -> str:
    """The name of a prompt in a recording."""
    return sha256(prompt.encode()).hexdigest()


def recorded(request: Request) -> LLM:
    """The model that gives the recorded answers; ModelError for a prompt that was not recorded."""

    def answer(prompt: str) -> str:
        found = RECORDING.answers.get(digest(prompt))
        if found is None:
            raise ModelError(f"{RECORDING.model} was not asked this when it was recorded.")
        return found

    return FunctionLLM(answer, request.context_window, request.num_output, request.tokenizer)
