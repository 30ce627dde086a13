"""Tokenizers that count with a vocabulary: an encoding, or a tokenizer.json.

gigatoken reads it, several times as fast as tiktoken and with the same tokens, where there is a
wheel of it; `import synth` needs tiktoken alone.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection
from functools import cache, lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING
from unicodedata import normalize

from typing_extensions import override

from synth.errors import SynthError
from synth.text import encodings
from synth.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    import gigatoken

Read = Callable[[str], Collection[int]]  # A function from a text to its tokens
MOST_BYTES = 64_000_000
"""The longest tokenizer.json that is read; Gemma's, the longest in wide use, has 33 million."""

_LONGEST_REMEMBERED = 4_000  # characters of a text whose count is remembered
_MOST_SECONDS = 1.5  # of reading, after which about 50 MB of new English have been read


class VocabularyTokenizer(Tokenizer):
    """Counts with `read`, special tokens as one each; in form NFC where `composed`."""

    encodes = True

    def __init__(
        self,
        name: str,
        read: Read,
        special_tokens: Collection[str] = (),
        composed: bool = False,
    ) -> None:
        super().__init__(name, list)
        self._read = read
        self._composed = composed
        self._begins = {token[0] for token in special_tokens}
        self._special = re.compile(f"({'|'.join(map(re.escape, special_tokens))})")

    @override
    def count(self, text: str) -> int:
        # gigatoken reads a long text again about as fast as a dictionary finds it; but as it lets
        # other threads run meanwhile, a short one would wait for them.
        if len(text) > _LONGEST_REMEMBERED:
            return self._count(text)
        return self._recall(text, self._count)

    @override
    def _count(self, text: str) -> int:
        parts = self._part(text)
        return len(parts) // 2 + sum(len(self._read(part)) for part in parts[::2])

    @override
    def encode(self, text: str) -> list[object]:
        tokens: list[object] = []
        for place, part in enumerate(self._part(text)):
            tokens += [part] if place % 2 else map(int, self._read(part))
        return tokens

    def _part(self, text: str) -> list[str]:
        """Part a text at its special tokens, which stand at the odd places of the list."""
        if self._composed:
            text = normalize("NFC", text)
        if not any(begin in text for begin in self._begins):
            return [text]
        return self._special.split(text)

    @override
    def with_special_tokens(self) -> Tokenizer:
        # To the reader of a tokenizer.json they are one token each as it is.
        return of_encoding(self.name, True) if self.name in encodings.KNOWN else self


@cache
def of_encoding(name: str, special_tokens: bool = False) -> VocabularyTokenizer:
    """Return the tokenizer of an encoding; OSError if its file is not here, or was changed."""
    recipe = encodings.KNOWN[name]
    read_as_one = special_tokens or recipe.reads_special_tokens
    tokens = recipe.special_tokens if read_as_one else ()
    return VocabularyTokenizer(name, read_encoding(name), tokens, recipe.composed)


def has_gigatoken() -> bool:
    """Return whether the extra `fast` is installed."""
    return find_spec("gigatoken") is not None


class GigatokenReader:
    """Counts with gigatoken, in memory that stays bounded.

    gigatoken forgets no word, and new words take the most time: after `most_seconds` of reading a
    fresh one, which another thread loads, takes its place. It lets other threads run while it
    reads, and fails in them ("Already borrowed"): one thread reads at a time.
    """

    def __init__(
        self, load: Callable[[], gigatoken.Tokenizer], most_seconds: float = _MOST_SECONDS
    ) -> None:
        self._load = load
        self._most_seconds = most_seconds
        self._encode = load().backend.encode
        self._reading = threading.Lock()
        self._seconds = 0.0

    def __call__(self, text: str) -> Collection[int]:
        """Return the tokens."""
        with self._reading:
            began = perf_counter()
            try:
                tokens = self._encode(text)
            except TypeError:  # half of a surrogate pair, which tiktoken puts together or replaces
                text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
                tokens = self._encode(text)
            self._seconds += perf_counter() - began
            if self._seconds > self._most_seconds:
                self._seconds = 0.0
                threading.Thread(target=self._renew, name="synth-tokenizer", daemon=True).start()
        return tokens

    def _renew(self) -> None:
        self._encode = self._load().backend.encode


@cache
def read_encoding(name: str) -> Read:
    """Return the reader of an encoding, special tokens as text; OSError as `read_file`."""
    if encodings.KNOWN[name].scheme and has_gigatoken():
        return GigatokenReader(partial(load_encoding, name))
    return encodings.load(name).encode_ordinary


def load_encoding(name: str) -> gigatoken.Tokenizer:
    """Load an encoding into gigatoken."""
    import gigatoken  # noqa: PLC0415

    data, scheme = encodings.read_file(name), encodings.KNOWN[name].scheme
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        return gigatoken.Tokenizer.from_tiktoken(path, scheme, {})


@lru_cache(maxsize=8)
def of_file(path: Path) -> VocabularyTokenizer:
    """Return the tokenizer of a tokenizer.json; SynthError for one that gigatoken can't read."""
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
        return VocabularyTokenizer(str(path), GigatokenReader(partial(_load_json, path)))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as problem:  # gigatoken panics on some files, which is no Exception
        reason = str(problem).partition("\n")[0]  # without where in its source it was found
        raise SynthError(f"{path} can't be read as a tokenizer.json: {reason}") from problem


def _load_json(path: Path) -> gigatoken.Tokenizer:
    import gigatoken  # noqa: PLC0415

    return gigatoken.Tokenizer.from_json(path.read_bytes())
