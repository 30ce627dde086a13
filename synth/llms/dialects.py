"""The two ways in which servers count a text before a call: llama.cpp's and vLLM's.

llama.cpp's `/tokenize` takes several texts at once and gives the text of each token, or its bytes
where they are no whole characters (tools/server of ggml-org/llama.cpp). vLLM's takes one text or
the messages of a chat, and gives tokens as the vocabulary spells them
(entrypoints/serve/tokenize of vllm-project/vllm).
"""

from __future__ import annotations

import asyncio
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np
import openai
from pydantic import BaseModel, Field
from typing_extensions import override

from synth.llms.connection import Beside
from synth.llms.served import LARGEST, DialectName, Tokens
from synth.text.byte_level import BYTES
from synth.text.slices import Ints

_AT_ONCE = 8  # requests, where each text needs its own
_SPECIAL = re.compile(r"<\S{2,}>|\[[A-Z_/]{2,}\]")

_Count = Annotated[int, Field(ge=0, lt=LARGEST)]  # of tokens


class Read(NamedTuple):
    """A text as the server reads it: its tokens, and where each has ended, if that is known."""

    tokens: int
    ends: Ints | None


class Rendered(NamedTuple):
    """A chat as the model reads it: its text, or "" where only its tokens are known."""

    text: str
    tokens: int


class Dialect(ABC):
    """How one kind of server is asked."""

    def __init__(self, beside: Beside, model: str) -> None:
        self.beside = beside
        self._model = model

    @abstractmethod
    async def read(self, texts: Sequence[str]) -> list[Read]:
        """The tokens of each text, read alone, special tokens in it as in a chat."""

    @abstractmethod
    async def render(self, messages: Sequence[dict[str, str]]) -> Rendered:
        """A chat with its chat template, up to where the answer begins."""

    async def _posted(self, path: str, body: dict[str, Any], form: type[Any]) -> Any:
        return await self.beside.post(path, {"model": self._model, **body}, form)


class LlamaCpp(Dialect):
    """llama.cpp's own server."""

    @override
    async def read(self, texts: Sequence[str]) -> list[Read]:
        reply = await self._tokenized(list(texts))
        reads = _aligned(texts, [one.data for one in reply])
        if reads is not None:
            return reads
        if len(texts) == 1:
            return [Read(len(reply), None)]
        half = len(texts) // 2  # the one whose pieces don't join to it is found by halves
        return [*await self.read(texts[:half]), *await self.read(texts[half:])]

    async def _tokenized(self, texts: list[str], *, bare: bool = True) -> list[_Piece]:
        body = {"content": texts, "with_pieces": True, "add_special": not bare}
        reply: Pieces = await self._posted("/tokenize", body, Pieces)
        return reply.tokens

    @override
    async def render(self, messages: Sequence[dict[str, str]]) -> Rendered:
        chat = {"messages": list(messages)}
        applied: _Applied = await self._posted("/apply-template", chat, _Applied)
        path = f"{self.beside.v1}/chat/completions/input_tokens"
        try:
            counted: _InputTokens = await self._posted(path, chat, _InputTokens)
        except openai.NotFoundError:  # older servers: what they would put before it is counted
            whole = await self._tokenized([applied.prompt], bare=False)
            return Rendered(applied.prompt, len(whole))
        return Rendered(applied.prompt, counted.input_tokens)


class Vllm(Dialect):
    """vLLM and the servers that count as it does; texts are sent apart from each other.

    It takes one text a request, so several are sent as one with a special token between them,
    beside which every tokenizer begins anew. None is known before a chat was rendered.
    """

    def __init__(self, beside: Beside, model: str) -> None:
        super().__init__(beside, model)
        self._between = ""

    @override
    async def read(self, texts: Sequence[str]) -> list[Read]:
        if self._between and len(texts) > 1:
            parts = [part for text in texts for part in (text, self._between)]
            reply = await self._tokenized("".join(parts))
            reads = _aligned(parts, reply.pieces("".join(parts)))
            if reads is not None:
                return reads[::2]
        few = asyncio.Semaphore(_AT_ONCE)

        async def alone(text: str) -> Read:
            async with few:
                reply = await self._tokenized(text)
            reads = _aligned([text], reply.pieces(text))
            return reads[0] if reads else Read(reply.count, None)

        return await asyncio.gather(*map(alone, texts))

    async def _tokenized(self, text: str) -> Strings:
        body = {"prompt": text, "add_special_tokens": False, "return_token_strs": True}
        reply: Strings = await self._posted("/tokenize", body, Strings)
        return reply

    @override
    async def render(self, messages: Sequence[dict[str, str]]) -> Rendered:
        chat = {"messages": list(messages), "add_generation_prompt": True}
        reply: Strings = await self._posted(
            "/tokenize", chat | {"return_token_strs": True}, Strings
        )
        special = filter(_SPECIAL.fullmatch, reply.token_strs or [])
        self._between = self._between or next(special, "")
        return Rendered(reply.text, reply.count)


DIALECTS: Mapping[DialectName, type[Dialect]] = {"llama.cpp": LlamaCpp, "vLLM": Vllm}


def _aligned(texts: Sequence[str], pieces: list[bytes] | None) -> list[Read] | None:
    """The tokens of each text, if the pieces of all of them join to all texts, and none is empty.

    A token that ends within a character has ended where the character does.
    """
    encoded = [text.encode() for text in texts]
    data = b"".join(encoded)
    if pieces is None or not all(pieces) or b"".join(pieces) != data:
        return None
    ends = np.cumsum([0, *map(len, pieces)])
    bounds = np.cumsum([0, *map(len, encoded)])
    firsts = np.searchsorted(ends, bounds)  # tokens before each text
    if not np.array_equal(ends[firsts], bounds):
        return None
    begun = np.cumsum(np.frombuffer(data, np.uint8) & 0xC0 != 0x80)  # characters up to each byte
    characters = begun[ends[1:] - 1] if data else ends[1:]
    starts = np.cumsum([0, *map(len, texts)])
    return [
        Read(int(last - first), characters[first:last] - start)
        for first, last, start in zip(firsts[:-1], firsts[1:], starts[:-1], strict=True)
    ]


class _Piece(BaseModel):
    piece: str | list[Annotated[int, Field(ge=0, lt=256)]]

    @property
    def data(self) -> bytes:
        return self.piece.encode() if isinstance(self.piece, str) else bytes(self.piece)


class Pieces(BaseModel):
    """llama.cpp's reply."""

    tokens: list[_Piece]


class _Applied(BaseModel):
    prompt: str


class _InputTokens(BaseModel):
    input_tokens: _Count


class Strings(BaseModel):
    """vLLM's reply; a vocabulary spells bytes in one of two ways."""

    count: _Count
    max_model_len: Tokens | None = None
    token_strs: list[str] | None = None

    def pieces(self, text: str) -> list[bytes] | None:
        """The bytes of each token, if some spelling of them makes this text."""
        for spelt in (_of_letters, _of_marks):
            pieces = list(map(spelt, self.token_strs or []))
            if len(pieces) == self.count and b"".join(pieces) == text.encode():
                return pieces
        return None

    @property
    def text(self) -> str:
        """All tokens as text; "" where no spelling gives any."""
        letters = all(set(one) <= BYTES.keys() or _SPECIAL.fullmatch(one) for one in self._all)
        return b"".join(map(_of_letters if letters else _of_marks, self._all)).decode(
            errors="replace"
        )

    @property
    def _all(self) -> list[str]:
        return self.token_strs or []


_BYTE = re.compile(r"<0x([0-9A-F]{2})>")


def _of_letters(spelt: str) -> bytes:
    """Bytes from letters; a special token is spelt as it is."""
    if set(spelt) <= BYTES.keys():
        return bytes(map(BYTES.__getitem__, spelt))
    return spelt.encode()


def _of_marks(spelt: str) -> bytes:
    """Bytes from SentencePiece's marks: ▁ for a space, <0x0A> for a byte that is no character."""
    byte = _BYTE.fullmatch(spelt)
    return bytes.fromhex(byte[1]) if byte else spelt.replace("▁", " ").encode()
