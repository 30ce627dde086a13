"""Answers that were paid for: the same prompt is not sent twice to the same model."""

import threading
from collections import OrderedDict

from typing_extensions import override

from synth.prompts.prompt import Prompt
from synth.runs.calls import Logged, prompt_hash

MOST_CHARACTERS = 20_000_000


def answer_key(identity: str, schema: str, prompt: Prompt) -> str:
    """Name all that an answer depends on: the model, the form that was asked for, the prompt."""
    return "\n".join([identity, schema, prompt_hash(prompt)])


class AnswerCache:
    """The latest answers of one person, by key; when it is full, the oldest are dropped."""

    def __init__(self, most_characters: int = MOST_CHARACTERS) -> None:
        self._most = most_characters
        self._size = 0
        self._kept: OrderedDict[str, Logged] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> Logged | None:
        """Return the answer kept under this key."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def prompts(self, identity: str) -> set[str]:
        """Return the hashes of prompts to which this model's answers are kept, in whatever form."""
        with self._lock:
            parted = [key.rpartition("\n") for key in self._kept if key.startswith(f"{identity}\n")]
        return {prompt for _, _, prompt in parted}

    def put(self, key: str, answer: Logged) -> None:
        """Keep an answer."""
        with self._lock:
            old = self._kept.pop(key, None)
            self._size += _size(answer) - (_size(old) if old else 0)
            self._kept[key] = answer
            while self._size > self._most and self._kept:
                self._size -= _size(self._kept.popitem(last=False)[1])


class AskedAnew(AnswerCache):
    """Gives no answer, so that each prompt is sent, and puts the new ones into another cache."""

    def __init__(self, cache: AnswerCache) -> None:
        super().__init__()
        self._cache = cache

    @override
    def put(self, key: str, answer: Logged) -> None:
        self._cache.put(key, answer)


def _size(answer: Logged) -> int:
    return len(answer.answer) + len(answer.reply or "")
