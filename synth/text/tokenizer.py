"""What counts tokens; every size of this package is counted by one of these.

A `Tokenizer` counts with a function and remembers counts; those of encodings and files are in
vocabulary.py. A `ModelTokenizer` says of which model one is, how sure that is, and what the model's
chat template adds to each prompt; `get_tokenizer` (tokens.py) makes them. One that is `packed`
counts beside the encoding that an application packs with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from typing_extensions import override

from synth.text.frames import ChatTemplate, Frame, openai_frame

Encode = Callable[[str], Sequence[object]]

Chat = Sequence[tuple[str, str]]
"""The role and the content of each message."""

_MOST_REMEMBERED = 4_000_000  # characters of texts whose counts a tokenizer remembers
_EACH = 50  # characters as which a count weighs beside its text


class Tokenizer:
    """Counts tokens with `encode`, a function from a string to its tokens.

    `name` is the spec from which `get_tokenizer` makes it, unless it is the caller's function.
    `counting` says in words how sure its counts are, `sure` whether they are those of the model.
    """

    sure: bool = True
    asks: bool = False
    """Whether a server is asked for each count, so that an estimate beforehand saves time."""

    def __init__(self, name: str, encode: Encode) -> None:
        self.name = name
        self._encode = encode
        self._remembered: dict[str, int] = {}
        self._characters = 0

    @property
    def counting(self) -> str:
        """How sure its counts are, in words."""
        return f"counted with {self.name}"

    @property
    def text_only(self) -> Tokenizer:
        """The tokenizer that counts texts alike and knows no chat template."""
        return self

    def frame(self, roles: tuple[str, ...]) -> Frame | None:
        """Return what a chat template puts around messages of these roles; None without one."""
        return None

    def count(self, text: str) -> int:
        """Return how many tokens `text` has."""
        return self._recall(text, self._count)

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
        """Count a text that is not remembered."""
        return len(self._encode(text))

    def counts(self, texts: Iterable[str]) -> list[int]:
        """Return how many tokens each text has."""
        return list(map(self.count, texts))

    def estimate(self, text: str) -> int:
        """Return about how many tokens `text` has, where asking for it would take long."""
        return self.count(text)

    def with_special_tokens(self) -> Tokenizer:
        """Return the tokenizer that reads `<|endoftext|>` and its like as one token."""
        return self

    def with_schema(self) -> Tokenizer:
        """Return the tokenizer of prompts that a JSON schema for the answer goes with."""
        return self


class ModelTokenizer(Tokenizer):
    """The tokenizer of a model: one that counts texts, and the model's chat template if known."""

    def __init__(
        self,
        name: str,
        texts: Tokenizer,
        counting: str,
        sure: bool,
        chat_template: ChatTemplate | None = None,
    ) -> None:
        self.name = name
        self.sure = sure
        self._texts_alone = texts
        self._counting = counting
        self._chat_template = chat_template

    @property
    @override
    def counting(self) -> str:
        return self._counting

    @property
    @override
    def text_only(self) -> Tokenizer:
        return self._texts_alone

    @override
    def frame(self, roles: tuple[str, ...]) -> Frame | None:
        return None if self._chat_template is None else self._chat_template(roles)

    @override
    def count(self, text: str) -> int:
        return self._texts_alone.count(text)

    @override
    def counts(self, texts: Iterable[str]) -> list[int]:
        return self._texts_alone.counts(texts)

    @override
    def estimate(self, text: str) -> int:
        return self._texts_alone.estimate(text)

    @override
    def with_special_tokens(self) -> Tokenizer:
        texts = self._texts_alone.with_special_tokens()
        return ModelTokenizer(self.name, texts, self._counting, self.sure, self._chat_template)

    @override
    def with_schema(self) -> Tokenizer:
        # OpenAI's servers put it into the prompt, in words that are not published. Others hold the
        # answer to it, and the prompt is none the longer.
        if self._chat_template is not openai_frame:
            return self
        counting = f"{self._counting}, but for the JSON schema"
        return ModelTokenizer(self.name, self._texts_alone, counting, False, openai_frame)


class Packed(ModelTokenizer):
    """Counts as `counts` does; texts are cut, and templates measured, as `packs` counts them.

    That is so in LlamaIndex's behaviour alone, which packs with one and the same encoding, whatever
    tokenizer the model has: ours proves that a prompt fits by one tokenizer. Its name is that of
    what packs.
    """

    def __init__(self, packs: Tokenizer, counts: Tokenizer) -> None:
        super().__init__(packs.name, counts.text_only, counts.counting, counts.sure, counts.frame)
        self._packs, self._counts = packs, counts

    @property
    @override
    def text_only(self) -> Tokenizer:
        return self._packs

    @override
    def count_chat(self, chat: Chat) -> int | None:
        return self._counts.count_chat(chat)

    @override
    def with_special_tokens(self) -> Packed:
        return Packed(self._packs.with_special_tokens(), self._counts.with_special_tokens())

    @override
    def with_schema(self) -> Packed:
        return Packed(self._packs, self._counts.with_schema())


def packed(packs: Tokenizer, counts: Tokenizer) -> Tokenizer:
    """Return the tokenizer that counts, with another one to pack with where the two differ."""
    return counts if counts.text_only is packs.text_only else Packed(packs.text_only, counts)
