"""One pass of tiktoken over the text, whatever the mode and the window."""

from collections.abc import Callable

from benchmarks.asked import ENCODING
from synth.text import encodings


def runner(mode: str, pieces: list[str]) -> Callable[[int], object]:
    encoding = encodings.load(ENCODING)
    encoding.encode("load it")
    text = "".join(pieces)
    return lambda window: encoding.encode(text, disallowed_special=())
