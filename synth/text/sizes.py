"""Default sizes, and the check of each size where it enters: they are whole numbers."""

from numbers import Integral, Real

from synth.errors import SynthError

CONTEXT_WINDOW = 3_900  # tokens; this and the next two are llama-index-core's defaults
NUM_OUTPUT = 256  # tokens
CHUNK_OVERLAP_RATIO = 0.1  # of a chunk
_MOST = 10**12  # more than any size here, and far from where 64 bits end


def whole(
    name: str,
    value: object,
    least: int = 0,
    most: int = _MOST,
    error: type[SynthError] = SynthError,
) -> int:
    """Return a whole number from `least` to `most`, numpy's too; else raise `error`."""
    size = int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None
    if size is not None and least <= size <= most:
        return size
    shown = repr(value) if size is None else f"{size:,}"
    upper = "or more" if most == _MOST and (size is None or size < least) else f"to {most:,}"
    raise error(f"{name} is {shown}: give a whole number, {least:,} {upper}.")


def number(
    name: str, value: object, most: float = _MOST, error: type[SynthError] = SynthError
) -> float:
    """Return the value as a number from 0 to `most`; else `error`, which shows it."""
    if isinstance(value, Real) and not isinstance(value, bool) and 0 <= float(value) <= most:
        return float(value)
    upper = "or more" if most == _MOST else f"to {most:g}"
    raise error(f"{name} is {value!r}: give a number, 0 {upper}.")
