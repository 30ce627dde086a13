"""A tokenizer by which a model is counted, beside the encoding that an application packs with.

LlamaIndex packs with one and the same encoding, whatever tokenizer the model has.
"""

from __future__ import annotations

from typing_extensions import override

from synth.text.specs import Spec
from synth.text.tokenizer import ModelTokenizer, Tokenizer


class Packed(ModelTokenizer):
    """Counts as `counts` does; texts are cut, and templates measured, as `packs` counts them.

    That is so in LlamaIndex's behaviour alone: ours proves that a prompt fits by one tokenizer.
    """

    def __init__(self, packs: Tokenizer, counts: Tokenizer) -> None:
        name = str(Spec.of(counts.name)._replace(packs=packs.name))
        super().__init__(name, counts.text_only, counts.counting, counts.sure, counts.frame)
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
