"""A tokenizer that was measured: another one, corrected by what a server counted afterwards."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

from typing_extensions import override

from synth.text.frames import Frame
from synth.text.spans import Text
from synth.text.tokenizer import ModelTokenizer, Tokenizer

MEASURED = "measured"
"""How the spec of a measured tokenizer begins."""

_MOST = 1_000_000  # of each number in a spec


class Correction(NamedTuple):
    """About `per_call` tokens more a prompt, and `percent` of a count, from so many `calls`."""

    per_call: int
    percent: int
    calls: int

    def of(self, tokens: int) -> int:
        """About what the server counts of a text of so many tokens; rounded up."""
        return -(-tokens * self.percent // 100)


def correction_of(spec: str) -> tuple[Correction, str] | None:
    """The correction that a spec names, and the spec that it corrects; None for any other spec.

    A spec is `measured PER_CALL PERCENT CALLS SPEC`.
    """
    kind, *numbers_and_base = spec.split(" ", 4)
    if kind != MEASURED or len(numbers_and_base) != 4:
        return None
    *numbers, base = numbers_and_base
    if base.startswith(MEASURED) or not all(part.isascii() and part.isdigit() for part in numbers):
        return None
    correction = Correction(*(min(int(part[:9]), _MOST) for part in numbers))
    return (correction, base) if correction.percent and correction.calls else None


def spec_of(correction: Correction, base: str) -> str:
    """The spec of a tokenizer with this correction; the base is none that was measured."""
    return " ".join(map(str, (MEASURED, *correction, base)))


def measured(correction: Correction, base: Tokenizer) -> Tokenizer:
    """The base with this correction: its counts are about right, and never said to be exact."""
    calls = f"{correction.calls:,} call" + "s" * (correction.calls != 1)
    frame = partial(_frame, correction, base)
    name, counting = spec_of(correction, base.name), f"measured on {calls}"
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
        self.name = base.name
        self._correction = correction
        self._base = base.text_only

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
