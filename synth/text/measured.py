"""A tokenizer that was measured: another one, corrected by what a server counted afterwards."""

from collections.abc import Iterable, Sequence
from functools import partial

from typing_extensions import override

from synth.text.frames import Frame
from synth.text.spans import Text
from synth.text.specs import Correction, Spec
from synth.text.tokenizer import ModelTokenizer, Tokenizer


def measured(correction: Correction, base: Tokenizer) -> Tokenizer:
    """The base with this correction: its counts are about right, and never said to be exact."""
    calls = f"{correction.calls:,} call" + "s" * (correction.calls != 1)
    frame = partial(_frame, correction, base)
    name = str(Spec.of(base.name)._replace(correction=correction))
    counting = f"measured on {calls}"
    return ModelTokenizer(
        name, _Scaled(correction, base), counting, sure=False, chat_template=frame
    )


def _frame(correction: Correction, base: Tokenizer, roles: tuple[str, ...]) -> Frame:
    """The chat template of the base, and what each call has more."""
    known = base.frame(roles)
    if known is None:
        lines = "" if roles == ("user",) else ": \n".join((*roles, "assistant", ""))
        more = correction.of(base.count(lines))
        return Frame(("",) * (len(roles) + 1), correction.per_call + more)
    extra = correction.per_call + correction.of(known.extra_tokens)
    return known._replace(extra_tokens=extra)


class _Scaled(Tokenizer):
    """Counts texts as a share of what the base counts."""

    def __init__(self, correction: Correction, base: Tokenizer) -> None:
        self._correction = correction
        self._base = base.text_only
        self.name = self._base.name

    @override
    def count(self, text: str) -> int:
        return self._correction.of(self._base.count(text))

    @override
    def count_joined(self, parts: Iterable[str | Text]) -> int:
        return self._correction.of(self._base.count_joined(parts))

    @override
    def fits_by_size(self, parts: Sequence[str | Text], room: int) -> bool | None:
        return self._base.fits_by_size(parts, room * 100 // self._correction.percent)

    @override
    def with_special_tokens(self) -> Tokenizer:
        return _Scaled(self._correction, self._base.with_special_tokens())
