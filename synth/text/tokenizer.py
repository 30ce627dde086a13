"""What counts tokens; every size of this package is counted by one of these.

A `Tokenizer` counts with a function and remembers counts. A `ModelTokenizer` says of which model
one is, how sure that is, and what the model's chat template adds to each prompt; `get_tokenizer`
(tokens.py) makes them. One that is `packed` counts beside the encoding that an application packs
with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from typing_extensions import override

from synth.text.frames import ChatTemplate, Frame, openai_frame
from synth.text.seams import Seams
from synth.text.slices import Ints
from synth.text.spans import Text

Encode = Callable[[str], Sequence[object]]

_WORD = 100  # characters up to which a text's count is remembered
_WORDS = 200_000  # remembered counts a tokenizer
_TEXTS_CHARACTERS = 4_000_000  # of longer texts whose counts are remembered


class Tokenizer:
    """Counts tokens with `encode`, a function from a string to its tokens.

    `name` is the spec from which `get_tokenizer` makes it, unless it is the caller's function.
    `counting` says in words how sure its counts are, `sure` whether they are those of the model.
    """

    sure: bool = True
    seams: Seams | None = None
    """Where its counts add up, if that is known of any place."""

    def __init__(self, name: str, encode: Encode) -> None:
        self.name = name
        self._encode = encode
        self._words: dict[str, int] = {}
        self._texts: dict[str, int] = {}
        self._texts_characters = 0

    @property
    def counting(self) -> str:
        """How sure its counts are, in words."""
        return f"counted with {self.name}"

    @property
    def text_only(self) -> Tokenizer:
        """The tokenizer that counts texts alike and knows no chat template."""
        return self

    def frame(self, roles: tuple[str, ...]) -> Frame | None:
        """What a chat template puts around messages of these roles; None if only texts count."""
        return None

    def prepare(self, texts: Sequence[str]) -> None:
        """Be told of texts that will be counted, so that a server is asked for them together."""

    def count(self, text: str) -> int:
        """How many tokens `text` has."""
        known = (self._words if len(text) <= _WORD else self._texts).get(text)
        if known is None:
            known = self._counted(text)
            self._remember(text, known)
        return known

    def _counted(self, text: str) -> int:
        return len(self._encode(text))

    def _remember(self, text: str, count: int) -> None:
        if len(text) <= _WORD:
            if len(self._words) >= _WORDS:
                self._words.clear()
            self._words[text] = count
        elif len(text) <= _TEXTS_CHARACTERS:
            self._texts_characters += len(text)
            if self._texts_characters > _TEXTS_CHARACTERS:
                self._texts.clear()
                self._texts_characters = len(text)
            self._texts[text] = count

    def count_joined(self, parts: Iterable[str | Text]) -> int:
        """How many tokens the parts have when read as one string."""
        return self.count("".join(map(str, parts)))

    def fits(self, parts: Sequence[str | Text], room: int) -> bool:
        """Whether the parts, read as one string, have at most `room` tokens."""
        by_size = self.fits_by_size(parts, room)
        return self.count_joined(parts) <= room if by_size is None else by_size

    def fits_by_size(self, parts: Sequence[str | Text], room: int) -> bool | None:
        """The same where the size of the text alone says so; None where it must be counted."""
        return None

    def token_ends(self, text: str) -> Ints | None:
        """Where each token of `text` has ended, as offsets of characters, if that is known."""
        return None

    def with_special_tokens(self) -> Tokenizer:
        """The tokenizer that reads `<|endoftext|>` and its like as one token."""
        return self

    def with_schema(self) -> Tokenizer:
        """The tokenizer of prompts that a JSON schema for the answer goes with."""
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
        self.seams = texts.seams
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
    def prepare(self, texts: Sequence[str]) -> None:
        self._texts_alone.prepare(texts)

    @override
    def count(self, text: str) -> int:
        return self._texts_alone.count(text)

    @override
    def count_joined(self, parts: Iterable[str | Text]) -> int:
        return self._texts_alone.count_joined(parts)

    @override
    def fits_by_size(self, parts: Sequence[str | Text], room: int) -> bool | None:
        return self._texts_alone.fits_by_size(parts, room)

    @override
    def token_ends(self, text: str) -> Ints | None:
        return self._texts_alone.token_ends(text)

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

    @override
    def __reduce__(self) -> tuple[type[ModelTokenizer], tuple[object, ...]]:
        made_of = self.name, self._texts_alone, self._counting, self.sure, self._chat_template
        return ModelTokenizer, made_of  # without its seams, which remember


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
    def with_special_tokens(self) -> Packed:
        return Packed(self._packs.with_special_tokens(), self._counts.with_special_tokens())

    @override
    def with_schema(self) -> Packed:
        return Packed(self._packs, self._counts.with_schema())

    @override
    def __reduce__(self) -> tuple[type[Packed], tuple[Tokenizer, Tokenizer]]:
        return Packed, (self._packs, self._counts)


def packed(packs: Tokenizer, counts: Tokenizer) -> Tokenizer:
    """The tokenizer that counts, with another one to pack with where the two differ."""
    return counts if counts.text_only is packs.text_only else Packed(packs.text_only, counts)
