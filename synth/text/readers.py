"""What reads a text as tokens: gigatoken where there is a wheel of it, else tiktoken.

gigatoken gives the same tokens as tiktoken and as Hugging Face's tokenizers, 20 times as fast, and
reads a run without a break in a time that grows with its length alone. It has no wheel for musl,
and is in the extras `fast` and `app`: `import synth` needs tiktoken alone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

from synth.errors import SynthError
from synth.text import encodings

if TYPE_CHECKING:
    import gigatoken

Read = Callable[[str], int]
"""A function from a text to the number of its tokens."""

MOST_BYTES = 64_000_000
"""The longest tokenizer.json that is read; Gemma's, the longest in wide use, has 33 million."""

_MOST_SECONDS = 1.5  # of reading, after which about 50 MB of new English have been read


def has_gigatoken() -> bool:
    """Return whether the extra `fast` is installed."""
    return find_spec("gigatoken") is not None


class GigatokenReader:
    """Count with gigatoken, in memory that stays bounded.

    gigatoken remembers each word that it has read, and can't be told to forget. Reading a new word
    takes 20 times as long as one that it remembers, so the time spent on reading says how much it
    remembers; after `most_seconds` a fresh one, loaded in another thread, takes its place.
    `load` makes one of `source`, the name of an encoding or a path.
    """

    def __init__(
        self,
        load: Callable[[str], gigatoken.Tokenizer],
        source: str,
        most_seconds: float = _MOST_SECONDS,
    ) -> None:
        self._load, self._source = load, source
        self._most_seconds = most_seconds
        self._encode = load(source).backend.encode
        self._seconds = 0.0

    def __call__(self, text: str) -> int:
        """Return the number of tokens."""
        began = perf_counter()
        try:
            tokens = self._encode(text)
        except TypeError:  # half of a surrogate pair
            tokens = self._encode(whole_characters(text))
        self._seconds += perf_counter() - began
        if self._seconds > self._most_seconds:
            self._seconds = 0.0
            threading.Thread(target=self._renew, name="synth-tokenizer", daemon=True).start()
        return len(tokens)

    def _renew(self) -> None:
        self._encode = self._load(self._source).backend.encode

    def __reduce__(self) -> tuple[Callable[..., GigatokenReader], tuple[object, ...]]:
        return _open_gigatoken, (self._load, self._source)


@lru_cache(maxsize=16)
def _open_gigatoken(load: Callable[[str], gigatoken.Tokenizer], source: str) -> GigatokenReader:
    return GigatokenReader(load, source)


@dataclass(frozen=True)
class TiktokenReader:
    """Count with tiktoken and the encoding of that name."""

    name: str

    def __call__(self, text: str) -> int:
        """Return the number of tokens."""
        return len(encodings.load(self.name).encode_ordinary(text))


def whole_characters(text: str) -> str:
    """Return the text with halves of characters put together, or replaced as tiktoken does."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def read_encoding(name: str) -> Read:
    """Return the reader of an encoding, to which special tokens are plain text.

    OSError if its file is not here, or not as it was published.
    """
    if encodings.KNOWN[name].scheme and has_gigatoken():
        return _open_gigatoken(_load_encoding, name)
    encodings.load(name)
    return TiktokenReader(name)


def _load_encoding(name: str) -> gigatoken.Tokenizer:
    import gigatoken  # noqa: PLC0415

    data, scheme = encodings.read_file(name), encodings.KNOWN[name].scheme
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(encodings.as_tiktoken(data))
        return gigatoken.Tokenizer.from_tiktoken(path, scheme, {})


def read_tokenizer_json(path: Path) -> Read:
    """Return the reader of a tokenizer.json, to which special tokens are one token each.

    SynthError for a file that can't be read, or is of a kind that gigatoken does not know.
    """
    if not has_gigatoken():
        raise SynthError(
            f"{path.name} is read by the package gigatoken, which is not installed:"
            ' pip install "synthesis-playground[fast]".'
        )
    if not path.is_file():  # a device has no end
        raise SynthError(f"{path} can't be read as a tokenizer.json: it is no file.")
    if (size := path.stat().st_size) > MOST_BYTES:
        raise SynthError(f"{path} has {size:,} bytes: give a file of at most {MOST_BYTES:,}.")
    try:
        return _open_gigatoken(_load_json, str(path))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as problem:  # gigatoken panics on some files, which is no Exception
        reason = str(problem).partition("\n")[0]  # without where in its source it was found
        raise SynthError(f"{path} can't be read as a tokenizer.json: {reason}") from problem


def _load_json(path: str) -> gigatoken.Tokenizer:
    import gigatoken  # noqa: PLC0415

    return gigatoken.Tokenizer.from_json(Path(path).read_bytes())
