"""What counts tokens, and what chat templates put around the messages of a prompt.

Every size of this package is counted by one of these. Those of encodings and files are in
vocabulary.py; `get_tokenizer` (model_tokenizers.py) makes all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from typing_extensions import override

_BEFORE = 3  # tokens that begin a message: its start, its role, the start of its content
_BEHIND = 1
Encode = Callable[[str], Sequence[object]]
Chat = Sequence[tuple[str, str]]  # the role and the content of each message
_MOST_REMEMBERED = 4_000_000  # characters of texts whose counts a tokenizer remembers
_EACH = 50  # characters as which a count weighs beside its text


class Frame(NamedTuple):
    """What stands around the contents of messages: `texts` before, between and after them.

    Where a text is empty, `tokens` says how many stand there that are not known as text.
    """

    texts: tuple[str, ...]
    tokens: tuple[int, ...] = ()

    @property
    def extra_tokens(self) -> int:
        """Count the tokens that stand in no text."""
        return sum(self.tokens)


ChatTemplate = Callable[[tuple[str, ...]], Frame | None]
"""A function from the roles of messages to what stands around them; None if it takes none such."""


@dataclass(frozen=True)
class ChatFormat:
    """Writes `roles`, each before and behind its content, and begins the reply."""

    roles: Mapping[str, tuple[str, str]]
    reply: str
    begin: str = ""

    def __call__(self, roles: tuple[str, ...]) -> Frame | None:
        """Return what stands around messages of these roles, if a person speaks last."""
        if roles[-1:] != ("user",) or not set(roles) <= set(self.roles):
            return None
        texts = [self.begin]
        for role in roles:
            before, behind = self.roles[role]
            texts[-1] += before
            texts.append(behind)
        texts[-1] += self.reply
        return Frame(tuple(texts))


def openai_frame(roles: tuple[str, ...]) -> Frame:
    """Return what OpenAI's chat models read around messages, as its cookbook counts it."""
    tokens = (_BEFORE, *(_BEHIND + _BEFORE for _ in roles))  # the last of them begins the reply
    return Frame(("",) * len(tokens), tokens)


class Tokenizer:
    """Counts tokens with `encode`, a function from a string to its tokens.

    `counting` says how sure its counts are, `sure` whether they are those of the model.
    """

    sure: bool = True
    encodes: bool = False
    """Whether texts that begin alike have the first tokens of `encode` in common."""
    factor: float = 1
    """How many tokens are counted for one of `encode`."""
    asks: bool = False
    """Whether a server is asked for each count, so that an estimate beforehand saves time."""

    def __init__(self, name: str, encode: Encode) -> None:
        self.name = name
        self.counting = f"counted with {name}"
        self._encode = encode
        self._remembered: dict[str, int] = {}
        self._characters = 0

    @property
    def text_only(self) -> Tokenizer:
        """Return the tokenizer that counts texts alike and knows no chat template."""
        return self

    def frame(self, roles: tuple[str, ...]) -> Frame | None:
        """Return what a chat template puts around messages of these roles; None without one."""
        return None

    def count(self, text: str) -> int:
        """Count the tokens of `text`."""
        return self._recall(text, self._count)

    def encode(self, text: str) -> Sequence[object]:
        """Return the tokens of `text`, which two texts share as far as they begin alike."""
        return self._encode(text)

    def count_chat(self, chat: Chat) -> int | None:
        """Return the tokens of a whole chat; None where `frame` tells what is around messages."""
        return None

    def _recall(self, text: str, count: Callable[[str], int]) -> int:
        tokens = self._remembered.get(text)
        if tokens is None:
            tokens = count(text)
            self._characters += len(text) + _EACH
            if self._characters > _MOST_REMEMBERED:
                self._remembered = {}
                self._characters = len(text) + _EACH
            self._remembered[text] = tokens
        return tokens

    def _count(self, text: str) -> int:
        return len(self._encode(text))

    def estimate(self, text: str) -> int:
        """Return about how many tokens `text` has, where asking for it would take long."""
        return self.count(text)

    def with_special_tokens(self) -> Tokenizer:
        """Return the tokenizer that reads `<|endoftext|>` and its like as one token."""
        return self

    def with_schema(self) -> Tokenizer:
        """Return the tokenizer of prompts that a JSON schema for the answer goes with."""
        return self


@dataclass(eq=False)
class ModelTokenizer(Tokenizer):
    """The tokenizer of a model: `texts` counts texts, beside its chat template if that is known."""

    name: str
    texts: Tokenizer
    counting: str
    sure: bool
    chat_template: ChatTemplate | None = None

    def __post_init__(self) -> None:
        self.encodes, self.factor = self.texts.encodes, self.texts.factor

    @property
    @override
    def text_only(self) -> Tokenizer:
        return self.texts

    @override
    def frame(self, roles: tuple[str, ...]) -> Frame | None:
        return None if self.chat_template is None else self.chat_template(roles)

    @override
    def count(self, text: str) -> int:
        return self.texts.count(text)

    @override
    def encode(self, text: str) -> Sequence[object]:
        return self.texts.encode(text)

    @override
    def estimate(self, text: str) -> int:
        return self.texts.estimate(text)

    @override
    def with_special_tokens(self) -> Tokenizer:
        return replace(self, texts=self.texts.with_special_tokens())

    @override
    def with_schema(self) -> Tokenizer:
        # OpenAI's servers put it into the prompt, in words that are not published. Others hold the
        # answer to it, and the prompt is none the longer.
        if self.chat_template is not openai_frame:
            return self
        return replace(self, counting=f"{self.counting}, but for the JSON schema", sure=False)


class ScaledTokenizer(Tokenizer):
    """Counts so many times the tokens of another one."""

    def __init__(self, tokenizer: Tokenizer, factor: float) -> None:
        super().__init__(tokenizer.name, tokenizer.encode)
        self._tokenizer, self.factor, self.encodes = tokenizer, factor, tokenizer.encodes

    @override
    def _count(self, text: str) -> int:
        return self.multiply(self._tokenizer.count(text))

    def multiply(self, tokens: int) -> int:
        """Return so many tokens, times the factor."""
        return ceil(round(tokens * self.factor, 6))


@lru_cache(maxsize=64)
def scale(tokenizer: Tokenizer, factor: float) -> Tokenizer:
    """Return a tokenizer that estimates so many times as much, for a server that counts more."""
    if factor == 1 or tokenizer.asks:
        return tokenizer

    texts = ScaledTokenizer(tokenizer, factor)

    def frame(roles: tuple[str, ...]) -> Frame | None:
        around = tokenizer.frame(roles)
        if around is None:
            return None
        first = texts.multiply(around.extra_tokens)
        return around._replace(tokens=(first, *(0 for _ in around.texts[1:])))

    counting = f"{tokenizer.counting}, times {factor:g}"
    return ModelTokenizer(tokenizer.name, texts, counting, False, frame)
